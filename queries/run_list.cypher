// Every run on record, the oldest first.
MATCH (r:GraphmineRun)
RETURN r.id AS id, r.state AS state, r.property AS property, r.kinds AS kinds, r.method AS method,
       r.parameters AS parameters, r.seed AS seed, r.relations AS relations, r.filters AS filters,
       r.objective AS objective, r.converged AS converged, r.n_clusters AS n_clusters, r.counts AS counts,
       r.seconds AS seconds, r.versions AS versions, r.created AS created, r.finished AS finished,
       r.batches AS batches, r.added AS added, r.process AS process, @constraints AS constraints, @quality AS quality
ORDER BY created, id
