// The properties of a kind and their types.
CALL table_info('@kind') RETURN name, type
