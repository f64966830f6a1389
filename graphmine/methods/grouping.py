"""From points to clusters: k-means over the nodes of several kinds, all together or kind by kind."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from graphmine.linalg import kmeans
from graphmine.methods.clusters import Clusters
from graphmine.methods.numbering import likeness, renumbered
from graphmine.methods.tying import firsts_of, pooled
from graphmine.model import UNPLACED, Star

__all__ = ["Embedding", "clustered", "parted"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


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

    positions: Integers
    points: Numbers
    tied: Integers
    weights: Numbers


def clustered(
    star: Star, embedded: Mapping[str, Embedding], k: Clusters, rng: np.random.Generator
) -> dict[str, Integers]:
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
    >>> clustered(star, points, 3, np.random.default_rng(0))["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    """
    if not isinstance(k, Mapping):
        return renumbered(parted(star, embedded, lambda points: kmeans(points, k, rng)))
    kinds = [nodes.kind for nodes in star.kinds if nodes.kind in embedded]
    ends = np.cumsum([len(embedded[kind].positions) for kind in kinds])

    def kind_by_kind(points: Numbers) -> Integers:
        split = zip(kinds, np.split(points, ends[:-1]), strict=True)
        return np.concatenate([kmeans(own, k[kind], rng) for kind, own in split])

    return renumbered(_partners(star, parted(star, embedded, kind_by_kind), kinds), shared_first=True)


def parted(star: Star, embedded: Mapping[str, Embedding], part: Callable[[Numbers], Integers]) -> dict[str, Integers]:
    """Return labels of all nodes of a star, as a function gives them to the points of all kinds, in the star's order.

    Nodes that have to share a cluster are put at one point before; those without a point are `UNPLACED`.
    """
    kinds = [nodes.kind for nodes in star.kinds if nodes.kind in embedded]
    every = [embedded[kind] for kind in kinds]
    tied = np.concatenate([each.tied for each in every])
    points = pooled(np.concatenate([each.points for each in every]), tied, np.concatenate([e.weights for e in every]))
    # Equal points, one label: not even a tie between two centres may part them.
    labels, ends = part(points)[firsts_of(tied)], np.cumsum([len(each.positions) for each in every])
    spread = {nodes.kind: np.full(len(nodes), UNPLACED, dtype=np.int64) for nodes in star.kinds}
    for kind, own in zip(kinds, np.split(labels, ends[:-1]), strict=True):
        spread[kind][embedded[kind].positions] = own
    return spread


def _partners(star: Star, labels: dict[str, Integers], kinds: Sequence[str]) -> dict[str, Integers]:
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
        rows, cols = linear_sum_assignment(alike, maximize=True)
        number[cols] = rows
        alone = np.flatnonzero(number == UNPLACED)
        number[alone] = n_taken + np.arange(len(alone))
        n_taken += len(alone)
        partnered[kind] = np.where(own == UNPLACED, UNPLACED, number[own])
    return partnered
