// Put the values set aside back, where a run's labels still stand or they are back already.
MATCH (v:GraphmineBefore {run: $run, kind: $kind})
WITH v, $id[v.number] AS node, $label[v.number] AS label
MATCH (n:@kind) WHERE id(n) = node AND n.@key = v.key AND coalesce(n.@property, $absent) IN [v.value, label]
SET n.@property = v.value
RETURN count(*) AS n
