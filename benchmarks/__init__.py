"""How fast networks come out of the databases and labels go back in: ``python -m benchmarks.pull_push``."""
