// The journal: what each run writes, and what stood there before.
CREATE NODE TABLE IF NOT EXISTS GraphmineBatch(
  id STRING PRIMARY KEY, run STRING, number INT64, kind STRING, key STRING,
  text_keys STRING[], number_keys INT64[], labels INT64[], before INT64[]
)
