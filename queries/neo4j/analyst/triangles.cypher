// The same as for any database, but that the links of a node are followed once, and not again for every node before it.
MATCH @relation(a, b)
WHERE a.@property IS NOT NULL AND b.@property IS NOT NULL AND @once(a, b)
      AND ($least < 3 OR a.@property <> b.@property)
WITH a, b, @sum(@weight(a, b)) AS ab
WITH b, collect({node: a, weight: ab}) AS before
MATCH @relation(b, c)
WHERE c.@property IS NOT NULL AND @once(b, c) AND ($least < 3 OR b.@property <> c.@property)
WITH before, b, c, @sum(@weight(b, c)) AS bc
UNWIND before AS first
WITH first.node AS a, first.weight AS ab, b, c, bc
WHERE a.@property <> c.@property OR ($least < 3 AND (a.@property <> b.@property OR b.@property <> c.@property))
MATCH @relation(a, c)
WITH a, b, c, ab, bc, @sum(@weight(a, c)) AS ac
RETURN a.@key AS one, a.@property AS cluster_one, b.@key AS two, b.@property AS cluster_two, c.@key AS three,
       c.@property AS cluster_three, ab + bc + ac AS weight
ORDER BY weight DESC, one, two, three LIMIT $limit
