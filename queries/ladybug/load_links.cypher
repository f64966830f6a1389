// The relationships of a type between two kinds: their own and their ends' internal ids.
MATCH (a:@source)-[r:@type]->(b:@target)
RETURN offset(id(r)) AS id, offset(id(a)) AS source, offset(id(b)) AS target
