// The last internal id of a kind.
MATCH (n:@kind) RETURN max(offset(id(n))) AS id
