// answers: The nodes of a cluster, in the order of their names.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param kind (kind) = run.kind: the kind of node that is asked about
// param property (property of kind) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param cluster (value of property): the cluster
// param limit (count) = 1000: at most so many rows
MATCH (n:@kind) WHERE n.@property = $cluster
RETURN n.@key AS node
ORDER BY node LIMIT $limit
