// packed
// The nodes of a kind that have a key: internal id and key, ten thousand a record.
MATCH (n:@kind) WHERE n.@key IS NOT NULL
WITH id(n) / 10000 AS block, collect(id(n)) AS id, collect(n.@key) AS key
RETURN id, key
