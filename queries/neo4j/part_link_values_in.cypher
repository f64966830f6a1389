// packed
// The values of a property among the relationships of a type that reach some nodes, given by their internal ids.
UNWIND $ids AS i MATCH (b) WHERE id(b) = i
MATCH (b)<-[r:@type]-(:@source) WHERE r.@property IS NOT NULL
RETURN collect(id(r)) AS id, collect(r.@property) AS value
