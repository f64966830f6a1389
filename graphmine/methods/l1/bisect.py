"""Two clusters by L1, for one weight of links after another: the paper's steps on one graph."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.linalg.l1.cut import InnerSolver, L1Cut, PenalisedCut, l1_cut
from graphmine.linalg.l1.dual import BoxDual
from graphmine.linalg.l1.first_order import FirstOrder
from graphmine.linalg.l1.reference import Reference
from graphmine.linalg.l1.rounding import best_halves, move_vertices, partition_value
from graphmine.linalg.l1.start import Start, free_cut
from graphmine.methods.graph_problem import GraphProblem
from graphmine.methods.link_rows import PAIRS, LinkPairs, link_pairs
from graphmine.model import UNPLACED, Constraints
from graphmine.progress import Progress, silent

__all__ = ["AUTO", "SOLVERS", "UNSETTLED", "Sides", "Splitter", "Trust"]

Trust = dict[tuple[str, str], Floats]

AUTO = "auto"
"""Stands for ``dual`` where it can be had, and ``firstorder`` for larger graphs."""

SOLVERS: dict[str, Callable[[PenalisedCut], InnerSolver]] = {
    "dual": BoxDual,
    "firstorder": FirstOrder,
    "cvxpy": Reference,
}

UNSETTLED = "the outer steps of L1 ran out before it settled"

_FACTORED = 500
"""Vertices, and pairs, up to which ``auto`` takes ``dual``; with 800 it takes three times as long as ``firstorder``."""

_NOTHING = 1e-8
"""A likeness (that of an uncut graph is 1) below which a vector is rounding, not structure."""


class Sides(NamedTuple):
    """The side of each vertex, 0 or 1, and how it was found.

    Parameters
    ----------
    labels
        All 0 where there are no two sides.
    trace, gap, converged
        Those of the outer steps.
    trust
        For each link, how near it came to being met.
    belonging
        For each node, how near it came to the groups that it must be with.
    """

    labels: Ints
    trace: tuple[float, ...]
    gap: float
    converged: bool
    trust: Trust
    belonging: dict[str, Floats]


class Splitter:
    """A frame that is to be cut in two, with whatever links, and however much these weigh.

    Parameters
    ----------
    frame
        What is cut.
    solver
        A name out of `SOLVERS`, or `AUTO`.
    rng
        Draws where the search for the vector of the graph begins.
    groups
        How much groups weigh, as in `graphmine.methods.link_rows.link_pairs`.

    Examples
    --------
    >>> from graphmine import gallery
    >>> from graphmine.methods.graph_problem import graph_problem
    >>> splitter = Splitter(graph_problem(gallery.davis().arms[0], Constraints()), AUTO, np.random.default_rng(0))
    >>> np.bincount(splitter.sides(Constraints(), 0.1).labels).tolist()
    [17, 15]
    """

    def __init__(self, problem: GraphProblem, solver: str, rng: np.random.Generator, groups: str = PAIRS) -> None:
        self._problem, self._solver, self._rng, self._groups = problem, solver, rng, groups
        self.free = PenalisedCut.free(problem.graph)

    @cached_property
    def _start(self) -> Start:
        if self._problem.n_vertices == 1:  # hard must-links tie all there is
            return Start(np.zeros(1), 0.0, True)
        return free_cut(self.free, self._rng)

    def sides(self, constraints: Constraints, lam: float, progress: Progress = silent) -> Sides:
        """Return the two sides for one weight of links; one, where there are no two that are better than chance."""
        return next(self.path(constraints, [lam], progress))

    def path(self, constraints: Constraints, lams: Sequence[float], progress: Progress = silent) -> Iterator[Sides]:
        """Give the sides for one weight of links after another, each search going on where the one before ended."""
        start, pairs = self._start.y, self.pairs(constraints)
        cut, dual, solve, before = self.penalised_cut(pairs, 1.0), np.zeros(np.count_nonzero(pairs.live)), None, 0.0
        told = self._start.likeness > _NOTHING
        for number, lam in enumerate(lams):
            progress("outer steps", number, len(lams))
            cut = cut.with_bounds(self._bounds(pairs, lam))
            if not len(cut.bounds) or not lam:  # the start is the best already
                found = L1Cut(start * cut.degrees**-0.5, cut.rows @ start, (cut.value(start),), 0.0, True, dual)
            else:
                solve = solve.with_bounds(cut) if solve else self._make_solver(cut)
                found = _search(cut, start, solve, dual * (lam / before if before else 1.0))
                start, dual, before = found.x * cut.degrees**0.5, found.dual, lam
                told = True
            labels = _halves(cut, self.free, found.x) if told else None
            labels = np.zeros(self._problem.n_vertices, dtype=np.int64) if labels is None else labels
            distance = _distances(pairs, found.z, self.free)
            trust, belonging = pairs.trust(constraints, distance), pairs.belonging(self._problem, distance)
            yield Sides(labels, found.trace, found.gap, found.converged and self._start.converged, trust, belonging)
        progress("outer steps", len(lams), len(lams))

    def pairs(self, constraints: Constraints) -> LinkPairs:
        """Return links as pairs of vertices; groups are put in order by the vector of the graph alone."""
        return link_pairs(constraints, self._problem, self._start.y * self.free.degrees**-0.5, self._groups)

    def penalised_cut(self, pairs: LinkPairs, lam: float) -> PenalisedCut:
        """Return the cut with the pairs of two vertices in it."""
        live = pairs.live
        return PenalisedCut(self._problem.graph, pairs.ends[live], pairs.alike[live], self._bounds(pairs, lam))

    def move_vertices(self, constraints: Constraints, lam: float, labels: Ints) -> Ints:
        """Return clusters of vertices, however many, after single ones have moved to where they fit better.

        Splits in two place each vertex with half of all clusters before it is known which these are; some are better
        off elsewhere in the end.
        """
        cut = self.penalised_cut(self.pairs(constraints), lam) if constraints else self.free
        return move_vertices(cut, labels, 1 + int(labels.max()))

    def _bounds(self, pairs: LinkPairs, lam: float) -> Floats:
        """Return λ times the weights of pairs, scaled so that it means the same at all sizes."""
        scale = np.sqrt(self.free.degrees.sum()) / np.count_nonzero(self._problem.vertex != UNPLACED)
        bounds: Floats = lam * scale * pairs.weight[pairs.live]
        return bounds

    def _make_solver(self, cut: PenalisedCut) -> InnerSolver:
        name = self._solver
        if name == AUTO:
            name = "dual" if max(len(cut.degrees), len(cut.bounds)) <= _FACTORED else "firstorder"
        return SOLVERS[name](cut)


def _search(cut: PenalisedCut, start: Floats, solve: InnerSolver, dual: Floats) -> L1Cut:
    found = l1_cut(cut, start, solve, dual=dual)
    if not found.converged:
        warnings.warn(UNSETTLED, RuntimeWarning, stacklevel=5)
    return found


def _halves(cut: PenalisedCut, free: PenalisedCut, x: Floats) -> Ints | None:
    """Return the clusters that a vector tells; None where they cut no less of the graph than chance would.

    Two clusters drawn by chance cut 1: each of them the other one's share of all weight.
    """
    labels = best_halves(cut, x)
    if labels is None:
        return None
    labels = move_vertices(cut, labels, 2)
    return labels if 2 * partition_value(free, labels, 2) < 1 else None


def _distances(pairs: LinkPairs, z: Floats, free: PenalisedCut) -> Floats:
    """Return how far each pair is from being met, in parts of the distance of two clusters of one weight.

    Of pairs of one vertex those that should be alike are met, and the others as far from it as can be.
    """
    distances = np.where(pairs.alike, 0.0, 1.0)
    distances[pairs.live] = np.abs(z) * np.sqrt(free.degrees.sum()) / 2
    return distances
