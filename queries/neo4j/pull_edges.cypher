// packed in parts
// The relationships of one end's kind, by internal ids, in a list for $block ids at a time; of both ends one number,
// which takes a fifth less time: the id of the far one times $block, and how far the near one is from the first of its
// block. Only the nodes are gathered before the first record leaves, so the server's memory does not grow with the
// relationships. The far kind is not asked for: nodes of other kinds are dropped by their ids, which costs less than a
// look at every label.
MATCH (n:@near)
WITH id(n) / $block AS block, collect(n) AS nodes WHERE block % $parts = $part
CALL (nodes) {
  UNWIND nodes AS a MATCH (a)@left[:@type]@right(b)
  RETURN collect(id(b) * $block + id(a) % $block) AS pair
}
RETURN block * $block AS first, pair
