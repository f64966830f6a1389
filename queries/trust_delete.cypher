// Forget how far the links of a run are trusted.
MATCH (t:GraphmineTrust {run: $run}) DELETE t
