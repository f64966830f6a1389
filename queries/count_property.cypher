MATCH (n:@kind) WHERE n.@property IS NOT NULL RETURN count(*) AS n
