// Forget the journal of a run that has been undone.
MATCH (b:GraphmineBatch {run: $run}) DELETE b
