// Replace the values set aside by labels, where they still stand or have been replaced already.
MATCH (v:GraphmineBefore {run: $run, kind: $kind})
WITH v, $id[v.number] AS node, $label[v.number] AS label
MATCH (n:@kind) WHERE id(n) = node AND n.@key = v.key AND coalesce(n.@property, $absent) IN [v.value, label]
SET n.@property = CASE WHEN label = $absent THEN null ELSE label END
RETURN count(*) AS n
