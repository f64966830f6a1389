// answers: How many nodes each cluster of a run has in common with each of a later one, and which share of the earlier
// cluster that is.
// param after (run) = last: the later run
// param before (run) = after.previous: the earlier run; without it, the one before the later run
// param kind (kind) = after.kind: the kind of node that is asked about
// param old (property of kind) = before.property: where the clusters of the earlier run stand
// param new (property of kind) = after.property: where those of the later run stand
MATCH (n:@kind) WHERE n.@old IS NOT NULL AND n.@new IS NOT NULL
WITH n.@old AS before, count(*) AS whole
MATCH (m:@kind) WHERE m.@old = before AND m.@new IS NOT NULL
WITH before, whole, m.@new AS after, count(*) AS nodes
RETURN before, after, nodes, 1.0 * nodes / whole AS share
ORDER BY before, after
