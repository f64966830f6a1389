// The types that the values of some properties have among the relationships of a type between two kinds.
MATCH (:@source)-[r:@type]->(:@target)
UNWIND $properties AS property
WITH property, r[property] AS value WHERE value IS NOT NULL
WITH DISTINCT property AS name, replace(valueType(value), ' NOT NULL', '') AS type
RETURN name, CASE type WHEN 'INTEGER' THEN 'INT64' WHEN 'FLOAT' THEN 'DOUBLE' WHEN 'BOOLEAN' THEN 'BOOL' ELSE type END AS type
