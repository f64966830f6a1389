"""Networks to load: real and generated data sets, and readers of CSV, Parquet, GraphML, GEXF and networkx."""
