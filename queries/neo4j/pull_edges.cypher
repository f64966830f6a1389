// packed in parts
// The relationships that leave a kind, by internal ids, as flat lists for 500 nodes at a time. Only the nodes are
// gathered before the first record leaves, so the server's memory does not grow with the relationships. The far kind
// is not asked for: nodes of other kinds are dropped by their ids, which costs less than a look at every label.
MATCH (n:@source)
WITH id(n) / 500 AS block, collect(n) AS nodes WHERE block % $parts = $part
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)-[:@type]->(b)
  RETURN collect(id(a)) AS source, collect(id(b)) AS target
}
RETURN source, target
