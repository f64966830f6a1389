// The properties of a kind or relationship type and their types.
CALL table_info('@type') RETURN name, type ORDER BY name
