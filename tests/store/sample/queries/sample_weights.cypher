// As sample_links, with a property of the relationship as weight; where there is none it comes as $missing.
MATCH (a:@source)-[r:@type]->(b:@target)
RETURN offset(id(a)) AS source, offset(id(b)) AS target, coalesce(CAST(r.@weight AS DOUBLE), $missing) AS weight
