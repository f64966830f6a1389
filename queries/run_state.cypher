// Move a run to another state.
MATCH (r:GraphmineRun {id: $run})
SET r.state = $state, r.counts = $counts, r.finished = $finished, r.process = $process
RETURN count(*) AS n
