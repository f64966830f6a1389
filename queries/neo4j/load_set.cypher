// A property of nodes that are there already.
UNWIND range(0, size($key) - 1) AS i
MATCH (n:@kind {@key: $key[i]}) SET n.@property = $value[i]
