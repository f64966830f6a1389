// packed
// The internal ids of a kind, ten thousand a record.
MATCH (n:@kind) @where
WITH id(n) / 10000 AS block, collect(id(n)) AS id RETURN id
