// packed
// The values of a property among the nodes of a kind that have one of some keys, by internal id.
UNWIND $key AS key MATCH (n:@kind {@key: key}) WHERE n.@property IS NOT NULL
RETURN collect(id(n)) AS id, collect(n.@property) AS value
