// packed
// The nodes of a kind that have one of some keys: internal id and key.
UNWIND $key AS key MATCH (n:@kind {@key: key})
RETURN collect(id(n)) AS id, collect(key) AS key
