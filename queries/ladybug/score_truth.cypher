// The known class of every node of a kind that has one.
MATCH (n:@kind) WHERE n.@truth IS NOT NULL RETURN n.@key AS key, n.@truth AS truth
