"""The clock of all seconds that a run records: it stands still while modules are imported."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

__all__ = ["importing", "now"]

_importing = 0.0
"""Seconds that imports have taken."""


def now() -> float:
    """Return the seconds of a clock that shows how long work takes, without the imports that it needs.

    >>> started = now()
    >>> now() - started < 1
    True
    """
    return perf_counter() - _importing


@contextmanager
def importing() -> Iterator[None]:
    """Stop the clock for an import that is made where it is needed, as it takes long and little needs it.

    >>> with importing():
    ...     import fractions
    """
    global _importing
    started = perf_counter()
    try:
        yield
    finally:
        _importing += perf_counter() - started
