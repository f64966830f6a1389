// answers: Triangles across clusters: three nodes, each linked to both others, such as co-authors, that are not all of
// one cluster; the heaviest first.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.shared: the links that count, of a kind with itself; without it, two nodes are linked by what the first step of the run's relation leads both of them to
// param kind (kind) = relation.start: the kind of node that is asked about
// param property (property of kind) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param least (count) = 3: how many clusters the three are of, 2 or 3
// param limit (count) = 20: at most so many rows
MATCH @relation(a, b)
WHERE a.@property IS NOT NULL AND b.@property IS NOT NULL AND @once(a, b)
WITH a, b, @sum(@weight(a, b)) AS ab
WHERE $least < 3 OR a.@property <> b.@property
MATCH @relation(b, c)
WHERE c.@property IS NOT NULL AND @once(b, c)
WITH a, b, c, ab, @sum(@weight(b, c)) AS bc
WHERE (a.@property <> c.@property AND ($least < 3 OR b.@property <> c.@property))
      OR ($least < 3 AND a.@property <> b.@property)
MATCH @relation(a, c)
WITH a, b, c, ab, bc, @sum(@weight(a, c)) AS ac
RETURN a.@key AS one, a.@property AS cluster_one, b.@key AS two, b.@property AS cluster_two, c.@key AS three,
       c.@property AS cluster_three, ab + bc + ac AS weight
ORDER BY weight DESC, one, two, three LIMIT $limit
