// Which kinds a relationship type joins, and how often.
MATCH (a)-[r:@type]->(b) RETURN label(a) AS source, label(b) AS target, count(*) AS n ORDER BY source, target
