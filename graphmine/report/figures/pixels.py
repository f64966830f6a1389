"""A sparse block of any size as a small grid of pixels."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints

__all__ = ["MOST", "densities", "middles"]

MOST = 400
"""How many pixels a side has at most."""

_CHUNK = 1_000_000


def densities(block: csr_array, rows: Ints, cols: Ints, most: int = MOST) -> Floats:
    """Return the mean weight of the cells under each pixel, for a block whose rows and columns are put in an order.

    ``rows[i]`` is which row stands in place i. The block is read in chunks, so that memory stays small.

    >>> densities(csr_array([[1.0, 0.0], [0.0, 3.0]]), np.array([1, 0]), np.array([0, 1])).tolist()
    [[0.0, 3.0], [1.0, 0.0]]
    >>> densities(csr_array(np.eye(4)), np.arange(4), np.arange(4), most=2).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    row_pixel, height = _pixels(rows, most)
    col_pixel, width = _pixels(cols, most)
    sums = np.zeros(height * width)
    for start in range(0, block.nnz, _CHUNK):
        entries = np.arange(start, min(start + _CHUNK, block.nnz))
        at_row = np.searchsorted(block.indptr, entries, side="right") - 1
        pixel = row_pixel[at_row] * width + col_pixel[block.indices[entries]]
        sums += np.bincount(pixel, block.data[entries], len(sums))
    cells = np.outer(np.bincount(row_pixel, minlength=height), np.bincount(col_pixel, minlength=width))
    return np.divide(sums.reshape(height, width), cells, where=cells > 0, out=np.zeros((height, width)))


def middles(order: Ints, most: int = MOST) -> Ints:
    """Return which row (or column) stands in the middle of each pixel.

    >>> middles(np.array([4, 2, 0, 1, 3, 5]), most=2).tolist()
    [2, 3]
    """
    size = min(len(order), most)
    places = ((np.arange(size) + 0.5) * len(order) / max(size, 1)).astype(np.int64)
    return order[places]


def _pixels(order: Ints, most: int) -> tuple[Ints, int]:
    """Return the pixel each row falls into, and how many pixels there are."""
    size = min(len(order), most)
    pixel = np.empty(len(order), dtype=np.int64)
    pixel[order] = np.arange(len(order)) * size // max(len(order), 1)
    return pixel, size
