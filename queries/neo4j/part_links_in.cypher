// packed
// The relationships of a type that reach some nodes, given by their internal ids.
UNWIND $ids AS i MATCH (b) WHERE id(b) = i
MATCH (b)<-[r:@type]-(a:@source)
RETURN collect(id(r)) AS id, collect(id(a)) AS source, collect(id(b)) AS target
