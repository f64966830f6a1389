UNWIND range(0, size($id) - 1) AS i
CREATE (:GraphmineRun {
  id: $id[i], state: $state[i], property: $property[i], kinds: $kinds[i], method: $method[i],
  parameters: $parameters[i], seed: $seed[i], relations: $relations[i], filters: $filters[i],
  objective: $objective[i], converged: $converged[i], n_clusters: $n_clusters[i], counts: $counts[i],
  seconds: $seconds[i], versions: $versions[i], created: $created[i], finished: $finished[i],
  batches: $batches[i], added: $added[i], process: $process[i],
  constraints: $constraints[i], quality: $quality[i]
})
