// The properties of a relationship type and their types, from a sample.
MATCH ()-[r:@type]->() WITH r LIMIT 1000
UNWIND keys(r) AS property
WITH property, collect(DISTINCT replace(valueType(r[property]), ' NOT NULL', '')) AS types
RETURN property AS name, CASE WHEN size(types) = 1 THEN types[0] ELSE 'mixed' END AS type ORDER BY name
