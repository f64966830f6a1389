"""One-to-one matchings of the parts of two partitions, such as the clusters of two clusterings.

Every matching of clusters in graphmine is made here, so that ties are always broken in the same way.
"""

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from graphmine.arrays import Floats, Ints, Labels
from graphmine.linalg.assignment import assignment

__all__ = ["match", "match_sparse", "partners", "shared_counts", "successors"]


def shared_counts(one: Labels, other: Labels, shape: tuple[int, int]) -> Ints:
    """Return how many elements each part of one partition (row) shares with each part of another (column).

    Elements with a negative label in either partition are not counted.

    >>> shared_counts(np.array([0, 0, 1, -1]), np.array([1, 1, 0, 0]), (2, 2)).tolist()
    [[0, 2], [1, 0]]
    """
    both = (one >= 0) & (other >= 0)
    cells = one[both] * shape[1] + other[both]  # row * number of columns + column
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


def match(similarity: Floats | Ints) -> tuple[Ints, Ints]:
    """Return the rows and the columns of the one-to-one matching with the largest sum, in the order of the rows.

    As many pairs are matched as the shorter side has members.

    >>> [side.tolist() for side in match(np.array([[1, 8, 0], [6, 2, 0]]))]
    [[0, 1], [1, 0]]
    """
    return assignment(-similarity.astype(np.float64))


def partners(similarity: Floats | Ints) -> Ints:
    """Return the column that `match` gives each row, -1 for rows without one.

    >>> partners(np.array([[1], [6]])).tolist()
    [-1, 0]
    """
    partner = np.full(len(similarity), -1, dtype=np.int64)
    rows, cols = match(similarity)
    partner[rows] = cols
    return partner


def match_sparse(counts: csr_array) -> tuple[Ints, Ints]:
    """Return the rows and the columns of a one-to-one matching of sparse counts with the largest sum.

    Only pairs with a count are matched, and memory stays proportional to these, however many parts there are.

    Notes
    -----
    Each row gets a column of its own, where it may stay unmatched at the cost of an empty match. Costs are positive,
    because a sparse matrix drops zeros. A full matching has one pair per row, so the constant does not matter.

    Examples
    --------
    >>> [side.tolist() for side in match_sparse(csr_array([[2.0, 1.0], [3.0, 0.0]]))]
    [[0, 1], [1, 0]]
    """
    empty = counts.data.max() + 1.0
    costs = csr_array((empty - counts.data, counts.indices, counts.indptr), shape=counts.shape)
    unmatched = csr_array(eye_array(counts.shape[0]) * empty)
    rows, cols = min_weight_full_bipartite_matching(csr_array(hstack([costs, unmatched])))
    matched = cols < counts.shape[1]
    return rows[matched].astype(np.int64), cols[matched].astype(np.int64)


def successors(shared: Ints) -> Ints:
    """Return the column that each row continues, each column at most once; -1 for rows that continue none.

    Parameters
    ----------
    shared
        How many elements each part of a partition (row) shares with each part of an earlier one (column).

    Notes
    -----
    The pairs are those that share the most elements in total. A pair counts only if the row shares no more with
    another column, or the column with another row: a part that has dissolved into others does not hand its name to a
    stranger. Rows and columns that share nothing with anything stay alone.

    Examples
    --------
    >>> successors(np.array([[1, 8, 0], [6, 2, 0], [0, 1, 0]])).tolist()
    [1, 0, -1]
    """
    most = (shared == shared.max(axis=1, keepdims=True, initial=0)) | (shared == shared.max(axis=0, initial=0))
    counted = np.where(most, shared, 0)
    found = np.full(len(shared), -1, dtype=np.int64)
    rows, cols = match(counted)
    positive = counted[rows, cols] > 0
    found[rows[positive]] = cols[positive]
    return found
