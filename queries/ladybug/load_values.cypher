// The values of a property among the nodes of a kind, by internal id; nodes without one are left out.
MATCH (n:@kind) WHERE n.@property IS NOT NULL RETURN offset(id(n)) AS id, n.@property AS value
