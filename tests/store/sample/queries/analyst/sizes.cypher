// The sample has a text of its own for a question, as any database can.
MATCH (n:@kinds) WHERE n.@property IS NOT NULL
WITH n.@property AS cluster, label(n) AS kind
RETURN cluster, kind, count(*) AS nodes
ORDER BY cluster, kind
