// Set aside values of any type that a run will overwrite, copied by the server itself so that they stay exact.
UNWIND range(0, size($id) - 1) AS i
MATCH (n:@kind) WHERE id(n) = $id[i]
CREATE (:GraphmineBefore {run: $run, kind: $kind, number: $number[i], key: $key[i], value: n.@property})
