"""What LadybugDB's driver says, in our sentences."""

import re

from graphmine.errors import LockedError, StoreError

__all__ = ["translated"]

_MEANINGS: tuple[tuple[str, type[StoreError], str], ...] = (
    (r"Could not set lock on file.*?\(Lock is held by PID (?P<what>\d+)\)", LockedError,
     "{name} is in use by process {what}; wait for it to end, or stop it"),
    (r"Could not set lock on file", LockedError, "{name} is in use by another process; wait for it to end, or stop it"),
    (r"Only one write transaction", LockedError, "{name} is being written by another connection; try again"),
    (r"not a valid Lbug database|Reading past the end of the file", StoreError,
     "{name} is not a LadybugDB database; give another path"),
    (r"in(?:side)? a read-only (?:database|transaction)", StoreError,
     "the query would write, and {name} is open for reading"),
    (r"Table (?P<what>.+?) does not exist", StoreError, "{name} has no kind or relationship type {what}"),
    (r"Cannot find property (?P<what>.+?) for", StoreError, "{name} has no property {what} where it was asked for"),
    (r"buffer pool is full", StoreError,
     "the work needs more memory than {name} may use; if it was given some, as by `memory=`, give it more"),
    (r"No space left|disk is full|post-commit checkpoint failed", StoreError,
     "the disk that holds {name} is full; free some space and run the command again, the database then mends itself"),
)  # fmt: skip


def translated(name: str, error: RuntimeError) -> StoreError:
    """Turn what the driver says into one of our sentences; what has no sentence of its own keeps the driver's words."""
    text = str(error)
    for pattern, kind, sentence in _MEANINGS:
        match = re.search(pattern, text)
        if match:
            return kind(sentence.format(name=name, what=match.groupdict().get("what", "")))
    return StoreError(f"{name}: {' '.join(text.split())}")
