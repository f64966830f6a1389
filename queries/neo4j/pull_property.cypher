// packed
// The nodes of a kind: internal id and what stands in a property, ten thousand a record. What is missing comes as null.
// Truth values come as text, since the driver's user would take one among numbers for a number.
MATCH (n:@kind) @where
WITH id(n) / 10000 AS block, collect(id(n)) AS id,
     collect([CASE WHEN n.@property IS :: BOOLEAN NOT NULL THEN toString(n.@property) ELSE n.@property END]) AS boxed
RETURN id, [x IN boxed | x[0]] AS value
