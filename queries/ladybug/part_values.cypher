// The values of a property among the nodes of a kind that have one of some keys, by internal id.
LOAD FROM $rows MATCH (n:@kind {@key: key}) WHERE n.@property IS NOT NULL
RETURN offset(id(n)) AS id, n.@property AS value
