"""Linear algebra on sparse blocks: operators, eigenvalue solvers, k-means and matchings of arrays."""
