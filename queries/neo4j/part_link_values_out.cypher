// packed
// The values of a property among the relationships of a type that leave some nodes, given by their internal ids.
UNWIND $ids AS i MATCH (a) WHERE id(a) = i
MATCH (a)-[r:@type]->(:@target) WHERE r.@property IS NOT NULL
RETURN collect(id(r)) AS id, collect(r.@property) AS value
