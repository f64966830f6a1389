// From where to where a property runs.
MATCH (n:@kind) @where RETURN min(n.@property) AS first, max(n.@property) AS last
