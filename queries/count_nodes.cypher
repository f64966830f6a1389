MATCH (n:@kind) RETURN count(*) AS n
