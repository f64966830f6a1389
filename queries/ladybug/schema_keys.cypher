// The primary key of a kind.
CALL table_info(@table) WHERE `primary key` RETURN @table AS kind, name AS key
