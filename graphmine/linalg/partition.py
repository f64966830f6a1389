"""How much of a block's weight a partition of its rows and columns keeps together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.linalg.bipartite import degrees

__all__ = ["Weights", "cluster_weights", "normalised_cut"]

Labels = NDArray[np.int64]


class Weights(NamedTuple):
    """For each cluster the weight between its own rows and columns, and the sums of its rows and of its columns."""

    within: NDArray[np.float64]
    rows: NDArray[np.float64]
    cols: NDArray[np.float64]


def cluster_weights(block: csr_array, row_labels: Labels, col_labels: Labels) -> Weights:
    """Return what each cluster weighs, in O(nnz); a row or column with a negative label is in no cluster.

    >>> block = csr_array([[2.0, 1.0], [0.0, 3.0]])
    >>> cluster_weights(block, np.array([0, 1]), np.array([0, 1])).within.tolist()
    [2.0, 3.0]
    """
    n_clusters = 1 + max(int(row_labels.max(initial=-1)), int(col_labels.max(initial=-1)))
    row_of_entry = np.repeat(row_labels, np.diff(block.indptr))
    inside = row_of_entry == col_labels[block.indices]
    row_sums, col_sums = degrees(block)
    return Weights(
        _sums(np.where(inside, row_of_entry, -1), block.data, n_clusters),
        _sums(row_labels, row_sums, n_clusters),
        _sums(col_labels, col_sums, n_clusters),
    )


def _sums(labels: Labels, weights: NDArray[np.float64], n_clusters: int) -> NDArray[np.float64]:
    # Everything in no cluster (-1 or less) is gathered in one more place at the front, and left out.
    counted: NDArray[np.float64] = np.bincount(np.maximum(labels, -1) + 1, weights, n_clusters + 1).astype(np.float64)
    return counted[1:]


def normalised_cut(block: csr_array, row_labels: Labels, col_labels: Labels) -> float:
    """Return the k-way normalised cut of the bipartite graph: the sum over clusters of cut(a) / volume(a).

    The volume of a cluster is the sum of the degrees of its rows and columns, its cut the weight of the edges that
    leave it. Edges to a row or column in no cluster (a negative label) leave; a cluster without edges adds nothing.

    >>> block = csr_array([[2.0, 1.0], [0.0, 3.0]])
    >>> normalised_cut(block, np.array([0, 1]), np.array([0, 1])) == 1 / 5 + 1 / 7
    True
    """
    weights = cluster_weights(block, row_labels, col_labels)
    volume = weights.rows + weights.cols
    cut = np.maximum(volume - 2 * weights.within, 0.0)
    return float(np.sum(cut[volume > 0] / volume[volume > 0]))
