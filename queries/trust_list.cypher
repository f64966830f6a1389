// How far each link of a run is trusted.
MATCH (t:GraphmineTrust {run: $run})
RETURN t.number AS number, t.rule AS rule, t.kind AS kind, t.other_kind AS other_kind, t.must AS must, t.hard AS hard,
       t.key AS key, t.size AS size, t.other_key AS other_key, t.other_size AS other_size, t.weight AS weight,
       t.trust AS trust, t.pairs AS pairs, t.broken AS broken, t.unplaced AS unplaced
ORDER BY number
