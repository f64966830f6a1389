// Keys that several nodes of a kind share: how many there are, and one of them.
MATCH (n:@kind) WHERE n.@key IS NOT NULL
WITH n.@key AS key, count(*) AS n WHERE n > 1
RETURN count(*) AS doubles, head(collect(key)) AS first
