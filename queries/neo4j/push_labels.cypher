// Change a property from one known value to another. A node that has gone, or whose value somebody else has changed
// meanwhile, is left alone; one that was changed already counts, so that doing it again does no harm. What is asked of
// a node is worked out in a projection: as a condition of MATCH it would draw the planner to the index of the key, or
// to a scan of the kind for every row.
UNWIND range(0, size($id) - 1) AS i
MATCH (n) WHERE id(n) = $id[i]
WITH n, $old[i] AS old, $new[i] AS new,
  CASE WHEN n:@kind AND n.@key = $key[i] THEN coalesce(n.@property, $absent) END AS value
WHERE value = old OR value = new
SET n.@property = CASE WHEN new = $absent THEN null ELSE new END
RETURN count(*) AS n
