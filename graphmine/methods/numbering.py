"""One way to number clusters, so that the same partition always has the same numbers."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from graphmine.model import UNPLACED

__all__ = ["aligned", "likeness", "partnered", "renumbered"]

Labels = NDArray[np.int64]


def renumbered(labels: Mapping[str, Labels], *, shared_first: bool = False) -> dict[str, Labels]:
    """Return the same clusters numbered from 0 by decreasing size, without gaps.

    The size of a cluster is its number of nodes over all kinds; of two equal ones the first comes first that appears
    first, kind by kind in the order given. With ``shared_first`` the clusters that every kind has come before those
    that only some have. Nodes without a cluster stay without.

    Examples
    --------
    >>> found = renumbered({"Author": np.array([7, 3, 3]), "Venue": np.array([-1, 3])})
    >>> found["Author"].tolist(), found["Venue"].tolist()
    ([1, 0, 0], [-1, 0])
    >>> renumbered({"Author": np.array([5, 5, 5, 4]), "Venue": np.array([4])}, shared_first=True)["Author"].tolist()
    [1, 1, 1, 0]
    """
    together = np.concatenate([np.empty(0, dtype=np.int64), *labels.values()])
    placed = together != UNPLACED
    names, first, cluster, sizes = np.unique(
        together[placed], return_index=True, return_inverse=True, return_counts=True
    )
    partial = np.zeros(len(sizes), dtype=np.bool_)
    if shared_first:
        for given in labels.values():
            partial |= ~np.isin(names, given)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.lexsort((first, -sizes, partial))] = np.arange(len(sizes))
    together[placed] = number[cluster]
    ends = np.cumsum([len(given) for given in labels.values()], dtype=np.int64)
    return dict(zip(labels, np.split(together, ends[:-1]), strict=True)) if labels else {}


def aligned(labels: Mapping[str, Labels], like: Mapping[str, Labels]) -> dict[str, Labels]:
    """Return the same clusters with the numbers of those of another clustering that they share most nodes with.

    They are matched one to one, over all kinds together; what is left over gets numbers that the other one has not.

    Examples
    --------
    >>> aligned({"Author": np.array([0, 0, 1, 2, -1])}, {"Author": np.array([1, 1, 0, 1, 0])})["Author"].tolist()
    [1, 1, 0, 4, -1]
    """
    ours, theirs = (np.concatenate([each[kind] for kind in labels]) for each in (labels, like))
    both = (ours != UNPLACED) & (theirs != UNPLACED)
    width = 1 + int(theirs.max(initial=0))
    height = 1 + int(ours.max(initial=0))
    shared = np.bincount(ours[both] * width + theirs[both], minlength=height * width).reshape(height, width)
    number = np.arange(width, width + height)
    row, col = linear_sum_assignment(shared, maximize=True)
    number[row] = col
    return {kind: np.where(each == UNPLACED, UNPLACED, number[each]) for kind, each in labels.items()}


def partnered(block: csr_array, row_labels: Labels, col_labels: Labels) -> tuple[Labels, Labels]:
    """Return row and column clusters, numbered apart before, so that partners have the same number.

    They are matched one to one so that Σ N_ab / √(N_a N_b) over the pairs is greatest, N_ab being the weight between
    row cluster a and column cluster b. What is left over, on the side that has more, gets the numbers behind.

    Examples
    --------
    >>> block = csr_array([[5.0, 0.0, 1.0], [0.0, 4.0, 1.0]])
    >>> rows, cols = partnered(block, np.array([0, 1]), np.array([7, 2, 5]))
    >>> rows.tolist(), cols.tolist()
    ([0, 1], [0, 1, 2])
    """
    (row_names, rows), (col_names, cols) = (np.unique(each, return_inverse=True) for each in (row_labels, col_labels))
    shape = len(row_names), len(col_names)
    row_partner, col_partner = linear_sum_assignment(likeness(block, rows, cols, shape), maximize=True)
    return _numbers(row_partner, shape[0])[rows], _numbers(col_partner, shape[1])[cols]


def likeness(block: csr_array, rows: Labels, cols: Labels, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return N_ab / √(N_a N_b) of row clusters a and column clusters b, N_ab being the weight between them.

    Nodes without a cluster do not count.

    >>> likeness(csr_array([[4.0, 0.0], [1.0, 9.0]]), np.array([0, 1]), np.array([0, -1]), (2, 1)).round(3).tolist()
    [[0.894], [0.447]]
    """
    row, col = np.repeat(rows, np.diff(block.indptr)), cols[block.indices]
    both = (row != UNPLACED) & (col != UNPLACED)
    cells, data = row[both] * shape[1] + col[both], block.data[both] / block.data.max(initial=1.0)
    weight = np.bincount(cells, data, shape[0] * shape[1]).reshape(shape)
    size = np.sqrt(np.outer(weight.sum(axis=1), weight.sum(axis=0)))
    return np.divide(weight, size, out=np.zeros(shape), where=size > 0)


def _numbers(matched: NDArray[np.int64], count: int) -> Labels:
    """Return a number for each cluster: matched ones in their order, then the others."""
    numbers = np.full(count, UNPLACED, dtype=np.int64)
    numbers[matched] = np.arange(len(matched))
    numbers[numbers == UNPLACED] = np.arange(len(matched), count)
    return numbers
