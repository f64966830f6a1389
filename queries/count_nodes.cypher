MATCH (n:@kind) WITH count(*) AS n RETURN n
