// How far each link of a run is trusted; many links a node, as parallel lists.
CREATE NODE TABLE IF NOT EXISTS GraphmineTrust(
  id STRING PRIMARY KEY, run STRING, number INT64, rule STRING, kind STRING, other_kind STRING, must BOOL, hard BOOL,
  key STRING[], size INT64[], other_key STRING[], other_size INT64[], weight DOUBLE[], trust DOUBLE[],
  pairs INT64[], broken INT64[], unplaced INT64[]
)
