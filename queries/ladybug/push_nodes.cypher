// The nodes of a kind with what stands in a property now; $absent for nothing. A node is found again by its primary key.
MATCH (n:@kind) RETURN n.@primary AS id, n.@key AS key, coalesce(n.@property, $absent) AS before
