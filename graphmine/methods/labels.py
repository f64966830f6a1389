"""Labels of clusters: their standard numbering, their alignment with other labels, and k-means over all kinds."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints, Labels
from graphmine.linalg.kmeans import kmeans
from graphmine.linalg.matching import match, partners, shared_counts
from graphmine.methods.n_clusters import Clusters
from graphmine.methods.spectral.ties import first_of_sets, pool_points
from graphmine.model import UNPLACED, Star

__all__ = ["Embedding", "align_labels", "cluster_points", "likeness", "match_partners", "partition_points", "renumber"]


def renumber(labels: Mapping[str, Labels], *, shared_first: bool = False) -> dict[str, Labels]:
    """Return the same clusters numbered from 0 by decreasing size, without gaps.

    The size of a cluster is its number of nodes over all kinds; of two equal ones the first comes first that appears
    first, kind by kind in the order given. With ``shared_first`` the clusters that every kind has come before those
    that only some have. Nodes without a cluster stay without.

    Examples
    --------
    >>> found = renumber({"Author": np.array([7, 3, 3]), "Venue": np.array([-1, 3])})
    >>> found["Author"].tolist(), found["Venue"].tolist()
    ([1, 0, 0], [-1, 0])
    >>> renumber({"Author": np.array([5, 5, 5, 4]), "Venue": np.array([4])}, shared_first=True)["Author"].tolist()
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


def align_labels(labels: Mapping[str, Labels], like: Mapping[str, Labels]) -> dict[str, Labels]:
    """Return the same clusters with the numbers of those of another clustering that they share most nodes with.

    They are matched one to one, over all kinds together; what is left over gets numbers that the other one has not.

    Examples
    --------
    >>> align_labels({"Author": np.array([0, 0, 1, 2, -1])}, {"Author": np.array([1, 1, 0, 1, 0])})["Author"].tolist()
    [1, 1, 0, 4, -1]
    """
    ours, theirs = (np.concatenate([each[kind] for kind in labels]) for each in (labels, like))
    n_ours, n_theirs = (1 + int(each.max(initial=0)) for each in (ours, theirs))
    partner = partners(shared_counts(ours, theirs, (n_ours, n_theirs)))
    number = np.where(partner >= 0, partner, n_theirs + np.arange(n_ours))
    return {kind: np.where(each == UNPLACED, UNPLACED, number[each]) for kind, each in labels.items()}


def match_partners(block: csr_array, row_labels: Labels, col_labels: Labels) -> tuple[Labels, Labels]:
    """Return row and column clusters, numbered apart before, so that partners have the same number.

    They are matched one to one so that Σ N_ab / √(N_a N_b) over the pairs is greatest, N_ab being the weight between
    row cluster a and column cluster b. What is left over, on the side that has more, gets the numbers behind.

    Examples
    --------
    >>> block = csr_array([[5.0, 0.0, 1.0], [0.0, 4.0, 1.0]])
    >>> rows, cols = match_partners(block, np.array([0, 1]), np.array([7, 2, 5]))
    >>> rows.tolist(), cols.tolist()
    ([0, 1], [0, 1, 2])
    """
    (row_names, rows), (col_names, cols) = (np.unique(each, return_inverse=True) for each in (row_labels, col_labels))
    shape = len(row_names), len(col_names)
    row_partner, col_partner = match(likeness(block, rows, cols, shape))
    return _numbers(row_partner, shape[0])[rows], _numbers(col_partner, shape[1])[cols]


def likeness(block: csr_array, rows: Labels, cols: Labels, shape: tuple[int, int]) -> Floats:
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


def _numbers(matched: Ints, count: int) -> Labels:
    """Return a number for each cluster: matched ones in their order, then the others."""
    numbers = np.full(count, UNPLACED, dtype=np.int64)
    numbers[matched] = np.arange(len(matched))
    numbers[numbers == UNPLACED] = np.arange(len(matched), count)
    return numbers


