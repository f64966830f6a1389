// The values of a property among the relationships of a type between two kinds, by internal id.
MATCH (:@source)-[r:@type]->(:@target) WHERE r.@property IS NOT NULL
RETURN offset(id(r)) AS id, r.@property AS value
