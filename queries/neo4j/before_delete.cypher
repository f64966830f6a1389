// Forget the values that were set aside for a run.
MATCH (v:GraphmineBefore {run: $run}) DELETE v
