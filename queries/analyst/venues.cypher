// answers: To which nodes the members of each cluster link, such as the venues of a field, the heaviest of each
// cluster first.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind) = run.property: where the clusters stand
// param far_key (key of far): the property that names a node at the other end
// param clusters (values of property) = []: only these clusters, with commas between them; all if none is named
// param limit (count) = 100: at most so many rows
MATCH @relation(n, there)
WHERE n.@property IS NOT NULL AND @apart(n, there) AND (size($clusters) = 0 OR n.@property IN $clusters)
WITH n.@property AS cluster, there, count(DISTINCT n) AS members, @sum(@weight(n, there)) AS weight
RETURN cluster, there.@far_key AS venue, members, weight
ORDER BY cluster, weight DESC, venue LIMIT $limit
