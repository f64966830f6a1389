// The nodes of a kind: internal id and key.
MATCH (n:@kind) RETURN offset(id(n)) AS id, n.@key AS key
