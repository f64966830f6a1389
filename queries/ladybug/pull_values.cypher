// The nodes of a kind: key and what stands in a property.
MATCH (n:@kind) @where RETURN n.@key AS key, n.@property AS value
