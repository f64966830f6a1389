// The properties of a kind and their types, from a sample of its nodes.
MATCH (n:@kind) WITH n LIMIT 1000
UNWIND keys(n) AS property
WITH property, collect(DISTINCT replace(valueType(n[property]), ' NOT NULL', '')) AS types
RETURN property AS name, CASE WHEN size(types) = 1 THEN types[0] ELSE 'mixed' END AS type ORDER BY name
