"""The null model of a block: random blocks with the same entries, and as many of them in each row and column."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Ints

__all__ = ["shuffle"]

_ROUNDS = 20
"""The number of rounds of resolving collisions; on blocks with hubs a few collisions remain, and are summed."""


def shuffle(block: csr_array, rng: np.random.Generator) -> csr_array:
    """Return a block with the same entries in random places, and as many of them in each row and each column.

    The columns of all entries are permuted. Where two entries of a row collide, one of them exchanges its column with a
    random other entry. It costs O(nnz log nnz).

    >>> block = csr_array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 1.0]])
    >>> chance = shuffle(block, np.random.default_rng(0))
    >>> np.diff(chance.indptr).tolist(), np.bincount(chance.indices).tolist(), sorted(chance.data.tolist())
    ([2, 1, 1], [1, 1, 2], [1.0, 1.0, 2.0, 3.0])
    """
    rows = np.repeat(np.arange(block.shape[0], dtype=np.int64), np.diff(block.indptr))
    cols = rng.permutation(block.indices).astype(np.int64)
    for _ in range(_ROUNDS):
        duplicates = _duplicates(rows * block.shape[1] + cols)  # row * number of columns + column
        free = np.delete(np.arange(len(cols)), duplicates)
        duplicates = duplicates[: len(free)]
        if not len(duplicates):
            break
        other = rng.choice(free, len(duplicates), replace=False)
        cols[duplicates], cols[other] = cols[other], cols[duplicates]
    return csr_array((block.data, (rows, cols)), shape=block.shape)


def _duplicates(places: Ints) -> Ints:
    """Return the entries whose place an earlier entry already has."""
    order = np.argsort(places, kind="stable")
    duplicates: Ints = order[1:][places[order][1:] == places[order][:-1]]
    return duplicates
