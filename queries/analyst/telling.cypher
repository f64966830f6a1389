// answers: Nodes that tell a cluster from the others, such as its terms: much of their weight is of the cluster, and
// they are much of the cluster's. The score is the harmonic mean of both shares.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.relation: the links that count
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind) = run.property: where the clusters stand
// param far_key (key of far): the property that names a node at the other end
// param clusters (values of property) = []: only these clusters, with commas between them; all if none is named
// param limit (count) = 20: at most so many rows
MATCH @relation(n, sign)
WHERE n.@property IS NOT NULL AND @apart(n, sign) AND (size($clusters) = 0 OR n.@property IN $clusters)
WITH n.@property AS cluster, @sum(@weight(n, sign)) AS of_cluster
MATCH @relation(m, sign)
WHERE m.@property = cluster AND @apart(m, sign)
WITH cluster, of_cluster, sign, @sum(@weight(m, sign)) AS weight
MATCH @relation(each, sign)
WHERE each.@property IS NOT NULL AND @apart(each, sign)
WITH cluster, of_cluster, sign, weight, @sum(@weight(each, sign)) AS of_sign
WHERE of_cluster + of_sign > 0
RETURN cluster, sign.@far_key AS node, weight, 1.0 * weight / of_sign AS share_of_node,
       1.0 * weight / of_cluster AS share_of_cluster, 2.0 * weight / (of_cluster + of_sign) AS score
ORDER BY score DESC, cluster, node LIMIT $limit
