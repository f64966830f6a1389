"""The fit that all spectral methods of one relation share: a cut with links in it, its embedding, k-means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.closure.hard_links import closed
from graphmine.linalg.kmeans import kmeans
from graphmine.methods.base import Cost, Method, generator
from graphmine.methods.labels import match_partners, renumber
from graphmine.methods.n_clusters import Clusters, check_enough, check_ties, most_clusters
from graphmine.methods.spectral.embedding import Cut, embed, objective, plain_cut, spread
from graphmine.methods.spectral.ties import first_of_sets, pool_points
from graphmine.model import Clustering, Constraints, Relation, Star
from graphmine.progress import Progress

__all__ = ["SPECTRAL_COST", "ConstrainedCut", "spectral_fit", "unconstrained_cut"]

SPECTRAL_COST = Cost(13e6, a_pair=40, a_node_cluster=40, microseconds=2)
"""What a fit by the singular vectors of one relation takes."""


@dataclass(frozen=True, eq=False)
class ConstrainedCut:
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
    def of(cls, cut: Cut, tied: Ints) -> "ConstrainedCut":
        """Return a cut whose vertices are the nodes."""
        weights = np.concatenate([metric.free for metric in cut.metrics])
        return cls(cut, cut.rows, cut.cols, np.arange(len(tied)), tied, weights, partial(objective, cut))


MakeCut = Callable[[Relation, Constraints], ConstrainedCut]


def unconstrained_cut(relation: Relation) -> ConstrainedCut:
    """Return the cut of a relation without any link."""
    cut = plain_cut(relation)
    return ConstrainedCut.of(cut, np.arange(len(cut.parts)))


def spectral_fit(
    name: str,
    method: Method,
    star: Star,
    constraints: Constraints,
    seed: int | None,
    progress: Progress,
    make_cut: MakeCut = lambda relation, _: unconstrained_cut(relation),
) -> Clustering:
    """Return the clusters of both kinds by an embedding and k-means; ``make_cut`` makes the cut with closed links."""
    k = method.n_clusters
    check_ties(name, k, constraints)
    rng, relation, links = generator(seed), star.arms[0], closed(constraints)
    # Step 1 of Dhillon (2001): the normalised cut, here with links in it.
    constrained = make_cut(relation, links) if links else unconstrained_cut(relation)
    placed = {relation.rows.kind: len(constrained.rows), relation.cols.kind: len(constrained.cols)}
    check_enough(k, placed, placed)
    progress("singular vectors", 0, 2)
    points, converged = embed(constrained.cut, most_clusters(k), rng, name)  # step 2: Z
    progress("k-means", 1, 2)
    points = pool_points(points[constrained.vertices], constrained.tied, constrained.weights)
    labels = _partition(points, constrained, relation, k, rng)  # step 3
    progress("k-means", 2, 2)
    numbered = renumber(spread(labels, constrained, relation), shared_first=isinstance(k, Mapping))
    return Clustering(numbered, (constrained.judge(labels),), converged)


def _partition(
    points: Floats, constrained: ConstrainedCut, relation: Relation, k: Clusters, rng: np.random.Generator
) -> Ints:
    """Return the clusters of nodes: of all kinds together, or of each by itself and then matched."""
    firsts = first_of_sets(
        constrained.tied
    )  # equal points, one label: not even a tie between two centres may part them
    if not isinstance(k, Mapping):
        return kmeans(points, k, rng)[firsts]
    n_rows = len(constrained.rows)
    rows = kmeans(points[:n_rows], k[relation.rows.kind], rng)
    cols = kmeans(points[n_rows:], k[relation.cols.kind], rng)
    labels = np.concatenate([rows, cols])[firsts]
    block = csr_array(relation.block[constrained.rows][:, constrained.cols])
    return np.concatenate(match_partners(block, labels[:n_rows], labels[n_rows:]))
