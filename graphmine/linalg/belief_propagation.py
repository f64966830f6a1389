"""Belief propagation on a block: the messages of its entries to rows and columns about their clusters."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from graphmine.arrays import Floats, Floats32, Labels

__all__ = ["Beliefs", "Entries", "cavity_beliefs", "entry_messages", "initial_beliefs", "update_pairs"]


_PRIOR = 0.5
"""The total weight of the uniform prior over pairs of clusters."""

_LEAST, _MOST = 1e-12, 80.0
"""The smallest share whose logarithm is taken, and the largest exponent, so that nothing overflows."""

_NEVER = 1e30
"""Logarithms of probabilities go down to the negative of this; single precision ends at some 1e38."""


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a block as a list, row by row.

    Parameters
    ----------
    ends
        The row and the column of each entry.
    weights
        B_ij, as a column.
    sums
        For rows and for columns, the matrix that sums values of entries by row or by column.
    """

    ends: tuple[NDArray[np.int32], NDArray[np.int32]]
    weights: Floats32
    sums: tuple[csc_array, csc_array]

    @classmethod
    def of(cls, block: csr_array) -> "Entries":
        """List the entries of a block."""
        rows = np.repeat(np.arange(block.shape[0], dtype=np.int32), np.diff(block.indptr))
        ends, each = (rows, block.indices), np.arange(block.nnz + 1)
        ones = np.ones(block.nnz, dtype=np.float32)
        sums = [csc_array((ones, end, each), shape=(n, block.nnz)) for end, n in zip(ends, block.shape, strict=True)]
        return cls(ends, block.data.astype(np.float32)[:, None], (sums[0], sums[1]))


class Beliefs(NamedTuple):
    """Cluster probabilities of rows and columns, and the weight between row clusters and column clusters.

    Parameters
    ----------
    sides
        For rows and for columns, the cluster probabilities of the end of each entry, computed without that entry (the
        cavity beliefs).
    pairs
        N_ab, the weight between row cluster a and column cluster b.
    """

    sides: tuple[Floats32, Floats32]
    pairs: Floats


def initial_beliefs(entries: Entries, labels: Labels, col_labels: Labels, n_clusters: int) -> Beliefs:
    """Return beliefs that put probability 1 on given clusters.

    >>> entries = Entries.of(csr_array([[2.0, 0.0], [1.0, 1.0]]))
    >>> initial_beliefs(entries, np.array([0, 1]), np.array([0, 1]), 2).pairs.tolist()
    [[2.125, 0.125], [1.125, 1.125]]
    """
    sure = np.eye(n_clusters, dtype=np.float32)
    near, far = (sure[own[end]] for own, end in zip((labels, col_labels), entries.ends, strict=True))
    return Beliefs((near, far), _smoothed((near * entries.weights).T @ far))


def entry_messages(entries: Entries, beliefs: Beliefs, side: int, strength: float) -> Floats32:
    """Return the message of each entry to its row, or with ``side`` 1 to its column, about every cluster, in nats.

    Notes
    -----
    The message of the entry of column j to row i is, up to a constant that is the same for all clusters,

        B_ij log[(Σ_h≠i B_hj q_hj(a) + s Σ_b Q_ij(b) Π_ba) / π_a],

    where q_hj and Q_ij are the cavity beliefs of row h and column j, without the entry between them, Π_ba is the share
    of row cluster a in column cluster b, and π_a its share in everything. It is the score of
    `graphmine.linalg.leave_one_out`, of nodes that are in every cluster as far as they fit. As s grows it is
    belief propagation in the degree-corrected block model: a row never receives its own message back.
    The cost is O(nnz k²), of products of matrices, and O(nnz k) logarithms.

    Examples
    --------
    >>> entries = Entries.of(csr_array([[2.0, 0.0], [1.0, 1.0]]))
    >>> told = entry_messages(entries, initial_beliefs(entries, np.array([0, 1]), np.array([0, 1]), 2), 0, 10.0)
    >>> [f"{first - second:.2f}" for first, second in told]  # the first column is for cluster 0, the second for 1
    ['0.76', '0.90', '-2.20']
    """
    own, other = beliefs.sides[side], beliefs.sides[1 - side]
    pairs = beliefs.pairs if side == 0 else beliefs.pairs.T
    sizes = pairs.sum(axis=1) / pairs.sum()
    levels: Floats32 = other @ (strength * pairs / pairs.sum(axis=0) / sizes[:, None]).T.astype(np.float32)
    mass = own * (entries.weights / sizes.astype(np.float32))
    levels += np.take(entries.sums[1 - side] @ mass, entries.ends[1 - side], axis=0)
    levels -= mass
    np.log(np.maximum(_normalise(levels), _LEAST, out=levels), out=levels)
    levels *= entries.weights
    return levels


def cavity_beliefs(entries: Entries, side: int, logarithms: Floats, told: Floats32) -> Floats32:
    """Return the cavity beliefs of the rows or columns of entries: their beliefs without the message of each entry.

    >>> entries = Entries.of(csr_array([[2.0, 1.0]]))
    >>> told = np.log(np.array([[0.5, 0.5], [0.75, 0.25]], dtype=np.float32))
    >>> cavity_beliefs(entries, 0, np.log([[0.75, 0.25]]), told).round(2).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    known = np.maximum(logarithms, -_NEVER).astype(np.float32)
    found: Floats32 = np.take(known, entries.ends[side], axis=0)
    found -= told
    if found.max(initial=0.0) > _MOST:  # messages of entries with a large weight may overflow
        found -= found.max(axis=1, keepdims=True)
    np.exp(found, out=found)
    return _normalise(found)


def update_pairs(entries: Entries, beliefs: Beliefs) -> Beliefs:
    """Return beliefs with the weight between clusters counted again from the cavity beliefs of all entries.

    The probability that an entry lies between a and b is proportional to q(a) Q(b) N_ab / (N_a N_b).

    >>> entries = Entries.of(csr_array([[1.0]]))
    >>> doubtful = np.full((1, 2), 0.5, dtype=np.float32)
    >>> update_pairs(entries, Beliefs((doubtful, doubtful), np.array([[2.0, 1.0], [1.0, 2.0]]))).pairs.round(3).tolist()
    [[0.458, 0.292], [0.292, 0.458]]
    """
    (near, far), pairs = beliefs
    odds = pairs / np.outer(pairs.sum(axis=1), pairs.sum(axis=0))
    joint = np.einsum("ea,ea->e", near @ odds.astype(np.float32), far)[:, None]
    seen = (near * (entries.weights / np.maximum(joint, _LEAST))).T @ far
    return beliefs._replace(pairs=_smoothed(seen * odds))


def _smoothed(pairs: NDArray[np.floating]) -> Floats:
    counted: Floats = pairs.astype(np.float64) + _PRIOR / pairs.size
    return counted


def _normalise(found: Floats32) -> Floats32:
    """Divide by the sums over clusters, in place."""
    found /= (found @ np.ones(found.shape[1], dtype=np.float32))[:, None]
    return found
