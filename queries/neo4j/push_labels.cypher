// Change a property from one known value to another. A node that has gone, or whose value somebody else has changed
// meanwhile, is left alone; one that was changed already counts, so that doing it again does no harm.
UNWIND range(0, size($id) - 1) AS i
MATCH (n:@kind)
WHERE id(n) = $id[i] AND n.@key = $key[i] AND coalesce(n.@property, $absent) IN [$old[i], $new[i]]
SET n.@property = CASE WHEN $new[i] = $absent THEN null ELSE $new[i] END
RETURN count(*) AS n
