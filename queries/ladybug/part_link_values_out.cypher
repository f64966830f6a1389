// The values of a property among the relationships of a type that leave nodes within a range of internal ids.
MATCH (a:@source)-[r:@type]->(b:@target) WHERE offset(id(a)) >= $first AND offset(id(a)) <= $last
  AND r.@property IS NOT NULL
RETURN offset(id(r)) AS id, r.@property AS value
