// The values of a property among the relationships of a type that reach nodes within a range of internal ids.
MATCH (b:@target)<-[r:@type]-(a:@source) WHERE offset(id(b)) >= $first AND offset(id(b)) <= $last
  AND r.@property IS NOT NULL
RETURN offset(id(r)) AS id, r.@property AS value
