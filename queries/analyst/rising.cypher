// answers: Members whose links have become more, year by year: the weight in a span of years against the span before
// it.
// param run (run) = last: the run whose clusters are meant: a name, the beginning of one, a property for its last run, or last
// param relation (pattern) = run.step: the links that count; without it, the first step of the run's relation
// param kind (kind) = relation.start: the kind of node that is asked about
// param far (kind) = relation.end: the kind at the other end of its links
// param property (property of kind) = run.property: where the clusters stand
// param key (key of kind): the property that names a node
// param year (number of far) = year: the property that holds the year of a node at the other end
// param years (count) = 5: how long each span is
// param until = 0: the last year of the later span; 0 for the last one there is
// param clusters (values of property) = []: only these clusters, with commas between them; all if none is named
// param limit (count) = 20: at most so many rows
MATCH (dated:@far)
WITH max(dated.@year) AS latest
WITH CASE WHEN $until = 0 THEN latest ELSE $until END AS final
MATCH @relation(n, dated)
WHERE n.@property IS NOT NULL AND dated.@year > final - 2 * $years AND dated.@year <= final
      AND @apart(n, dated) AND (size($clusters) = 0 OR n.@property IN $clusters)
WITH n, @sum(CASE WHEN dated.@year <= final - $years THEN @weight(n, dated) ELSE 0 END) AS earlier,
     @sum(CASE WHEN dated.@year > final - $years THEN @weight(n, dated) ELSE 0 END) AS later
WHERE later > earlier
RETURN n.@property AS cluster, n.@key AS node, earlier, later, later - earlier AS rise
ORDER BY rise DESC, later DESC, cluster, node LIMIT $limit
