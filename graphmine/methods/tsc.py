"""TSC: traditional spectral clustering of a star as one graph (Gao et al., KDD 2005, the baseline of CBGC)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, hstack

from graphmine.arrays import Ints
from graphmine.checks import check_number
from graphmine.errors import ParameterError
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.labels import Embedding, cluster_points
from graphmine.methods.n_clusters import Clusters, check_enough, checked_clusters, most_clusters
from graphmine.methods.spectral.embedding import embed, objective, plain_cut
from graphmine.model import Clustering, Constraints, Nodes, Relation, Star
from graphmine.progress import Progress

__all__ = ["TSC"]


_LEAST, _MOST = 1e-100, 1e100
"""Weights of arms; beyond them degrees lose all their digits, or overflow."""


@dataclass(frozen=True)
class TSC(Method):
    """Traditional spectral clustering: a star as one bipartite graph, of the centre with all other kinds together.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the centre; or how many of each kind, as
        ``{"Document": 4, "Term": 3}``.
    alpha
        What the relationships of every arm but the first weigh beside those of the first; or a list of one weight for
        each of these arms. The paper's α. The star's own weights multiply it.

    Notes
    -----
    With A and B the blocks of two arms, the graph has the adjacency of the paper's equation (7),

        M = [[0, A, 0], [Aᵀ, 0, α B], [0, α Bᵀ, 0]],

    and its normalised cut is relaxed by the vectors 2..k of M q = λ D q, as `SCO` does. As the paper says (3.1), this
    is the graph of the centre Y with X and Z taken together, and the loss of cutting the one sort of relationship is
    set off against that of the other: all of X may end in one cluster. In `CBGC` each arm is balanced by itself.

    The paper finds that it fails at every α; `graphmine reproduce cbgc` has what we saw. The one entry of the trace is
    the normalised cut of the clusters found.

    References
    ----------
    B. Gao, T.-Y. Liu, X. Zheng, Q.-S. Cheng, W.-Y. Ma: Consistent bipartite graph co-partitioning for star-structured
    high-order heterogeneous data co-clustering. KDD 2005.

    Examples
    --------
    >>> from graphmine import gallery
    >>> star, truth = gallery.planted_star(60, (40, 6), n_clusters=2, degree=8, noise=0.1, seed=0)
    >>> found = TSC(n_clusters=2, alpha=0.5).fit(star, seed=0)
    >>> bool(np.all(found.labels["Category"] == truth["Category"]))
    True
    """

    n_clusters: Clusters
    alpha: float | tuple[float, ...] = 1.0
    traits: ClassVar[Traits] = Traits(
        name="tsc",
        title="Traditional spectral clustering of a star",
        paper="B. Gao, T.-Y. Liu, X. Zheng, Q.-S. Cheng, W.-Y. Ma: Consistent bipartite graph co-partitioning for "
        "star-structured high-order heterogeneous data co-clustering. KDD 2005, as their baseline.",
        cost=Cost(20e6, a_pair=40, a_node=125, a_node_cluster=45, microseconds=2),
        max_arms=None,
        k_per_kind=True,
    )

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters or weight."""
        object.__setattr__(self, "n_clusters", checked_clusters(self.n_clusters))
        if isinstance(self.alpha, Sequence) and not isinstance(self.alpha, str):
            alpha: float | tuple[float, ...] = tuple(_check_alpha(each) for each in self.alpha)
        else:
            alpha = _check_alpha(self.alpha)
        object.__setattr__(self, "alpha", alpha)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of all kinds of a star."""
        k, rng = self.n_clusters, generator(seed)
        cut = plain_cut(_together(star, self._weights(star)))
        places = _places(star, cut.rows, cut.cols)
        linked = {kind: len(positions) for kind, (positions, _) in places.items()}
        check_enough(k, linked, linked if len(star.arms) == 1 else [star.centre.kind])
        progress("singular vectors", 0, 2)
        points, converged = embed(cut, most_clusters(k), rng, "TSC")
        progress("k-means", 1, 2)
        weights = np.concatenate([metric.free for metric in cut.metrics])
        given = {kind: Embedding(own, points[at], at, weights[at]) for kind, (own, at) in places.items()}
        labels = cluster_points(star, given, k, rng)
        progress("k-means", 2, 2)
        every = np.empty(len(points), dtype=np.int64)
        for kind, (own, at) in places.items():
            every[at] = labels[kind][own]
        return Clustering(labels, (objective(cut, every),), converged)

    def _weights(self, star: Star) -> list[float]:
        """Return what each arm weighs."""
        n_others = len(star.arms) - 1
        if isinstance(self.alpha, tuple) and len(self.alpha) != n_others:
            raise ParameterError(
                f"alpha must have one number for each arm but the first, {n_others} in all, and has {len(self.alpha)}"
            )
        alphas = self.alpha if isinstance(self.alpha, tuple) else (self.alpha,) * n_others
        return [alpha * weight for alpha, weight in zip((1.0, *alphas), star.weights, strict=True)]


def _check_alpha(alpha: object) -> float:
    return check_number("alpha", alpha, least=_LEAST, most=_MOST)


def _together(star: Star, weights: Sequence[float]) -> Relation:
    """Return the relation of the centre with all other kinds, laid side by side."""
    # The cut does not depend on the scale of all weights, and sums of very large ones would overflow.
    largest = max((float(arm.block.data.max(initial=0.0)) for arm in star.arms), default=0.0) or 1.0
    blocks = [csr_array(arm.block * (weight / largest)) for arm, weight in zip(star.arms, weights, strict=True)]
    block = csr_array(hstack(blocks, format="csr"))
    if not block.nnz:
        first = star.arms[0]
        return Relation(first.rows, first.cols, csr_array(first.block.shape))  # what has none is refused by its name
    return Relation(star.centre, Nodes("other kinds", range(block.shape[1])), block)


def _places(star: Star, rows: Ints, cols: Ints) -> dict[str, tuple[Ints, Ints]]:
    """Return for each kind its linked nodes, and where they stand among all of them, the centre's first."""
    places, start = {star.centre.kind: (rows, np.arange(len(rows)))}, 0
    for arm in star.arms:
        first, last = np.searchsorted(cols, [start, start + len(arm.cols)])
        own = cols[first:last] - start, np.arange(first, last) + len(rows)
        if arm.cols.kind in places:
            raise ParameterError(
                f"TSC takes one relation of {star.centre.kind} with {arm.cols.kind}, not two; leave one out"
            )
        places[arm.cols.kind] = own
        start += len(arm.cols)
    return places
