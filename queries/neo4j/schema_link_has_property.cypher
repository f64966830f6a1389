// Whether any relationship of a type has a property.
MATCH ()-[r:@type]->() WHERE r.@property IS NOT NULL RETURN valueType(r.@property) AS type LIMIT 1
