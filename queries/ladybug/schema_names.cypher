// Every kind of node and every relationship type.
CALL show_tables() WHERE type = 'NODE' OR type = 'REL' RETURN name, type = 'NODE' AS is_kind
