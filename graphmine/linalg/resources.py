"""What a machine offers: the memory that is left, checked before it is filled, and threads that share sparse rows."""

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

__all__ = [
    "available_memory",
    "check_memory",
    "one_thread",
    "parallel_product",
    "row_parts",
    "row_slice",
    "run_parallel",
]

T = TypeVar("T")
S = TypeVar("S")

_CONTAINER = Path("/sys/fs/cgroup")
_UNKNOWN = 4 * 2**30
"""The available memory that is assumed where the system does not say."""

_PART = 1 << 17
"""The approximate number of entries per part, so that intermediate results stay in the processor's cache."""


def available_memory() -> int:
    """Return the number of bytes that a process can use now without pushing out others.

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
    """Return how many bytes a container may still use; its file cache counts as free.

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
    """Raise a `SizeError` if something needs more memory than is available.

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


def row_parts(block: csr_array) -> list[slice]:
    """Split rows into parts of about `_PART` entries each; the parts are the same on every machine.

    >>> row_parts(csr_array([[1.0, 2.0], [0.0, 3.0]]))
    [slice(0, 2, None)]
    """
    wanted = np.arange(1, -(-block.nnz // _PART)) * _PART
    inner = np.unique(np.searchsorted(block.indptr, wanted))
    ends = [0, *(int(end) for end in inner if 0 < end < block.shape[0]), block.shape[0]]
    return [slice(start, stop) for start, stop in pairwise(ends)]


def row_slice(block: csr_array, rows: slice) -> csr_array:
    """Return a range of rows, without copying their entries.

    >>> row_slice(csr_array([[1.0, 2.0], [0.0, 3.0]]), slice(1, 2)).toarray().tolist()
    [[0.0, 3.0]]
    """
    ends = block.indptr[rows.start : rows.stop + 1]
    entries = slice(int(ends[0]), int(ends[-1]))
    shape = rows.stop - rows.start, block.shape[1]
    return csr_array((block.data[entries], block.indices[entries], ends - ends[0]), shape=shape)


def run_parallel(work: Callable[[S], T], pieces: Iterable[S]) -> list[T]:
    """Run independent pieces of work on all processors, and return their results in order.

    Pieces from an iterator start as soon as it yields them.

    >>> run_parallel(abs, [-1, 2])
    [1, 2]
    """
    if isinstance(pieces, Sequence) and len(pieces) < 2:
        return [work(piece) for piece in pieces]
    with ThreadPoolExecutor(_processors()) as pool:
        return [future.result() for future in [pool.submit(work, piece) for piece in pieces]]


def parallel_product(block: csr_array, dense: AnyArray) -> AnyArray:
    """Return the product of a sparse block and a dense matrix, computed in parallel by rows.

    >>> parallel_product(csr_array([[1.0, 2.0], [0.0, 3.0]]), np.ones((2, 1))).tolist()
    [[3.0], [3.0]]
    """
    found = run_parallel(lambda rows: row_slice(block, rows) @ dense, row_parts(block))
    return found[0] if len(found) == 1 else np.concatenate(found)


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit dense algebra to one thread: with many small matrices, threads mostly wait for each other."""
    with _algebra().limit(limits=1):
        yield


@cache
def _algebra() -> ThreadpoolController:
    """Return the thread pools of dense algebra, which exist from the first import on."""
    return ThreadpoolController().select(user_api="blas")


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
