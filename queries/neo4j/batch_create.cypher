UNWIND range(0, size($id) - 1) AS i
CREATE (:GraphmineBatch {
  id: $id[i], run: $run[i], number: $number[i], kind: $kind[i], key: $key[i],
  text_keys: $text_keys[i], number_keys: $number_keys[i], labels: $labels[i], before: $before[i]
})
