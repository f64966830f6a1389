// The properties of a relationship type and their types.
CALL table_info('@type') RETURN name, type
