"""Blocks drawn by chance that are like a given one in everything but who meets whom."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Ints

__all__ = ["shuffled"]

_ROUNDS = 20
"""So often entries that fell on others are exchanged; on blocks with hubs a few can not be helped, and are summed."""


def shuffled(block: csr_array, rng: np.random.Generator) -> csr_array:
    """Return a block with the same entries at random places, as many of them in each row and in each column.

    The columns of all entries are permuted; where two of a row come together, one changes its column with a random
    other. It costs O(nnz log nnz).

    >>> block = csr_array([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 1.0]])
    >>> chance = shuffled(block, np.random.default_rng(0))
    >>> np.diff(chance.indptr).tolist(), np.bincount(chance.indices).tolist(), sorted(chance.data.tolist())
    ([2, 1, 1], [1, 1, 2], [1.0, 1.0, 2.0, 3.0])
    """
    rows = np.repeat(np.arange(block.shape[0], dtype=np.int64), np.diff(block.indptr))
    cols = rng.permutation(block.indices).astype(np.int64)
    for _ in range(_ROUNDS):
        fallen = _fallen(rows * block.shape[1] + cols)
        free = np.delete(np.arange(len(cols)), fallen)
        fallen = fallen[: len(free)]
        if not len(fallen):
            break
        other = rng.choice(free, len(fallen), replace=False)
        cols[fallen], cols[other] = cols[other], cols[fallen]
    return csr_array((block.data, (rows, cols)), shape=block.shape)


def _fallen(places: Ints) -> Ints:
    """Return the entries whose place an earlier entry has."""
    order = np.argsort(places, kind="stable")
    fallen: Ints = order[1:][places[order][1:] == places[order][:-1]]
    return fallen
