// As pull_edges, with a property of the relationship as weight; where there is none it comes as $missing.
MATCH (a:@source)-[r:@type]->(b:@target)
RETURN bitshift_left(offset(id(a)), 31) + offset(id(b)) AS pair, coalesce(CAST(r.@weight AS DOUBLE), $missing) AS weight
