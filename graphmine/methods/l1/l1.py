"""L1: spectral clustering and co-clustering with links that may be wrong (Kawale, Boley, SDM 2013)."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from graphmine.checks import check_choice, check_integer, check_number
from graphmine.errors import ParameterError
from graphmine.linalg.resources import one_thread
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.graph_problem import checked_graph_problem
from graphmine.methods.l1.bisect import AUTO, SOLVERS, UNSETTLED, Splitter
from graphmine.methods.l1.choose_lambda import CAUTIOUS, GRID, USUAL, Prediction, cross_validate, hidden_parts
from graphmine.methods.l1.fit import StarFitter
from graphmine.methods.l1.unlinked_nodes import confirm_by_halves, hold_unlinked
from graphmine.methods.link_rows import MEMBERS, PAIRS
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["L1"]

PATH = "path"
"""Stands for the usual weight of links, with a look at what others would give."""


@dataclass(frozen=True)
class L1(Method):
    """Spectral clustering and co-clustering whose links are met or given up, one by one: an absolute penalty for each.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind. Fewer come back where there is
        no more to split.
    lam
        How much a link of weight 1 counts against the cut: the paper's λ in units of √vol / n, for n nodes whose
        degrees sum up to vol, so that it means the same for relations of all sizes and weights. On planted networks of
        three clusters with as many links as authors, .1 gave NMIs of .78, .65 and .56 where none, a fifth and two
        fifths of the links were wrong (without links: .53), and .3 gave .77, .55 and .34: smaller ones are safer.
        ``path`` takes .1, and shows in `Clustering.tried` what other weights would give; ``auto`` shows that too, and
        takes the weight that links hidden for the time speak for, which is 0 where they speak for none, and .01 where
        too few nodes have links to tell; see `graphmine.methods.l1.choose_lambda`. Nodes without links stay where the
        graph alone has them unless they surely move; see `graphmine.methods.l1.unlinked_nodes`.
    solver
        What solves the convex inner problems: ``dual``, by one sparse factorisation and projected Newton steps over a
        box; ``firstorder``, by products with the graph alone; ``cvxpy``, the slow reference; or ``auto``, ``dual`` up
        to some hundred nodes and links, ``firstorder`` beyond.
    groups
        How much what is said of a group weighs, such as of all nodes with one label: ``pairs``, as much as all pairs of
        nodes that it is about, as in the paper's experiments; or ``members``, no more than a link or two a node, so
        that the data can contradict single members however large the group is. With 60 of 119 points of wine labelled,
        a tenth of them wrongly, λ = .1 gave NMIs of .65 by ``pairs``, where the graph contradicts no label at all, and
        of .85 by ``members``; without labels it was .76.

    Notes
    -----
    With L = D - W of the graph W = [[0, B], [Bᵀ, 0]] of both kinds, or W = B of a kind with itself, and a row of C for
    each link, (-1, +1) where two nodes must be together and (+1, +1) where they can not,

        min ½ xᵀLx + λ ‖Cx‖₁   so that   dᵀx = 0 and xᵀDx = 1.

    The penalty is absolute, so that Cx has zeros: these links are met, the others are contradicted by the data. x is
    found by the paper's steps (4.10) from the vector of the graph alone, each of which lowers the objective; the trace
    has it after each. Without links that vector is the answer.

    - **Erratum**: the paper's "6 to 8" steps at μ = 1 are not enough. On wine and WDBC it took 80 to 107 to a relative
      1e-10, and 26 to 35 at μ = .001; here steps are taken further as long as that helps, and μ of small and of dense
      graphs is below 0. Its descent theorem holds as printed, and for these too.
    - What the paper leaves open: x is turned into clusters by the threshold whose two sides have the least objective
      themselves, and then by moving single nodes as long as that lowers it. More than two clusters come of splitting
      the heaviest branch again, with the links that are left in it, as `graphmine.taxonomy` does, and of moving
      single nodes again. A branch is left whole where two clusters of it would cut no less than chance, which is a
      normalised cut of 1.
    - A group of m that must be together is a star of m - 1 rows around its middle member; see
      `graphmine.methods.link_rows`. How near each member comes to that is `Clustering.belonging`.
    - Hard links that contradict each other are refused. Hard must-links are always met: what they tie is one vertex.
      Hard cannot-links act by their weight alone; the report says how far they are met.
    - A node without relationships goes where hard must-links tie it to, and else is left `UNPLACED`.
    - The trust in a link is 1 if it is met, and 0 if its nodes are as far from that as two clusters of one weight are
      from each other; links with less than 1 are the contradicted ones. With more than two clusters all splits that a
      link takes part in are asked, see `graphmine.methods.l1.k_way.trust_over_splits`; trace, objective and gap are
      those of the first split, which knows all links.
    - The gap in `Clustering.figures` is that of the last inner problem, a true bound of what its objective is above the
      least.

    The cost is that of one eigenvector, and for ``dual`` of a factorisation of the graph and O(p²) numbers for p rows;
    for ``firstorder`` of O(nnz + p) a step.

    References
    ----------
    J. Kawale, D. Boley: Constrained spectral clustering using L1 regularization. SDM 2013.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.model import Links, Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 1.0], [0.0, 1.0, 4.0], [1.0, 0.0, 1.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> met = Constraints({"Author": Links.of_pairs([[0, 3], [0, 2]])})
    >>> L1(n_clusters=2).fit(Star((wrote,)), seed=0).labels["Author"].tolist()
    [0, 0, 1, 1]
    >>> found = L1(n_clusters=2, lam=0.3).fit(Star((wrote,)), met, seed=0)
    >>> found.labels["Author"].tolist(), found.trust["Author", "Author"].tolist()
    ([0, 0, 1, 0], [1.0, 0.0])
    """

    n_clusters: int
    lam: float | Literal["auto", "path"] = USUAL
    solver: str = AUTO
    groups: str = PAIRS

    traits: ClassVar[Traits] = Traits(
        name="l1",
        title="L1-regularised constrained spectral clustering and co-clustering",
        paper="J. Kawale, D. Boley: Constrained spectral clustering using L1 regularization. SDM 2013.",
        cost=Cost(17e6, a_pair=95, a_node=900, a_node_cluster=10, microseconds=22),
        constraints=frozenset({"must", "cannot", "across"}),
        one_kind=True,
        aliases={"lambda": "lam"},
        to_doubt={"groups": MEMBERS},  # as pairs, large groups outweigh whatever speaks against a member
    )

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters, weight or solver."""
        check_integer("n_clusters", self.n_clusters, least=1)
        if self.lam not in (AUTO, PATH):
            _check_weight(self.lam)
        check_choice("solver", self.solver, [AUTO, *SOLVERS])
        check_choice("groups", self.groups, [PAIRS, MEMBERS])

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of a relation, with links met where the data do not speak against them."""
        rng = generator(seed)
        problem = checked_graph_problem(star, constraints, self.n_clusters)
        fitter = StarFitter(star, problem, Splitter(problem, self.solver, rng, self.groups), self.n_clusters, seed)
        with one_thread():
            if isinstance(self.lam, str) and any(map(len, constraints.values())):
                return self._choose_lambda(fitter, constraints, rng, progress)
            lam = USUAL if isinstance(self.lam, str) else self.lam
            return self._fits(fitter, constraints, [lam], progress)[0]

    def _fits(
        self, fitter: StarFitter, constraints: Constraints, lams: Sequence[float], progress: Progress = silent
    ) -> list[Clustering]:
        """Return the fits for some weights of links."""
        if self.n_clusters <= 2:
            return fitter.cuts(constraints, lams, progress)
        two_way = replace(self, n_clusters=2)
        return [fitter.bisect(constraints, replace(two_way, lam=lam), lam, progress) for lam in lams]

    def _trials(
        self, fitter: StarFitter, constraints: Constraints, lams: Sequence[float], progress: Progress = silent
    ) -> list[Clustering]:
        """Return fits of which one at the most is kept; that others did not settle helps nobody."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", UNSETTLED, RuntimeWarning)
            return self._fits(fitter, constraints, lams, progress)

    def _choose_lambda(
        self, fitter: StarFitter, constraints: Constraints, rng: np.random.Generator, progress: Progress
    ) -> Clustering:
        """Return the fit with the weight of links that is to be taken, and what the others of the grid give."""
        fits = partial(self._trials, fitter)
        hidden = hidden_parts(fitter.star, constraints, rng) if self.lam == AUTO else []
        whole = fits(constraints, GRID, progress)
        if self.lam == PATH:
            (found,) = self._fits(fitter, constraints, [USUAL], progress)
            return replace(found, tried=_trial_rows(fitter, constraints, whole, USUAL))
        prediction, steady = cross_validate(constraints, hidden, whole, fits, progress)
        chosen = CAUTIOUS if prediction is None else prediction.best
        place = GRID.index(chosen)
        sure = confirm_by_halves(
            constraints, hidden, whole[place], steady[place], lambda known: fits(known, [chosen])[0]
        )
        found = hold_unlinked(constraints, whole[0], whole[place], sure)
        if not found.converged:
            warnings.warn(UNSETTLED, RuntimeWarning, stacklevel=4)
        return replace(found, tried=_trial_rows(fitter, constraints, whole, chosen, prediction))


def _trial_rows(
    fitter: StarFitter,
    constraints: Constraints,
    whole: Sequence[Clustering],
    chosen: float,
    prediction: Prediction | None = None,
) -> tuple[Mapping[str, float], ...]:
    """Return what each weight of the grid gives, in rows to be shown."""
    rows = []
    for place, (lam, found) in enumerate(zip(GRID, whole, strict=True)):
        held_out = {} if prediction is None else {"held out met": float(prediction.shares[place])}
        told = {"lambda": lam, **fitter.record(found, constraints), **held_out}
        rows.append({**told, "chosen": lam == chosen})
    return tuple(rows)


def _check_weight(lam: object) -> None:
    try:
        check_number("lam", lam, least=0.0, most=1e6)
    except ParameterError:
        raise ParameterError(f"lam must be a number from 0 to 1e+06, {AUTO} or {PATH}, was {lam!r}") from None
