// The nodes of a kind that have one of some keys: internal id and key.
LOAD FROM $rows MATCH (n:@kind {@key: key}) RETURN offset(id(n)) AS id, n.@key AS key
