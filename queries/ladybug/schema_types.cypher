// Every relationship type. (The tables have a column `type` of their own, by which ORDER BY would sort.)
CALL show_tables() WHERE type = 'REL' RETURN name AS type
