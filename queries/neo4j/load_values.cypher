// packed
// The values of a property among the nodes of a kind, by internal id; nodes without one are left out.
MATCH (n:@kind) WHERE n.@property IS NOT NULL
WITH id(n) / 10000 AS block, collect(id(n)) AS id, collect(n.@property) AS value
RETURN id, value
