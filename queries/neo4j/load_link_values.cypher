// packed
// The values of a property among the relationships of a type that leave a kind, by internal id.
MATCH (n:@source)
WITH id(n) / 500 AS block, collect(n) AS nodes
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)-[r:@type]->(:@target) WHERE r.@property IS NOT NULL
  RETURN collect(id(r)) AS id, collect(r.@property) AS value
}
RETURN id, value
