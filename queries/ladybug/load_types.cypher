// The properties of a kind and their types.
CALL table_info(@table) RETURN name, type
