// The properties of a relationship type and their types.
CALL table_info(@table) RETURN name, type
