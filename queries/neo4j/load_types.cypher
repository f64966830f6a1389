// The types that the values of some properties have among the nodes of a kind.
MATCH (n:@kind)
UNWIND $properties AS property
WITH property, n[property] AS value WHERE value IS NOT NULL
WITH DISTINCT property AS name, replace(valueType(value), ' NOT NULL', '') AS type
RETURN name, CASE type WHEN 'INTEGER' THEN 'INT64' WHEN 'FLOAT' THEN 'DOUBLE' WHEN 'BOOLEAN' THEN 'BOOL' ELSE type END AS type
