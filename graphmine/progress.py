"""Progress: how long work reports how far it is.

The library never prints: it calls a function, and the command line draws a bar from the calls.
"""

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called with what is being done, how much of it is done, and how much there is (None: not known)."""

    def __call__(self, what: str, done: int, total: int | None = None) -> None:
        """Take notice."""


def silent(what: str, done: int, total: int | None = None) -> None:
    """Take no notice: the default everywhere."""
