// Where runs are recorded.
CREATE NODE TABLE IF NOT EXISTS GraphmineRun(
  id STRING PRIMARY KEY, state STRING, property STRING, kinds STRING[], method STRING, parameters STRING, seed INT64,
  relations STRING[], filters STRING[], objective DOUBLE, converged BOOL, n_clusters INT64, counts STRING,
  seconds STRING, versions STRING, created STRING, finished STRING, batches INT64, added STRING[], process STRING,
  constraints STRING, quality STRING
)
