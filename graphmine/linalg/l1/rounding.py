"""From a vector to a partition: the best threshold of a penalised cut, and then the best places of single vertices."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.linalg.bipartite import degrees
from graphmine.linalg.l1.cut import PenalisedCut

__all__ = ["best_halves", "move_vertices", "partition_value"]


_SAME = 1e-9
"""Entries that differ by less than so much of their range are one value, which no threshold parts."""

_GAIN = 1e-12
"""Moves that gain less are rounding."""

_PASSES = 200


def partition_value(cut: PenalisedCut, labels: Ints, n_clusters: int) -> float:
    """Return ½ Σ_a cut(a) / volume(a) + (2 / √vol) Σ b, the first over clusters, the second over pairs not met.

    Of two clusters of one weight that is the objective of `PenalisedCut` for the vector that has one value on each:
    they are 2 / √vol apart. Infinite if a cluster is empty.

    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> partition_value(cut, np.array([0, 0, 1]), 2)  # ½ (1/5 + 1/1)
    0.6
    """
    own = np.repeat(labels, np.diff(cut.graph.indptr)) == labels[cut.graph.indices]
    inside = np.bincount(labels, _row_sums(cut.graph, cut.graph.data * own), n_clusters).astype(np.float64)
    volume = np.bincount(labels, cut.degrees, n_clusters).astype(np.float64)
    if np.any(np.bincount(labels, minlength=n_clusters) == 0):
        return np.inf
    left, right = labels[cut.ends].T
    unmet = float(cut.bounds[(left == right) != cut.alike].sum())
    return 0.5 * float(n_clusters - np.sum(_ratio(inside, volume))) + _unit(cut) * unmet


def best_halves(cut: PenalisedCut, x: Floats) -> Ints | None:
    """Return the two clusters that a vector tells, 0 below and 1 above a threshold; None if it has one value only.

    Of all thresholds the one is taken whose clusters have the least `partition_value`, in O(nnz + p + n log n) for n
    vertices and p pairs.

    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> best_halves(cut, np.array([-0.5, 0.1, 0.4])).tolist()
    [0, 0, 1]
    """
    order = np.argsort(x, kind="stable")
    distinct = np.flatnonzero(np.diff(x[order]) > _SAME * (x[order[-1]] - x[order[0]]))
    if not len(distinct):
        return None
    below = np.cumsum(cut.degrees[order])
    above = below[-1] - below
    crossing, unmet = _threshold_costs(cut, order)
    values = 0.5 * crossing * (_ratio(1.0, below) + _ratio(1.0, above)) + _unit(cut) * unmet
    labels = np.ones(len(x), dtype=np.int64)
    labels[order[: 1 + distinct[np.argmin(values[distinct])]]] = 0
    return labels


def move_vertices(cut: PenalisedCut, labels: Ints, n_clusters: int) -> Ints:
    """Return a partition after single vertices have moved, as long as that lowers its `partition_value`.

    Those that gain most move first, as many at once as lower it together. A pass is O(nnz + p + nk).

    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> move_vertices(cut, np.array([0, 1, 1]), 2).tolist()
    [0, 0, 1]
    """
    value, pair_weights = partition_value(cut, labels, n_clusters), _pair_weights(cut)
    for _ in range(_PASSES):
        moves = _moves(cut, pair_weights, labels, n_clusters)
        movers = moves.movers
        while len(movers):
            moved = labels.copy()
            moved[movers] = moves.to[movers]
            now = partition_value(cut, moved, n_clusters)
            if now < value - _GAIN:
                break
            movers = movers[: len(movers) // 2]
        else:
            break
        labels, value = moved, now
    return labels


class _Moves(NamedTuple):
    """Where each vertex would best go, and those that gain by it, the one that gains most first."""

    to: Ints
    movers: Ints


def _moves(cut: PenalisedCut, pair_weights: csr_array, labels: Ints, n_clusters: int) -> _Moves:
    """Return what each vertex would gain if it alone moved."""
    n = len(labels)
    clusters = np.zeros((n, n_clusters))
    clusters[np.arange(n), labels] = 1.0
    to, loops, weight = cut.graph @ clusters, cut.graph.diagonal(), cut.degrees
    inside, volume = np.sum(to * clusters, axis=0), weight @ clusters
    own = to[np.arange(n), labels]
    kept = _ratio(inside, volume)
    left = _ratio(inside[labels] - 2 * own + loops, volume[labels] - weight) - kept[labels]
    joined = (inside + 2 * to + loops[:, None]) / (volume + weight[:, None]) - kept
    met = pair_weights @ clusters
    gains = 0.5 * (left[:, None] + joined) + _unit(cut) * (met - met[np.arange(n), labels][:, None])
    gains[np.arange(n), labels] = 0.0
    gains[np.bincount(labels, minlength=n_clusters)[labels] == 1] = 0.0  # a cluster is not left empty
    best = np.argmax(gains, axis=1)
    gain = gains[np.arange(n), best]
    movers = np.flatnonzero(gain > _GAIN)
    return _Moves(best, movers[np.argsort(-gain[movers], kind="stable")])


def _pair_weights(cut: PenalisedCut) -> csr_array:
    """Return what it is worth to each vertex to share a cluster with each other one."""
    worth = np.where(cut.alike, cut.bounds, -cut.bounds)
    one, two = cut.ends.T
    places = np.concatenate([one, two]), np.concatenate([two, one])
    return csr_array((np.tile(worth, 2), places), shape=cut.graph.shape)


def _threshold_costs(cut: PenalisedCut, order: Ints) -> tuple[Floats, Floats]:
    """Return what is cut and what is not met if the first, the first two, ... vertices of an order are cut off."""
    n = len(order)
    place = np.empty(n, dtype=np.int32)
    place[order] = np.arange(n, dtype=np.int32)
    # A vertex that is cut off is cut from those behind it, and no more from those before it.
    ways = np.sign(place[cut.graph.indices] - np.repeat(place, np.diff(cut.graph.indptr)))
    crossing = np.cumsum(_row_sums(cut.graph, cut.graph.data * ways)[order])
    low, high = np.sort(place[cut.ends], axis=1).T
    worth = np.where(cut.alike, cut.bounds, -cut.bounds)
    parted = np.cumsum(np.bincount(low, worth, n) - np.bincount(high, worth, n))
    return crossing, parted + float(cut.bounds[~cut.alike].sum())


def _row_sums(matrix: csr_array, data: Floats) -> Floats:
    """Return the sum of each row of a matrix with other numbers in its places."""
    return degrees(csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape))[0]


def _unit(cut: PenalisedCut) -> float:
    return 2 / float(np.sqrt(cut.degrees.sum()))


def _ratio(above: Floats | float, below: Floats) -> Floats:
    """Return a quotient, 0 where it is of nothing: sums of degrees that have cancelled out are no larger than that."""
    something = below > _SAME * below.max(initial=0.0)
    return np.divide(above, below, out=np.zeros_like(below), where=something)
