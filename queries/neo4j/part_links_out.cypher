// packed
// The relationships of a type that leave some nodes, given by their internal ids.
UNWIND $ids AS i MATCH (a) WHERE id(a) = i
MATCH (a)-[r:@type]->(b:@target)
RETURN collect(id(r)) AS id, collect(id(a)) AS source, collect(id(b)) AS target
