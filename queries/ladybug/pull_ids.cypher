// The internal ids of a kind.
MATCH (n:@kind) @where RETURN offset(id(n)) AS id
