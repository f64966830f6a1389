// Put the values set aside back, where a run's labels still stand or they are back already.
MATCH (v:GraphmineBefore {run: $run, kind: $kind})
WITH v, $id[v.number] AS node, $label[v.number] AS label
MATCH (n) WHERE id(n) = node
WITH v, n, label, n:@kind AND n.@key = v.key AS same, coalesce(n.@property, $absent) AS value
WHERE same AND value IN [v.value, label]
SET n.@property = v.value
RETURN count(*) AS n
