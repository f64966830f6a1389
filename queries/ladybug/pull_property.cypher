// The nodes of a kind: internal id and what stands in a property.
MATCH (n:@kind) @where RETURN offset(id(n)) AS id, n.@property AS value
