// The relationships of a type that reach nodes within a range of internal ids.
MATCH (b:@target)<-[r:@type]-(a:@source) WHERE offset(id(b)) >= $first AND offset(id(b)) <= $last
RETURN offset(id(r)) AS id, offset(id(a)) AS source, offset(id(b)) AS target
