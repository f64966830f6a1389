// The relationships of a type between two kinds, by internal ids.
MATCH (a:@source)-[:@type]->(b:@target) RETURN offset(id(a)) AS source, offset(id(b)) AS target
