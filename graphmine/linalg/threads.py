"""Rows of a block in parts, by as many threads as there are processors: the same numbers as by one thread."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

__all__ = ["in_turns", "one_thread", "product", "row_parts", "rows_of"]

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


def product(block: csr_array, dense: NDArray[Any]) -> NDArray[Any]:
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
