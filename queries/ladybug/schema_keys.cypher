// The primary key of a kind.
CALL table_info('@kind') WHERE `primary key` RETURN '@kind' AS kind, name AS key
