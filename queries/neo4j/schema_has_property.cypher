// Whether any node of a kind has a property.
MATCH (n:@kind) WHERE n.@property IS NOT NULL RETURN valueType(n.@property) AS type LIMIT 1
