"""The bipartite graph of a sparse block, with an edge between a row and a column wherever the block is not zero.

Degrees, scaling, single entries, connected components, and what a partition of its rows and columns cuts.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import AnyArray, Floats, Ints, Labels

__all__ = [
    "ClusterWeights",
    "cluster_weights",
    "components",
    "degrees",
    "entries_at",
    "normalised_cut",
    "scaled",
    "submatrix",
]


def degrees(block: csr_array) -> tuple[Floats, Floats]:
    """Return the row sums and the column sums.

    >>> [sums.tolist() for sums in degrees(csr_array([[1.0, 2.0], [0.0, 4.0]]))]
    [[3.0, 4.0], [1.0, 6.0]]
    """
    return np.asarray(block.sum(axis=1), dtype=np.float64), np.asarray(block.sum(axis=0), dtype=np.float64)


def scaled(block: csr_array, row_scale: Floats, col_scale: Floats) -> csr_array:
    """Return the block with its rows and its columns multiplied by one number each.

    The result shares the positions of the entries with the block.

    >>> scaled(csr_array([[1.0, 2.0]]), np.array([3.0]), np.array([1.0, 0.5])).toarray().tolist()
    [[3.0, 3.0]]
    """
    data = col_scale[block.indices]
    data *= block.data
    data *= np.repeat(row_scale, np.diff(block.indptr))
    return csr_array((data, block.indices, block.indptr), shape=block.shape)


def entries_at(matrix: csr_array, rows: Ints, cols: Ints) -> AnyArray:
    """Return the values at some positions of a sparse matrix.

    >>> entries_at(csr_array([[1, 2], [0, 3]]), np.array([0, 1]), np.array([1, 0])).tolist()
    [2, 0]
    """
    matrix.sort_indices()  # so that a place is found quickly
    return np.asarray(matrix[rows, cols]) if len(rows) else np.empty(0, dtype=matrix.dtype)


def submatrix(block: csr_array, rows: Ints, cols: Ints) -> csr_array:
    """Return the submatrix of some rows and columns in ascending order; the block itself if these are all.

    >>> submatrix(csr_array([[1.0, 2.0], [0.0, 4.0]]), np.array([1]), np.array([0, 1])).toarray().tolist()
    [[0.0, 4.0]]
    """
    n_rows, n_cols = block.shape
    if len(rows) < n_rows:
        block = csr_array(block[rows])
    return block if len(cols) == n_cols else csr_array(block[:, cols])


def components(block: csr_array) -> tuple[int, Ints, Ints]:
    """Return the number of connected components, and the component of each row and of each column, in O(nnz).

    >>> n_parts, row_parts, col_parts = components(csr_array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]))
    >>> n_parts, row_parts.tolist(), col_parts.tolist()
    (2, [0, 1], [0, 1, 1])
    """
    n_rows, n_cols = block.shape
    # The edges from rows to columns are enough, as the search ignores directions. Column j is vertex n_rows + j.
    indptr = np.append(block.indptr, np.full(n_cols, block.nnz, dtype=block.indptr.dtype))
    graph = csr_array((block.data, block.indices + n_rows, indptr), shape=(n_rows + n_cols, n_rows + n_cols))
    n_parts, parts = connected_components(graph, directed=False)
    row_parts, col_parts = np.split(parts.astype(np.int64), [n_rows])
    return n_parts, row_parts, col_parts


class ClusterWeights(NamedTuple):
    """For each cluster: the weight between its rows and its columns, and the degree sums of its rows and columns."""

    within: Floats
    rows: Floats
    cols: Floats


def cluster_weights(block: csr_array, row_labels: Labels, col_labels: Labels) -> ClusterWeights:
    """Return the weights of all clusters, in O(nnz); a row or column with a negative label is in no cluster.

    >>> block = csr_array([[2.0, 1.0], [0.0, 3.0]])
    >>> cluster_weights(block, np.array([0, 1]), np.array([0, 1])).within.tolist()
    [2.0, 3.0]
    """
    n_clusters = 1 + max(int(row_labels.max(initial=-1)), int(col_labels.max(initial=-1)))
    row_of_entry = np.repeat(row_labels, np.diff(block.indptr))
    inside = row_of_entry == col_labels[block.indices]
    row_sums, col_sums = degrees(block)
    return ClusterWeights(
        _sums(np.where(inside, row_of_entry, -1), block.data, n_clusters),
        _sums(row_labels, row_sums, n_clusters),
        _sums(col_labels, col_sums, n_clusters),
    )


def _sums(labels: Labels, weights: Floats, n_clusters: int) -> Floats:
    # Negative labels are counted in one extra place at the front, which is left out.
    counted: Floats = np.bincount(np.maximum(labels, -1) + 1, weights, n_clusters + 1).astype(np.float64)
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
