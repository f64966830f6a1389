"""A result for other tools: as files, data frames and networkx graphs."""
