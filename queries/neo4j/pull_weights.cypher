// packed in parts
// As pull_edges, with a property of the relationship as weight; what is no number comes as $missing.
MATCH (n:@source)
WITH id(n) / 500 AS block, collect(n) AS nodes WHERE block % $parts = $part
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)-[r:@type]->(b)
  RETURN collect(id(a)) AS source, collect(id(b)) AS target,
         collect(coalesce(toFloatOrNull(r.@weight), $missing)) AS weight
}
RETURN source, target, weight
