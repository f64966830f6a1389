// Replace the values set aside by labels, where they still stand or have been replaced already.
MATCH (v:GraphmineBefore {run: $run, kind: $kind})
WITH v, $id[v.number] AS node, $label[v.number] AS label
MATCH (n) WHERE id(n) = node
WITH v, n, label, n:@kind AND n.@key = v.key AS same, coalesce(n.@property, $absent) AS value
WHERE same AND value IN [v.value, label]
SET n.@property = CASE WHEN label = $absent THEN null ELSE label END
RETURN count(*) AS n
