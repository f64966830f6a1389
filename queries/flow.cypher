// How many nodes of a kind went from each cluster of one run to each of another; null where they had none.
MATCH (n:@kind) WHERE n.@before IS NOT NULL OR n.@after IS NOT NULL
RETURN n.@before AS source, n.@after AS target, count(*) AS nodes
