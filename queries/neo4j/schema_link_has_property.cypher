// Whether any relationship of a type has a property.
MATCH ()-[r:@type]->() WHERE r.@property IS NOT NULL RETURN replace(valueType(r.@property), ' NOT NULL', '') AS type LIMIT 1
