MATCH (n:@kind) WHERE n.@property IS NOT NULL WITH count(*) AS n RETURN n
