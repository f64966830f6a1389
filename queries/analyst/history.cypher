// answers: In which cluster each run on record put a node, runs that were replaced since included; the oldest run
// first.
// param run (run) = last: a run that knows the kind
// param kind (kind) = run.kind: the kind of node that is asked about
// param key (key of kind): the property that names a node
// param node (value of key): the node
MATCH (record:GraphmineRun)
MATCH (batch:GraphmineBatch {run: record.id, kind: $kind})
WITH record, batch, CASE WHEN size(batch.text_keys) > 0 THEN batch.text_keys ELSE batch.number_keys END AS keys
UNWIND [i IN range(0, size(keys) - 1) WHERE keys[i] = $node] AS i
RETURN record.id AS run, record.property AS property, record.method AS method, record.state AS state,
       CASE WHEN batch.labels[i] >= 0 THEN batch.labels[i] END AS cluster
ORDER BY record.created, run
