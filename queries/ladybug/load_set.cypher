// A property of nodes that are there already.
LOAD FROM $rows MATCH (n:@kind {@key: key}) SET n.@property = value
