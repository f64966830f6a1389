"""Matrices of documents and words as they are published with coclust: a cell a line, and the class of each document."""

import io

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from graphmine.datasets import found
from graphmine.errors import DataError

__all__ = ["matrix", "names"]


def matrix(name: str) -> tuple[csr_array, NDArray[np.int64]]:
    """Return the counts of a set, documents by words, and the class of each document."""
    listed, classes = _texts(name, "coo", "doc")
    shape, _, cells = listed.partition("\n")
    try:
        n_rows, n_cols = map(int, shape.split())
        labels = np.array(classes.split(), dtype=np.int64)
        row, col, count = np.loadtxt(io.StringIO(cells), delimiter=",", ndmin=2).T
        block = csr_array(coo_array((count, (row.astype(np.int64), col.astype(np.int64))), shape=(n_rows, n_cols)))
    except ValueError as error:
        raise DataError(f"the archive {name} is not the set meant: {error}") from error
    if len(labels) != n_rows:
        raise DataError(f"the archive {name} has classes of {len(labels)} documents, not of {n_rows}")
    return block, labels


def names(name: str, count: int) -> list[str]:
    """Return the words of a set, which must be so many."""
    (terms,) = _texts(name, "term")
    words = terms.split()
    if len(words) != count:
        raise DataError(f"the archive {name} names {len(words)} words, not {count}")
    return words


def _texts(name: str, *parts: str) -> list[str]:
    files = (f"{name}_coclustFormat_{part}.csv" for part in parts)
    return [content.decode("utf-8", errors="replace") for content in found.contents(name, *files)]
