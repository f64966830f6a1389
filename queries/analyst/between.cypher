// answers: How much weight there is between each two clusters, and inside each; a link within one kind counts once
// inside a cluster and in both directions between two.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
MATCH @relation(a, b)
WHERE a.@property IS NOT NULL AND b.@property IS NOT NULL AND (a.@property <> b.@property OR @once(a, b))
RETURN a.@property AS cluster, b.@property AS other, @sum(@weight(a, b)) AS weight
ORDER BY cluster, other
