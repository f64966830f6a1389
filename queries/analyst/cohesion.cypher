// answers: How much of the weight of its members' links stays inside each cluster, the loosest cluster first.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
MATCH @relation(a, b)
WHERE a.@property IS NOT NULL AND b.@property IS NOT NULL AND @apart(a, b)
WITH a.@property AS cluster, @sum(@weight(a, b)) AS weight,
     @sum(CASE WHEN a.@property = b.@property THEN @weight(a, b) ELSE 0 END) AS inside
WHERE weight > 0
RETURN cluster, inside, weight, 1.0 * inside / weight AS share
ORDER BY share, cluster
