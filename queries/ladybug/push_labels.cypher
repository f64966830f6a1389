// Change a property from one known value to another. A node that has gone, or whose value somebody else has changed
// meanwhile, is left alone; one that was changed already counts, so that doing it again does no harm.
LOAD FROM $rows
MATCH (n:@kind {@primary: id})
WHERE n.@key = key AND (coalesce(n.@property, $absent) = old OR coalesce(n.@property, $absent) = new)
SET n.@property = CASE WHEN new = $absent THEN NULL ELSE new END
RETURN count(*) AS n
