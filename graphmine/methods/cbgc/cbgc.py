"""CBGC: consistent bipartite graph co-partitioning of stars (Gao, Liu, Zheng, Cheng, Ma, KDD 2005)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_choice, check_number
from graphmine.closure.hard_links import closed
from graphmine.errors import ConstraintError
from graphmine.linalg.star.cut_ratios import check_theta
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.cbgc.beta import AUTO, Beta, arm_names, checked_beta, shares_of
from graphmine.methods.cbgc.choose_beta import choose_beta
from graphmine.methods.cbgc.leftover_nodes import place_leftover_nodes
from graphmine.methods.cbgc.paper_sdp import EIGEN, SOLVERS, check_plain, solve_paper_sdp
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.methods.cbgc.relaxation import Relaxation, embed_parts, solve_relaxation
from graphmine.methods.cbgc.separate_arms import partition_arms
from graphmine.methods.cbgc.soft_consistency import checked_price
from graphmine.methods.cbgc.threshold import best_threshold
from graphmine.methods.labels import Embedding, cluster_points
from graphmine.methods.n_clusters import Clusters, check_enough, check_ties, checked_clusters, most_clusters
from graphmine.model import UNPLACED, Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["CBGC", "UNPLACED"]


@dataclass(frozen=True)
class CBGC(Method):
    """Consistent bipartite graph co-partitioning: every arm cut in balance by itself, the centre the same for all.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the centre, or of the smaller kind of a single
        relation; or how many of each kind, as ``{"Document": 4, "Term": 3}``. An arm's kind may have fewer nodes than
        there are clusters.
    beta
        How much each arm counts: the share of the first of two arms, or a list of one number an arm, of which one may
        be 0. The star's own weights without it, which are equal if not given. ``"auto"`` chooses it from the data; see
        `graphmine.methods.cbgc.choose_beta`.
    delta
        How much a link of weight 1 counts in an arm: as much as so many of its relationships of median weight.
    price
        What it costs that a node of the centre differs from arm to arm, up to 1e6. None, or infinity, for nothing but
        the same; 0 to partition the arms alone. See `graphmine.methods.cbgc.soft_consistency`.
    solver
        ``eigen`` for problem (12), by eigenvectors. ``sdp`` and ``lowrank`` for the paper's problem (17), which takes
        no links: the one by a general solver, for some hundred nodes, the other by a factor of low rank.
    theta
        The paper's bounds θ₁ and θ₂ of problem (17), 0 < θ₁²/4 ≤ θ₂; ``eigen`` needs none.

    Notes
    -----
    With Γ_i and Π_i the Laplacian and the degrees of arm i on all nodes, ω = (y, z_1, z_2, …) relaxes

        min Σ_i β_i ωᵀ Γ_i ω / ωᵀ Π_i ω,   ωᵀ Π_i e = 0 for every arm                                            (11)

    to problem (12) of the paper, in which every denominator is fixed: with P_i = Π_i / eᵀ Π_i e and A the weighted sum
    of the arms' adjacencies, scaled alike, max ωᵀ A ω, ωᵀ P_i ω = 1, p_iᵀ ω = 0. Its dual needs no semidefinite
    programme: it is the least, over weights w in the simplex, of the greatest μ with

        A ω = μ Σ_i w_i P_i ω,   p_iᵀ ω = 0,

    which is convex in w. At the least one the derivatives ωᵀ P_i ω are equal for all arms that have a weight: ω is in
    balance, solves (12), and the relaxation is tight. For k clusters it is the sum of the k - 1 greatest that is made
    least, and their vectors together that are in balance. k-means over the points of all kinds gives the clusters; with
    a number for each kind, over those of each kind, whose clusters are then matched with the centre's. For two clusters
    the vector is also cut at the place where (11) is least, and of the two partitions the one with the lesser (11) is
    taken: k-means minds the places of points alone, and on texts often cuts beside one far cluster. The trace is Σ β_i
    times the normalised cut of arm i, of the clusters found: (11) for k of them, a cluster that an arm has nothing of
    counting 1.

    **Certificate.** Every fit tells in its `figures` the relaxed cut (k - 1 less the sum of the values), the bound that
    an eigenvalue solver of its own, ARPACK on all nodes from another start, finds for the same w, the gap between them,
    and the balance of each arm. The result is `converged` if the gap is at most 1e-9. With three arms and more values
    may cross just at the least; no vectors are then in balance, the gap stays open, and the result says so.

    **Links** enter each arm as they do in `SCM`, with which it agrees for one arm: the Laplacian of links is added to
    the arm's P_i, links of the centre with another kind to its block as well. Links of the centre are in every arm.
    Hard must-links are always met; hard cannot-links act by their weight alone.

    - The paper's (17) is another problem: Ω is not centred there, only θ₂ keeps out the trivial solution, and the
      bounds θ keep out that of (12) too, so that the value of the one does not bound the other's.
      Its equation (16) claims to be equivalent to (12), which a relaxation without rank is not in general. k-means on
      its one vector is the paper's step 6; parts that nothing joins are not told apart before.
    - For an arm that does not count, β_i = 0, nothing is searched; its nodes go where most of their relationships lead,
      into clusters of the centre, whatever number its kind was given.
    - Where an arm has so little to lose that its weight falls to nothing, ωᵀ P_i ω ≤ 1 is all that is reached of its
      balance, which `figures` tell. The value is then that of (12) with ≤ in place of = for such an arm.
    - Parts of a star that nothing joins are the clusters where there are enough of them, all but the k - 1 heaviest
      sharing one, at a cut of 0. Beside a part of more than half of the star, parts lighter than a twentieth of what a
      cluster weighs on average say nothing of its clusters; they are left `UNPLACED`, as are nodes without any link.

    A step of the search costs O(nnz + n k) and there are some dozens, for n nodes of all kinds; the certificate as much
    again. Memory is O(nnz + n k).

    References
    ----------
    B. Gao, T.-Y. Liu, X. Zheng, Q.-S. Cheng, W.-Y. Ma: Consistent bipartite graph co-partitioning for star-structured
    high-order heterogeneous data co-clustering. KDD 2005.

    Examples
    --------
    >>> from graphmine import gallery
    >>> star, truth = gallery.planted_star(60, (40, 6), n_clusters=2, degree=8, noise=0.1, seed=0)
    >>> found = CBGC(n_clusters=2).fit(star, seed=0)
    >>> found.labels["Category"].tolist(), truth["Category"].tolist()
    ([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    >>> found.converged, round(found.figures["balance of Category"], 6)
    (True, 1.0)
    """

    n_clusters: Clusters
    beta: Beta = None
    delta: float = 3.0
    price: float | None = None
    solver: str = EIGEN
    theta: tuple[float, float] = (1.0, 1.0)

    traits: ClassVar[Traits] = Traits(
        name="cbgc",
        title="Consistent bipartite graph co-partitioning",
        paper="B. Gao, T.-Y. Liu, X. Zheng, Q.-S. Cheng, W.-Y. Ma: Consistent bipartite graph co-partitioning for "
        "star-structured high-order heterogeneous data co-clustering. KDD 2005.",
        cost=Cost(16e6, a_pair=30, a_node=100, a_node_cluster=80, microseconds=24),
        max_arms=None,
        constraints=frozenset({"must", "cannot", "across"}),
        k_per_kind=True,
    )

    def __post_init__(self) -> None:
        """Refuse invalid parameters."""
        object.__setattr__(self, "n_clusters", checked_clusters(self.n_clusters))
        object.__setattr__(self, "beta", checked_beta(self.beta))
        check_number("delta", self.delta, least=1e-6, most=1e6)
        object.__setattr__(self, "price", checked_price(self.price))
        check_plain(check_choice("solver", self.solver, SOLVERS), self.price)
        object.__setattr__(self, "theta", check_theta(self.theta))

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of all kinds of a star."""
        k, rng = self.n_clusters, generator(seed)
        check_ties("CBGC", k, constraints)
        _check_across(star, constraints)
        check_plain(self.solver, self.price, constraints)
        beta = shares_of(star, self.beta)
        closed_links = closed(constraints)
        if self.price == 0 and np.count_nonzero(beta) > 1:
            return self._fit_arms(star, closed_links, beta, seed, progress)
        problem = StarProblem.of(star, np.flatnonzero(beta).tolist(), closed_links, self.delta, most_clusters(k))
        check_enough(k, problem.counts, problem.counts if len(star.arms) == 1 else [star.centre.kind])
        own, tried = self._shares(problem, beta, rng, progress)
        found = self._solve(problem, own, rng, progress)  # steps 3 to 5: problem (12), or (17)
        progress("k-means", 2, 3)
        embeddings = found.embeddings(problem)
        labels = cluster_points(star, embeddings, k, rng)  # step 6
        if k == 2 and self.price is None and self.solver == EIGEN and not self._has_parts(problem):
            other = best_threshold(problem, own, embeddings)
            labels = min(labels, other, key=lambda each: round(_cut(problem, own, each), 12))  # by (11)
        progress("k-means", 3, 3)
        figures = {**found.figures, **_agreement(problem, found, embeddings, labels)}
        trace = (_cut(problem, own, labels),)
        idle = set(range(len(beta))).difference(problem.used)
        labels = place_leftover_nodes(star, idle, labels, problem.by_kind(problem.tied))
        return Clustering(labels, trace, found.converged, tried=tried, figures=figures)

    def _fit_arms(
        self, star: Star, constraints: Constraints, beta: Floats, seed: int | None, progress: Progress
    ) -> Clustering:
        """Return a partition of each arm by itself, as a price of 0 asks for."""
        one_arm = replace(self, n_clusters=1, beta=None, price=None)

        def fit(arm: Star, k: Clusters, links: Constraints) -> Clustering:
            return replace(one_arm, n_clusters=k).fit(arm, links, seed=seed, progress=progress)

        return partition_arms(star, constraints, beta, self.n_clusters, fit)

    def _shares(
        self, problem: StarProblem, beta: Floats, rng: np.random.Generator, progress: Progress
    ) -> tuple[Floats, tuple[Mapping[str, float], ...]]:
        """Return the shares of the arms that are used, chosen where that is asked for, and what was tried."""
        own = beta[list(problem.used)] / beta[list(problem.used)].sum()
        if self.beta == AUTO and len(own) > 1 and not self._has_parts(problem):
            return choose_beta(problem, most_clusters(self.n_clusters) - 1, rng, progress)
        return own, ()

    def _solve(self, problem: StarProblem, beta: Floats, rng: np.random.Generator, progress: Progress) -> Relaxation:
        k = most_clusters(self.n_clusters)
        if self._has_parts(problem):
            return embed_parts(problem, k)
        if self.solver != EIGEN:
            return solve_paper_sdp(problem, beta, self.solver, self.theta, rng, progress)
        return solve_relaxation(problem, beta, k - 1, self.price, rng, progress)

    def _has_parts(self, problem: StarProblem) -> bool:
        """Whether there are as many parts as clusters, so that nothing has to be cut."""
        k = most_clusters(self.n_clusters)
        return k == 1 or (problem.n_parts >= k and not problem.repels and self.solver == EIGEN)


def _agreement(
    problem: StarProblem, found: Relaxation, embeddings: Mapping[str, Embedding], labels: Mapping[str, Ints]
) -> dict[str, float]:
    """Return, where the centre's nodes may differ from arm to arm, in which share each arm has them where they are."""
    separate = found.separate
    if separate is None:
        return {}
    points = np.concatenate([each.points for each in embeddings.values()])
    own = np.concatenate([labels[kind][each.positions] for kind, each in embeddings.items()])
    centres = np.stack([points[own == cluster].mean(axis=0) for cluster in range(own.max() + 1)])
    of_nodes = labels[problem.star.centre.kind][problem.centre]
    shares = separate.copies.agreement(separate.points, of_nodes, centres)
    names = arm_names(problem.star)
    return {f"agreement of {names[number]}": float(share) for number, share in zip(problem.used, shares, strict=True)}


def _check_across(star: Star, constraints: Constraints) -> None:
    """Refuse links between two kinds neither of which is the centre: no arm has both."""
    for kinds, links in constraints.across.items():
        if len(links) and star.centre.kind not in kinds:
            raise ConstraintError(
                f"CBGC takes links of {star.centre.kind} with another kind, not of {' with '.join(kinds)}; "
                "use Loom, or leave them out"
            )


def _cut(problem: StarProblem, beta: Floats, labels: Mapping[str, Ints]) -> float:
    """Return Σ_i β_i Σ_a x_aᵀ (P_i - M_i) x_a / x_aᵀ P_i x_a, with x_a the indicator of cluster a in arm i.

    A cluster that an arm has nothing of counts 1, as one that is nothing but cut.
    """
    total, centre = 0.0, labels[problem.star.centre.kind][problem.centre]
    clusters = np.arange(1 + max(int(own.max(initial=0)) for own in labels.values()))
    for number, arm, share, own in zip(problem.used, problem.arms, beta, problem.others, strict=True):
        other = labels[problem.star.arms[number].cols.kind][own]
        x, z = ((each[:, None] == clusters).astype(np.float64) for each in (centre, other))
        size = np.sum(x * (arm.hub @ x), axis=0) + np.sum(z * arm.times_spoke(z), axis=0)
        kept = 2 * np.sum(x * (arm.block @ z), axis=0)
        total += float(share * np.sum(np.divide(size - kept, size, out=np.ones_like(size), where=size > 0)))
    return total
