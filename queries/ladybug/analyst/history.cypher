// Here lists are counted from 1, and those of keys can be compared as texts only.
MATCH (record:GraphmineRun), (batch:GraphmineBatch)
WHERE batch.run = record.id AND batch.kind = $kind
WITH record, batch, CAST($node AS STRING) AS node
WITH record, batch, list_position(batch.text_keys, node) + list_position(CAST(batch.number_keys AS STRING[]), node) AS i
WHERE i > 0
RETURN record.id AS run, record.property AS property, record.method AS method, record.state AS state,
       CASE WHEN batch.labels[i] >= 0 THEN batch.labels[i] END AS cluster
ORDER BY record.created, run
