// Here a node is of one kind, which has a function of its own.
MATCH (n:@kinds) WHERE n.@property IS NOT NULL
RETURN n.@property AS cluster, label(n) AS kind, count(*) AS nodes
ORDER BY cluster, kind
