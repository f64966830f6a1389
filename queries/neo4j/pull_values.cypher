// packed
// The nodes of a kind: key and what stands in a property, ten thousand a record. What is missing comes as null.
MATCH (n:@kind) @where
WITH id(n) / 10000 AS block, collect([n.@key, n.@property]) AS boxed
RETURN [x IN boxed | x[0]] AS key, [x IN boxed | x[1]] AS value
