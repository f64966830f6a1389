"""The graph a block stands for: an edge between a row and a column wherever the block is not zero."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

__all__ = ["components", "degrees", "part_of", "scaled"]


def degrees(block: csr_array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the row sums and the column sums.

    >>> [sums.tolist() for sums in degrees(csr_array([[1.0, 2.0], [0.0, 4.0]]))]
    [[3.0, 4.0], [1.0, 6.0]]
    """
    return np.asarray(block.sum(axis=1), dtype=np.float64), np.asarray(block.sum(axis=0), dtype=np.float64)


def scaled(block: csr_array, row_scale: NDArray[np.float64], col_scale: NDArray[np.float64]) -> csr_array:
    """Return the block with its rows and its columns multiplied by one number each.

    The places of the entries are shared with the block, and not copied.

    >>> scaled(csr_array([[1.0, 2.0]]), np.array([3.0]), np.array([1.0, 0.5])).toarray().tolist()
    [[3.0, 3.0]]
    """
    data = col_scale[block.indices]
    data *= block.data
    data *= np.repeat(row_scale, np.diff(block.indptr))
    return csr_array((data, block.indices, block.indptr), shape=block.shape)


def part_of(block: csr_array, rows: NDArray[np.int64], cols: NDArray[np.int64]) -> csr_array:
    """Return the block of some rows and columns, in ascending order; the block itself if these are all.

    >>> part_of(csr_array([[1.0, 2.0], [0.0, 4.0]]), np.array([1]), np.array([0, 1])).toarray().tolist()
    [[0.0, 4.0]]
    """
    n_rows, n_cols = block.shape
    if len(rows) < n_rows:
        block = csr_array(block[rows])
    return block if len(cols) == n_cols else csr_array(block[:, cols])


def components(block: csr_array) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return how many connected parts there are, and the part of each row and of each column, in O(nnz).

    >>> n_parts, row_parts, col_parts = components(csr_array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]))
    >>> n_parts, row_parts.tolist(), col_parts.tolist()
    (2, [0, 1], [0, 1, 1])
    """
    n_rows, n_cols = block.shape
    # Only the edges from rows to columns are needed: the search does not mind their direction.
    indptr = np.append(block.indptr, np.full(n_cols, block.nnz, dtype=block.indptr.dtype))
    graph = csr_array((block.data, block.indices + n_rows, indptr), shape=(n_rows + n_cols, n_rows + n_cols))
    n_parts, parts = connected_components(graph, directed=False)
    row_parts, col_parts = np.split(parts.astype(np.int64), [n_rows])
    return n_parts, row_parts, col_parts
