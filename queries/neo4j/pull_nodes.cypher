// packed in parts
// The nodes of a kind: internal id and key, ten thousand a record. A missing key comes as null inside the list.
MATCH (n:@kind) @where
WITH n, id(n) / 10000 AS block WHERE block % $parts = $part
WITH block, collect(id(n)) AS id, collect([n.@key]) AS boxed
RETURN id, [x IN boxed | x[0]] AS key
