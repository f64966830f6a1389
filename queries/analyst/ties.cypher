// answers: The strongest ties across clusters: pairs of linked nodes of different clusters, the heaviest first.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param far_key (key of far): the property that names a node at the other end
// param limit (count) = 20: at most so many rows
MATCH @relation(a, b)
WHERE a.@property <> b.@property AND @once(a, b)
WITH a, b, @sum(@weight(a, b)) AS weight
RETURN a.@key AS node, a.@property AS cluster, b.@far_key AS other, b.@property AS other_cluster, weight
ORDER BY weight DESC, node, other LIMIT $limit
