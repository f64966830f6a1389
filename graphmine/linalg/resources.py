"""What fits in memory, asked before it is filled."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from graphmine.arrays import AnyArray
from graphmine.errors import SizeError

__all__ = ["available_memory", "check_memory", "in_turns", "one_thread", "product", "row_parts", "rows_of"]

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


T = TypeVar("T")
S = TypeVar("S")

_PART = 1 << 17
"""About so many entries are in a part: what is made of them on the way stays in the cache of a processor."""


def row_parts(block: csr_array) -> list[slice]:
    """Return rows in parts of about so many entries, the same whatever the machine.

    >>> row_parts(csr_array([[1.0, 2.0], [0.0, 3.0]]))
    [slice(0, 2, None)]
    """
    wanted = np.arange(1, -(-block.nnz // _PART)) * _PART
    inner = np.unique(np.searchsorted(block.indptr, wanted))
    ends = [0, *(int(end) for end in inner if 0 < end < block.shape[0]), block.shape[0]]
    return [slice(start, stop) for start, stop in pairwise(ends)]


def rows_of(block: csr_array, rows: slice) -> csr_array:
    """Return some rows in succession, without copying their entries.

    >>> rows_of(csr_array([[1.0, 2.0], [0.0, 3.0]]), slice(1, 2)).toarray().tolist()
    [[0.0, 3.0]]
    """
    ends = block.indptr[rows.start : rows.stop + 1]
    entries = slice(int(ends[0]), int(ends[-1]))
    shape = rows.stop - rows.start, block.shape[1]
    return csr_array((block.data[entries], block.indices[entries], ends - ends[0]), shape=shape)


def in_turns(work: Callable[[S], T], pieces: Iterable[S]) -> list[T]:
    """Do pieces of work that share nothing, as many at once as there are processors; what they give, in order.

    Pieces of an iterator are begun as it gives them.

    >>> in_turns(abs, [-1, 2])
    [1, 2]
    """
    if isinstance(pieces, Sequence) and len(pieces) < 2:
        return [work(piece) for piece in pieces]
    with ThreadPoolExecutor(_processors()) as pool:
        return [future.result() for future in [pool.submit(work, piece) for piece in pieces]]


def product(block: csr_array, dense: AnyArray) -> AnyArray:
    """Return the product of a block and a dense matrix.

    >>> product(csr_array([[1.0, 2.0], [0.0, 3.0]]), np.ones((2, 1))).tolist()
    [[3.0], [3.0]]
    """
    found = in_turns(lambda rows: rows_of(block, rows) @ dense, row_parts(block))
    return found[0] if len(found) == 1 else np.concatenate(found)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep dense algebra to one thread: where matrices are small and many, threads wait for each other."""
    with _algebra().limit(limits=1):
        yield


@cache
def _algebra() -> ThreadpoolController:
    """Return the pools of threads of dense algebra, which are there from the first import on, as others may not be."""
    return ThreadpoolController().select(user_api="blas")


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
