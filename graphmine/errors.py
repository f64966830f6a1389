"""Everything graphmine raises on purpose.

::

    GraphmineError            exit code 1
    ├── ParameterError        a value the caller gave is wrong: exit code 2
    ├── ConstraintError       constraints contradict each other, or a method can not honour them: exit code 3
    ├── DataError             what the file or the graph holds can not be used: exit code 1
    ├── StoreError            the database refused, failed or went away: exit code 1
    │   └── LockedError       another process holds the embedded database
    ├── RunError              a run is missing, unfinished, or would overwrite what is not ours: exit code 1
    └── SizeError             what was asked for would not fit in memory: exit code 4

A message is one sentence (two at most): what was wrong, where, and what to do. It never holds a password.
"""

__all__ = [
    "ConstraintError",
    "DataError",
    "GraphmineError",
    "LockedError",
    "ParameterError",
    "RunError",
    "SizeError",
    "StoreError",
]


class GraphmineError(Exception):
    """Base of every error a user can cause or can mend."""

    exit_code = 1


class ParameterError(GraphmineError, ValueError):
    """A flag, job field or argument has a value it can not have."""

    exit_code = 2


class ConstraintError(GraphmineError, ValueError):
    """Constraints contradict each other, or a method can not honour them."""

    exit_code = 3


class DataError(GraphmineError, ValueError):
    """A file or the graph holds something that can not be mined."""


class StoreError(GraphmineError, RuntimeError):
    """The database could not be reached, refused a query, or went away."""


class LockedError(StoreError):
    """Another process holds the embedded database file."""


class RunError(GraphmineError, RuntimeError):
    """A run is unknown, unfinished, or would overwrite what graphmine did not write."""


class SizeError(GraphmineError, MemoryError):
    """What was asked for would not fit in memory; nothing has been tried."""

    exit_code = 4
