// packed
// The known class of every node of a kind that has one.
MATCH (n:@kind) WHERE n.@truth IS NOT NULL
WITH id(n) / 10000 AS block, collect(n.@key) AS key, collect(n.@truth) AS truth
RETURN key, truth
