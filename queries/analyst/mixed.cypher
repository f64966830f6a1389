// answers: Nodes that are linked from several clusters, such as papers whose authors are of several fields.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.step: the links that count; without it, the first step of the run's relation
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind) = run.property: where the clusters stand
// param far_key (key of far): the property that names a node at the other end
// param least (count) = 2: from how many clusters at least
// param limit (count) = 20: at most so many rows
MATCH @relation(n, shared)
WHERE n.@property IS NOT NULL AND @apart(n, shared)
WITH shared, count(DISTINCT n.@property) AS clusters, count(DISTINCT n) AS members
WHERE clusters >= $least
RETURN shared.@far_key AS node, clusters, members
ORDER BY clusters DESC, members DESC, node LIMIT $limit
