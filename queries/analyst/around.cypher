// answers: What a node is linked to, the heaviest first, and the clusters of that.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param far_key (key of far): the property that names a node at the other end
// param node (value of key): the node
// param limit (count) = 100: at most so many rows
MATCH @relation(n, there)
WHERE n.@key = $node AND @apart(n, there)
WITH there, @sum(@weight(n, there)) AS weight
RETURN there.@far_key AS other, there.@property AS cluster, weight
ORDER BY weight DESC, other LIMIT $limit
