// The properties of a kind or relationship type and their types.
CALL table_info('@kind') RETURN name, type ORDER BY name
