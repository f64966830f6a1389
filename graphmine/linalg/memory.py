"""What fits in memory, asked before it is filled."""

import os
from pathlib import Path

from graphmine.errors import SizeError

__all__ = ["available_memory", "check_memory"]

_UNKNOWN = 4 * 2**30
"""What is taken for available where the system does not say."""


def available_memory() -> int:
    """Return how many bytes a process can have now without driving others out.

    >>> available_memory() > 0
    True
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN


def check_memory(what: str, needed: float, way_out: str) -> None:
    """Refuse what needs more memory than there is.

    >>> check_memory("a picture of the universe", 1e30, "use a smaller one")
    Traceback (most recent call last):
    graphmine.errors.SizeError: a picture of the universe would take about 1e+21 GB of memory, and ... are available;
    use a smaller one
    """
    available = available_memory()
    if needed > available:
        raise SizeError(
            f"{what} would take about {needed / 1e9:.3g} GB of memory, and {available / 1e9:.3g} GB are available; "
            f"{way_out}"
        )
