// Whether any node of a kind has a property.
MATCH (n:@kind) WHERE n.@property IS NOT NULL RETURN replace(valueType(n.@property), ' NOT NULL', '') AS type LIMIT 1
