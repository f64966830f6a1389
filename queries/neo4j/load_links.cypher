// packed
// The relationships of a type that leave a kind: their own and their ends' internal ids, for 500 nodes at a time. The
// far kind is not asked for: relationships to other kinds are dropped by their ids.
MATCH (n:@source)
WITH id(n) / 500 AS block, collect(n) AS nodes
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)-[r:@type]->(b)
  RETURN collect(id(r)) AS id, collect(id(a)) AS source, collect(id(b)) AS target
}
RETURN id, source, target
