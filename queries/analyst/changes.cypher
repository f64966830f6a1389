// answers: Nodes whose cluster has another number in a later run, or that have lost or gained one. Numbers are
// compared as they are; ask for the overlap to see which belong together.
// param after (run) = last: the later run
// param before (run) = after.previous: the earlier run; without it, the one before the later run
// param kind (kind) = after.kind: the kind of node that is asked about
// param old (property of kind) = before.property: where the clusters of the earlier run stand
// param new (property of kind) = after.property: where those of the later run stand
// param key (key of kind): the property that names a node
// param limit (count) = 1000: at most so many rows
MATCH (n:@kind)
WHERE n.@old <> n.@new OR (n.@old IS NULL AND n.@new IS NOT NULL) OR (n.@old IS NOT NULL AND n.@new IS NULL)
RETURN n.@key AS node, n.@old AS before, n.@new AS after
ORDER BY before, after, node LIMIT $limit
