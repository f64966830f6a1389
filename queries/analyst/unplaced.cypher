// answers: Nodes without a cluster, and how many links each has.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param property (property of kind) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param limit (count) = 1000: at most so many rows
MATCH (n:@kind) WHERE n.@property IS NULL
OPTIONAL MATCH @relation(n, other)
WHERE @apart(n, other)
WITH n, count(other) AS links
RETURN n.@key AS node, links
ORDER BY links DESC, node LIMIT $limit
