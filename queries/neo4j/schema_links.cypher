// Which kinds a relationship type joins, and how often.
MATCH (a)-[:@type]->(b)
UNWIND labels(a) AS source
UNWIND labels(b) AS target
RETURN source, target, count(*) AS n ORDER BY source, target
