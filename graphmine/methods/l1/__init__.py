"""L1: spectral clustering and co-clustering with an absolute penalty for each link that is not met."""
