"""The way that all spectral methods of one relation go: a cut with links in it, its embedding, k-means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.closure.hard_links import closed
from graphmine.linalg.kmeans import kmeans
from graphmine.methods.base import Cost, Method, generator
from graphmine.methods.labels import partnered, renumbered
from graphmine.methods.n_clusters import Clusters, check_enough, check_ties, most_clusters
from graphmine.methods.spectral.embedding import Cut, embedded, objective, plain_cut, spread
from graphmine.methods.spectral.ties import firsts_of, pooled
from graphmine.model import Clustering, Constraints, Relation, Star
from graphmine.progress import Progress

__all__ = ["SPECTRAL_COST", "Bound", "free", "spectral_fit"]

SPECTRAL_COST = Cost(13e6, a_pair=40, a_node_cluster=40, microseconds=2)
"""What a fit by the singular vectors of one relation takes."""


@dataclass(frozen=True, eq=False)
class Bound:
    """A cut that links are part of, and the way back from its vertices to the nodes.

    Parameters
    ----------
    cut
        What is embedded; it may have vertices that are no nodes.
    rows, cols
        Where the nodes that can be placed stand among all nodes of their kinds.
    vertices
        The vertex of the cut that each of these nodes is, rows before columns.
    tied
        For each of them the set that has to share a cluster.
    weights
        How much each of them counts in the mean of its set.
    judge
        What the method minimises, of a label for each of them.
    """

    cut: Cut
    rows: Ints
    cols: Ints
    vertices: Ints
    tied: Ints
    weights: Floats
    judge: Callable[[Ints], float]

    @classmethod
    def of(cls, cut: Cut, tied: Ints) -> "Bound":
        """Return a cut whose vertices are the nodes."""
        weights = np.concatenate([metric.free for metric in cut.metrics])
        return cls(cut, cut.rows, cut.cols, np.arange(len(tied)), tied, weights, partial(objective, cut))


Bind = Callable[[Relation, Constraints], Bound]


def free(relation: Relation) -> Bound:
    """Return the cut of a relation without any link."""
    cut = plain_cut(relation)
    return Bound.of(cut, np.arange(len(cut.parts)))


def spectral_fit(
    name: str,
    method: Method,
    star: Star,
    constraints: Constraints,
    seed: int | None,
    progress: Progress,
    bind: Bind = lambda relation, _: free(relation),
) -> Clustering:
    """Return the clusters of both kinds that the embedding of a cut gives; ``bind`` makes the cut of closed links."""
    k = method.n_clusters
    check_ties(name, k, constraints)
    rng, relation, links = generator(seed), star.arms[0], closed(constraints)
    bound = bind(relation, links) if links else free(relation)
    placed = {relation.rows.kind: len(bound.rows), relation.cols.kind: len(bound.cols)}
    check_enough(k, placed, placed)
    progress("singular vectors", 0, 2)
    points, converged = embedded(bound.cut, most_clusters(k), rng, name)
    progress("k-means", 1, 2)
    labels = _partition(pooled(points[bound.vertices], bound.tied, bound.weights), bound, relation, k, rng)
    progress("k-means", 2, 2)
    numbered = renumbered(spread(labels, bound, relation), shared_first=isinstance(k, Mapping))
    return Clustering(numbered, (bound.judge(labels),), converged)


def _partition(points: Floats, bound: Bound, relation: Relation, k: Clusters, rng: np.random.Generator) -> Ints:
    """Return the clusters of nodes: of all kinds together, or of each by itself and then matched."""
    firsts = firsts_of(bound.tied)  # equal points, one label: not even a tie between two centres may part them
    if not isinstance(k, Mapping):
        return kmeans(points, k, rng)[firsts]
    n_rows = len(bound.rows)
    rows = kmeans(points[:n_rows], k[relation.rows.kind], rng)
    cols = kmeans(points[n_rows:], k[relation.cols.kind], rng)
    labels = np.concatenate([rows, cols])[firsts]
    block = csr_array(relation.block[bound.rows][:, bound.cols])
    return np.concatenate(partnered(block, labels[:n_rows], labels[n_rows:]))
