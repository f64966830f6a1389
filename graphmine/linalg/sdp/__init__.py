"""The semidefinite program of consistent co-partitioning, by general solvers and by a factor of low rank."""
