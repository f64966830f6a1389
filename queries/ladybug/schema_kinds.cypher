// Every kind of node.
CALL show_tables() WHERE type = 'NODE' RETURN name AS kind ORDER BY kind
