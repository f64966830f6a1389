// answers: Nodes whose links go to several clusters, those that reach the most clusters first, then those with the
// most weight outside their own.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param least (count) = 2: to how many clusters at least
// param limit (count) = 20: at most so many rows
MATCH @relation(n, other)
WHERE n.@property IS NOT NULL AND other.@property IS NOT NULL AND @apart(n, other)
WITH n, count(DISTINCT other.@property) AS clusters, @sum(@weight(n, other)) AS weight,
     @sum(CASE WHEN n.@property <> other.@property THEN @weight(n, other) ELSE 0 END) AS outside
WHERE clusters >= $least
RETURN n.@key AS node, n.@property AS cluster, clusters, outside, weight
ORDER BY clusters DESC, outside DESC, node LIMIT $limit
