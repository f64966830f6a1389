// packed in parts
// As pull_edges, with a property of the relationship as weight; what is no number comes as $missing.
MATCH (n:@near)
WITH id(n) / $block AS block, collect(n) AS nodes WHERE block % $parts = $part
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)@left[r:@type]@right(b)
  RETURN collect(id(b) * $block + id(a) % $block) AS pair,
         collect(coalesce(toFloatOrNull(r.@weight), $missing)) AS weight
}
RETURN block * $block AS first, pair, weight
