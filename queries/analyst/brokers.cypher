// answers: Nodes with links into both of two clusters; those first whose weaker side is the strongest.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind and far) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param one (value of property): a cluster
// param other (value of property): another cluster
// param limit (count) = 20: at most so many rows
MATCH @relation(n, there)
WHERE (there.@property = $one OR there.@property = $other) AND @apart(n, there)
WITH n, @sum(CASE WHEN there.@property = $one THEN @weight(n, there) ELSE 0 END) AS to_one,
     @sum(CASE WHEN there.@property = $other THEN @weight(n, there) ELSE 0 END) AS to_other
WHERE to_one > 0 AND to_other > 0
RETURN n.@key AS node, n.@property AS cluster, to_one, to_other,
       CASE WHEN to_one < to_other THEN to_one ELSE to_other END AS weaker
ORDER BY weaker DESC, to_one DESC, to_other DESC, node LIMIT $limit
