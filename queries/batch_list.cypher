// The journal of a run.
MATCH (b:GraphmineBatch {run: $run})
RETURN b.number AS number, b.kind AS kind, b.key AS key, b.text_keys AS text_keys, b.number_keys AS number_keys,
       b.labels AS labels, b.before AS before
ORDER BY number
