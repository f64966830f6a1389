// As push_nodes, for a property that the kind does not have yet.
MATCH (n:@kind) RETURN n.@primary AS id, n.@key AS key, $absent AS before
