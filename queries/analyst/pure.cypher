// answers: Nodes whose links come nearly all from one cluster, such as the venues that are of one field alone.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind) = run.property: where the clusters stand
// param far_key (key of far): the property that names a node at the other end
// param least = 0.9: which share of the weight at least is of one cluster, above 0.5
// param weight = 5.0: how much weight in all at least
// param limit (count) = 100: at most so many rows
MATCH @relation(n, there)
WHERE n.@property IS NOT NULL AND @apart(n, there)
WITH there, n.@property AS cluster, @sum(@weight(n, there)) AS part
WITH there, max(part) AS most, @sum(part) AS whole
WHERE whole > 0 AND whole >= $weight AND 1.0 * most / whole >= $least
MATCH @relation(m, there)
WHERE m.@property IS NOT NULL AND @apart(m, there)
WITH there, most, whole, m.@property AS cluster, @sum(@weight(m, there)) AS part
WHERE part = most
RETURN cluster, there.@far_key AS venue, most AS inside, whole AS weight, 1.0 * most / whole AS share
ORDER BY cluster, share DESC, weight DESC, venue LIMIT $limit
