// Hold one node of a kind until the transaction ends, so that two runs on the kind can not begin at the same moment.
MATCH (n:@kind) WITH n ORDER BY id(n) LIMIT 1
SET n.graphmine_lock = true
REMOVE n.graphmine_lock
