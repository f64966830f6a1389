// The properties of a kind and their types. The text is that of schema_keys, so that a snapshot asks once.
CALL table_info('@kind') WITH name, type, `primary key` AS unique
RETURN '@kind' AS kind, name, type, CASE WHEN unique THEN name END AS key ORDER BY name
