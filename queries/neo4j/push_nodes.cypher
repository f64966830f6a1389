// packed
// The nodes of a kind with what stands in a property now: a whole number, $absent for nothing, $foreign for the rest.
MATCH (n:@kind)
WITH n, n.@property AS value
WITH id(n) / 10000 AS block, collect(id(n)) AS id, collect([n.@key]) AS boxed,
     collect(CASE WHEN value IS NULL THEN $absent
                  WHEN valueType(value) STARTS WITH 'INTEGER' AND value > $foreign THEN value
                  ELSE $foreign END) AS before
RETURN id, [x IN boxed | x[0]] AS key, before
