// The relationships of a type that leave nodes within a range of internal ids.
MATCH (a:@source)-[r:@type]->(b:@target) WHERE offset(id(a)) >= $first AND offset(id(a)) <= $last
RETURN offset(id(r)) AS id, offset(id(a)) AS source, offset(id(b)) AS target
