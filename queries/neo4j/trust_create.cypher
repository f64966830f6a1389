// Merged by name, so that a commit whose answer was lost can be repeated.
UNWIND range(0, size($id) - 1) AS i
MERGE (t:GraphmineTrust {id: $id[i]})
SET t += {
  run: $run[i], number: $number[i], rule: $rule[i], kind: $kind[i], other_kind: $other_kind[i], must: $must[i],
  hard: $hard[i], key: $key[i], size: $size[i], other_key: $other_key[i], other_size: $other_size[i],
  weight: $weight[i], trust: $trust[i], pairs: $pairs[i], broken: $broken[i], unplaced: $unplaced[i]
}
