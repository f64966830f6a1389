// By which property a run named the nodes of each kind.
MATCH (b:GraphmineBatch {run: $run}) RETURN DISTINCT b.kind AS kind, b.key AS key ORDER BY kind