class Embedding(NamedTuple):
    """Nodes of a kind and their points.

    Parameters
    ----------
    positions
        Which nodes have a point.
    points
        A row for each of them.
    tied
        For each of them the set that has to share a cluster; sets may have nodes of several kinds.
    weights
        How much each of them counts in the mean of its set.
    """

    positions: Ints
    points: Floats
    tied: Ints
    weights: Floats


def cluster_points(
    star: Star, embedded: Mapping[str, Embedding], k: Clusters, rng: np.random.Generator
) -> dict[str, Ints]:
    """Return the clusters of all nodes of a star, `UNPLACED` for those without a point.

    For one number of clusters k-means goes over the points of all kinds. For a number a kind it goes over those of each
    by themselves; their clusters then take the numbers of the centre's they are most alike to, one to one, by
    Σ N_ab / √(N_a N_b) over the arms of the kind, and numbers of their own where there are more.

    >>> from graphmine import gallery
    >>> star, truth = gallery.islands()
    >>> at = {kind: np.eye(3)[own] for kind, own in truth.items()}
    >>> own = {kind: np.arange(len(points)) for kind, points in at.items()}
    >>> ends = {"Author": 0, "Venue": 13}
    >>> points = {kind: Embedding(own[kind], at[kind], own[kind] + ends[kind], np.ones(len(own[kind]))) for kind in at}
    >>> cluster_points(star, points, 3, np.random.default_rng(0))["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    """
    if not isinstance(k, Mapping):
        return renumber(partition_points(star, embedded, lambda points: kmeans(points, k, rng)))
    kinds = [nodes.kind for nodes in star.kinds if nodes.kind in embedded]
    ends = np.cumsum([len(embedded[kind].positions) for kind in kinds])

    def kind_by_kind(points: Floats) -> Ints:
        split = zip(kinds, np.split(points, ends[:-1]), strict=True)
        return np.concatenate([kmeans(own, k[kind], rng) for kind, own in split])

    return renumber(_partners(star, partition_points(star, embedded, kind_by_kind), kinds), shared_first=True)


def partition_points(star: Star, embedded: Mapping[str, Embedding], part: Callable[[Floats], Ints]) -> dict[str, Ints]:
    """Return labels of all nodes of a star, as a function gives them to the points of all kinds, in the star's order.

    Nodes that have to share a cluster are put at one point before; those without a point are `UNPLACED`.
    """
    kinds = [nodes.kind for nodes in star.kinds if nodes.kind in embedded]
    every = [embedded[kind] for kind in kinds]
    tied = np.concatenate([each.tied for each in every])
    points = pool_points(
        np.concatenate([each.points for each in every]), tied, np.concatenate([e.weights for e in every])
    )
    # Equal points, one label: not even a tie between two centres may part them.
    labels, ends = part(points)[first_of_sets(tied)], np.cumsum([len(each.positions) for each in every])
    spread = {nodes.kind: np.full(len(nodes), UNPLACED, dtype=np.int64) for nodes in star.kinds}
    for kind, own in zip(kinds, np.split(labels, ends[:-1]), strict=True):
        spread[kind][embedded[kind].positions] = own
    return spread


def _partners(star: Star, labels: dict[str, Ints], kinds: Sequence[str]) -> dict[str, Ints]:
    """Return the labels of all kinds in the numbers of the centre's clusters, as far as these have partners."""
    centre = labels[star.centre.kind]
    n_taken = n_centre = 1 + int(centre.max())
    partnered = dict(labels)
    for kind in kinds:
        if kind == star.centre.kind:
            continue
        own = labels[kind]
        alike = np.zeros((n_centre, 1 + int(own.max())))
        for arm in star.arms:
            if arm.cols.kind == kind:
                alike += likeness(arm.block, centre, own, alike.shape)
        number = np.full(alike.shape[1], UNPLACED, dtype=np.int64)
        rows, cols = match(alike)
        number[cols] = rows
        alone = np.flatnonzero(number == UNPLACED)
        number[alone] = n_taken + np.arange(len(alone))
        n_taken += len(alone)
        partnered[kind] = np.where(own == UNPLACED, UNPLACED, number[own])
    return partnered
