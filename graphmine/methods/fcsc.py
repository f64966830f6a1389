"""FCSC: cuts that have to meet the links by so much at least (Wang, Davidson, KDD 2010)."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_choice, check_integer, check_number
from graphmine.linalg.fcsc import FeasibleCuts, LinkedCut, all_feasible_cuts, feasible_cuts, link_values, shifted_theta
from graphmine.linalg.kmeans import kmeans
from graphmine.linalg.laplacian import Laplacian, least_cuts
from graphmine.linalg.link_matrix import LinkMatrix
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.graph_problem import GraphProblem, checked_graph_problem
from graphmine.methods.labels import renumber
from graphmine.methods.spectral.links import link_matrices
from graphmine.model import UNPLACED, Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["FCSC"]


_SPARE = 16
"""How many vectors beside those needed are looked for: the smallest μ is not always the least cost."""

_NOTHING = 1e-8
"""A likeness (that of an uncut graph is 1) below which a vector is rounding, not structure."""

_SIDE = 1e-9
"""Entries up to so much of the greatest are on neither side."""


@dataclass(frozen=True)
class FCSC(Method):
    """Flexible constrained spectral clustering: the least cut among vectors that meet the links by so much.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind.
    alpha
        How far links have to be met at least, as a share of the most by which a vector can meet them: .99 at the most,
        and the lower the looser. Half of it, which the authors take, leaves the graph little say where links are few:
        such vectors live on the linked nodes alone. At -1, the default, no link need be met, and links and cut are
        weighed against each other. On planted networks of 120 authors with as many links, NMIs of .52 and .59 for two
        and three clusters (without links, ten networks each) became .73 and .76 at -1, and .81 and .15 at .5; with a
        fifth of the links wrong .66 and .67 at -1, and .15 and .07 at .5.
    solver
        ``sparse``, by products with the graph; or ``dense``, all vectors at once, as the paper does.

    Notes
    -----
    With L = I - D^-½ W D^-½ of the graph W of all nodes, and Q of the links, which has the weights of must-links, and
    those of cannot-links with a minus, as Q̄ = D^-½ Q D^-½,

        min vᵀLv   so that   vᵀQ̄v ≥ α and vᵀv = vol, v ≠ D^½ 1.

    What solves it is among the v of L v = μ (Q̄ - θ I) v with μ > 0, for θ = β / vol and some β < α; each of these meets
    the links by more than β. The one of least vᵀLv is taken; for k clusters, the k - 1 of least. So β is what is given,
    and α what comes of it: θ is ``alpha`` times the (k - 1)-th largest eigenvalue of Q̄, beyond which there are no k - 1
    such vectors, or, where ``alpha`` is negative, times the largest.

    - From the paper: the problem, the vectors and the choice among them. From the program of its authors (`csp`,
      `csp_K`): half the largest eigenvalue, vectors of one sign being no cuts, two clusters by the sign of D^-½ v, more
      by k-means on the rows of D^-½ v (1 - vᵀLv) with v of length 1. **Erratum**: that program takes the largest
      singular value for the largest eigenvalue, which is another one where cannot-links prevail, and for more than
      two clusters leaves Q as it is.
    - Open there: what to do with fewer than k - 1 such vectors. Here those of the graph alone make up for them, and
      without links there are no others: that is the normalised cut. Parts of a graph that nothing connects are cut
      from each other at next to no cost; see `graphmine.linalg.laplacian.Laplacian`.
    - ``sparse`` looks at the k + 15 smallest μ, and takes the least costs among these. They need not be the least of
      all: a large μ may be that of a vector that just meets the demand, at little cost. In planted networks of 100
      nodes with 5 to 400 links they were in all of 120 fits at .5, -.3, -1 and -2, and in 28 of 30 at -.1. ``dense``
      looks at all.
    - A group is in Q with all of its pairs, as printed, but costs no more numbers than it has members; see
      `graphmine.linalg.link_matrix.LinkMatrix`. A star of pairs would have let its middle member decide.
    - Hard links that contradict each other are refused. Hard must-links are always met: what they tie is one vertex.
      Hard cannot-links act by their weight alone; the report says how far they are met.
    - A node without relationships goes where hard must-links tie it to, and else is left `UNPLACED`.

    The objective is Σ vᵀLv over the vectors. The figures say how far the one that meets the links least does, and how
    far it had to, in parts of the largest eigenvalue. The cost is that of some dozen solves with L by conjugate
    gradients, 20 to 60 times the processor time of scipy's `eigsh` for the vectors of the graph alone: 6 s for 80,000
    nodes with 600,000 relationships and 30,000 links. ``dense`` takes O(n³) and is refused where there is no memory.

    References
    ----------
    X. Wang, I. Davidson: Flexible constrained spectral clustering. KDD 2010.

    Examples
    --------
    >>> from graphmine.model import Links, Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 1.0], [0.0, 1.0, 4.0], [1.0, 0.0, 1.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> FCSC(n_clusters=2).fit(Star((wrote,)), seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    >>> known = Constraints({"Author": Links.of_pairs([[0, 3]]) + Links.of_pairs([[2, 3]], must=False)})
    >>> FCSC(n_clusters=2).fit(Star((wrote,)), known, seed=0).labels["Author"].tolist()
    [0, 0, 1, 0]
    """

    n_clusters: int
    alpha: float = -1.0
    solver: str = "sparse"

    traits: ClassVar[Traits] = Traits(
        name="fcsc",
        title="flexible constrained spectral clustering",
        paper="X. Wang, I. Davidson: Flexible constrained spectral clustering. KDD 2010.",
        cost=Cost(13e6, a_pair=30, a_node_cluster=60, microseconds=5),
        constraints=frozenset({"must", "cannot", "across"}),
        one_kind=True,
    )

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters, share or solver."""
        check_integer("n_clusters", self.n_clusters, least=1)
        check_number("alpha", self.alpha, least=-1e6, most=0.99)
        check_choice("solver", self.solver, _SOLVERS)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of the nodes of a relation by the least cut that meets the links."""
        rng = generator(seed)
        problem = checked_graph_problem(star, constraints, self.n_clusters)
        cut = LinkedCut(Laplacian(problem.graph), _links(star, problem, constraints))
        progress("vectors", 0, 2)
        chosen = self._choose_vectors(cut, rng)
        progress("clusters", 1, 2)
        labels = _clusters(chosen, cut.laplacian, self.n_clusters, rng)
        progress("clusters", 2, 2)
        if not chosen.converged:
            warnings.warn("some vectors did not converge; FCSC goes on without them", RuntimeWarning, stacklevel=3)
        return Clustering(
            renumber(problem.spread(labels)),
            trace=(float(chosen.costs.sum()),),
            converged=chosen.converged,
            figures=chosen.figures,
        )

    def _choose_vectors(self, cut: LinkedCut, rng: np.random.Generator) -> "_Chosen":
        """Return the vectors of least cost that meet the links, and of the graph alone where these are too few."""
        wanted, n = self.n_clusters - 1, len(cut.laplacian.degrees)
        demand = _demand(cut, self.alpha, wanted, rng) if wanted and cut.links.strength.nnz else None
        if demand is None:
            return _fill(cut.laplacian, _Chosen(np.empty((n, 0)), np.empty(0), 0, True, {}), wanted, rng)
        found = _SOLVERS[self.solver](cut, demand, rng)
        met = float(found.met[:wanted].min(initial=np.inf)) / demand.most
        figures = {"links met": met, "asked for": demand.theta / demand.most} if len(found.met) else {}
        n_found = min(wanted, len(found.met))
        first = _Chosen(found.vectors[:, :n_found], found.costs[:n_found], n_found, found.converged, figures)
        return _fill(cut.laplacian, first, wanted, rng)


class _Demand(NamedTuple):
    """θ, the largest eigenvalue of Q̄, how many vectors are wanted, and how many to look for."""

    theta: float
    most: float
    wanted: int
    tried: int


class _Chosen(NamedTuple):
    """Vectors as columns of length 1, their costs, how many of them know the links, and what to say of them."""

    vectors: Floats
    costs: Floats
    n_linked: int
    converged: bool
    figures: dict[str, float]


def _demand(cut: LinkedCut, alpha: float, wanted: int, rng: np.random.Generator) -> _Demand | None:
    """Return what links are asked for; None where they cancel out."""
    values = link_values(cut, wanted + _SPARE + 1, rng, sure=wanted)
    if values[0] <= 0:
        return None
    reference = values[:wanted][values[:wanted] > 0][-1] if alpha > 0 else values[0]
    theta = shifted_theta(cut, alpha * float(reference), float(values[0]))
    trivial = bool(cut.met(cut.laplacian.trivial[:, None])[0] > theta)
    there = int(np.count_nonzero(values > theta)) - trivial
    return _Demand(theta, float(values[0]), wanted, min(there, wanted + _SPARE))


def _sparse(cut: LinkedCut, demand: _Demand, rng: np.random.Generator) -> FeasibleCuts:
    """Return vectors of small μ, in the order of their costs; exact ones, as far as they are wanted."""
    if not demand.tried:
        return FeasibleCuts.of(cut, np.empty((len(cut.laplacian.degrees), 0)), np.empty(0), True)
    found = feasible_cuts(cut, demand.theta, demand.tried, rng, sure=demand.wanted)
    smallest = np.sort(found.values)[: demand.wanted]
    if not len(smallest) or found.values[: demand.wanted].max() <= smallest[-1]:
        return found
    return feasible_cuts(cut, demand.theta, demand.tried, rng)


def _dense(cut: LinkedCut, demand: _Demand, _rng: np.random.Generator) -> FeasibleCuts:
    return all_feasible_cuts(cut, demand.theta)


_SOLVERS: dict[str, Callable[[LinkedCut, _Demand, np.random.Generator], FeasibleCuts]] = {
    "sparse": _sparse,
    "dense": _dense,
}


def _fill(laplacian: Laplacian, chosen: _Chosen, wanted: int, rng: np.random.Generator) -> _Chosen:
    """Return chosen vectors, and those of the graph alone that are wanted beside them."""
    missing = wanted - len(chosen.costs)
    if missing <= 0:
        return chosen
    free = least_cuts(laplacian, missing, rng)
    told = free.values > _NOTHING
    vectors = np.hstack([chosen.vectors, free.vectors[:, told]])
    costs = np.concatenate([chosen.costs, 1 - free.values[told]])
    return chosen._replace(vectors=vectors, costs=costs, converged=chosen.converged and free.converged)


def _clusters(chosen: _Chosen, laplacian: Laplacian, k: int, rng: np.random.Generator) -> Ints:
    """Return the cluster of each vertex: by sign of one vector that knows links, else by k-means."""
    if not len(chosen.costs):
        return np.zeros(len(laplacian.degrees), dtype=np.int64)
    if k == 2 and chosen.n_linked:
        v = chosen.vectors[:, 0] * np.sign(laplacian.trivial @ chosen.vectors[:, 0])
        return np.where(v > _SIDE * np.abs(v).max(), 1, 0)
    rows = chosen.vectors * np.sqrt(laplacian.degrees.sum() / laplacian.degrees)[:, None]
    return kmeans(rows * (1 - chosen.costs), k, rng)


def _links(star: Star, problem: GraphProblem, constraints: Constraints) -> LinkMatrix:
    """Return Q between vertices; links within one vertex are met, or not, whatever is cut."""
    bonds = link_matrices(constraints, [star.nodes(kind) for kind in problem.starts], 1.0, 1.0)
    placed = np.flatnonzero(problem.vertex != UNPLACED)
    between = bonds.between(placed, np.ones(len(problem.vertex)))
    entries = np.ones(len(placed)), (problem.vertex[placed], np.arange(len(placed)))
    gather = csr_array(entries, shape=(problem.n_vertices, len(placed)))
    return LinkMatrix(csr_array(gather @ between.incidence), between.strength)
