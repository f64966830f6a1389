// answers: The strongest members of the clusters: the nodes with the most weight of links inside their cluster.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param clusters (values of property) = []: only these clusters, with commas between them; all if none is named
// param limit (count) = 20: at most so many rows
MATCH @relation(n, other)
WHERE n.@property = other.@property AND @apart(n, other) AND (size($clusters) = 0 OR n.@property IN $clusters)
WITH n, @sum(@weight(n, other)) AS inside
RETURN n.@property AS cluster, n.@key AS node, inside
ORDER BY inside DESC, cluster, node LIMIT $limit
