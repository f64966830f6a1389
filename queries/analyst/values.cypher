// answers: Which values of a property are the most frequent in each cluster, such as affiliations or classes that are
// known.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param kind (kind) = run.kind: the kind of node that is asked about
// param property (property of kind) = run.property: where the clusters stand
// param attribute (property of kind): the property whose values are counted
// param clusters (values of property) = []: only these clusters, with commas between them; all if none is named
// param limit (count) = 100: at most so many rows
MATCH (n:@kind)
WHERE n.@property IS NOT NULL AND n.@attribute IS NOT NULL AND (size($clusters) = 0 OR n.@property IN $clusters)
RETURN n.@property AS cluster, n.@attribute AS value, count(*) AS nodes
ORDER BY cluster, nodes DESC, value LIMIT $limit
