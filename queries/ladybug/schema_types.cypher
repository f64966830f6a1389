// Every relationship type.
CALL show_tables() WHERE type = 'REL' RETURN name AS type ORDER BY type
