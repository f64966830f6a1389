"""What fits in memory, asked before it is filled."""

import math
import os
from pathlib import Path

from graphmine.errors import SizeError

__all__ = ["available_memory", "check_memory"]

_CONTAINER = Path("/sys/fs/cgroup")
_UNKNOWN = 4 * 2**30
"""What is taken for available where the system does not say."""


def available_memory() -> int:
    """Return how many bytes a process can have now without driving others out.

    >>> available_memory() > 0
    True
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
        return int(min(free, _left_in(_CONTAINER)))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN


def _left_in(container: Path) -> float:
    """Return how much a container may still take; what it only keeps of files, it can give up.

    >>> _left_in(Path("nowhere"))
    inf
    """
    try:
        most, taken = (
            (container / name).read_text(encoding="ascii").strip() for name in ("memory.max", "memory.current")
        )
        kept = next(
            int(line.split()[1])
            for line in (container / "memory.stat").read_text(encoding="ascii").splitlines()
            if line.startswith("inactive_file ")
        )
        return max(int(most) - int(taken) + kept, 0)
    except (OSError, ValueError, StopIteration):  # there is no container, or no limit, which is written max
        return math.inf


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
