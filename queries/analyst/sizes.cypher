// answers: How many nodes of each kind are in each cluster.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param kinds (kinds) = run.kinds: the kinds that are counted, with commas between them
// param property (property of kinds) = run.property: where the clusters stand
MATCH (n:@kinds) WHERE n.@property IS NOT NULL
UNWIND [each IN labels(n) WHERE each IN $kinds] AS kind
RETURN n.@property AS cluster, kind, count(*) AS nodes
ORDER BY cluster, kind
