"""One cut in two by L1: from a frame and links to sides, and what they say of the links."""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphmine.linalg.l1 import L1Cut, PenalisedCut, Solver, l1_cut
from graphmine.linalg.l1_dual import BoxDual
from graphmine.linalg.l1_firstorder import FirstOrder
from graphmine.linalg.l1_reference import Reference
from graphmine.linalg.l1_start import Start, free_cut
from graphmine.linalg.rounding import halved, partition_value, settled
from graphmine.methods.graphs import Frame
from graphmine.methods.pairs import Pairs, pairs_of
from graphmine.model import UNPLACED, Constraints
from graphmine.progress import Progress

__all__ = ["AUTO", "SOLVERS", "Sides", "resettled", "sided"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
Trust = dict[tuple[str, str], Numbers]

AUTO = "auto"
"""Stands for ``dual`` where it can be had, and ``firstorder`` for larger graphs."""

SOLVERS: dict[str, Callable[[PenalisedCut], Solver]] = {"dual": BoxDual, "firstorder": FirstOrder, "cvxpy": Reference}

_FACTORED = 4_000
"""Vertices, and pairs, up to which ``auto`` factorises: random graphs fill in, and G has p² numbers for p pairs."""

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
    """

    labels: Integers
    trace: tuple[float, ...]
    gap: float
    converged: bool
    trust: Trust

    @property
    def contradicted(self) -> int:
        """How many links are not met exactly."""
        return sum(int(np.count_nonzero(each < 1)) for each in self.trust.values())


def sided(
    frame: Frame, constraints: Constraints, lam: float, solver: str, rng: np.random.Generator, progress: Progress
) -> Sides:
    """Return the two sides of a frame; one, where it has no two that are better than chance.

    >>> from graphmine import gallery
    >>> from graphmine.methods.graphs import framed
    >>> from graphmine.progress import silent
    >>> frame = framed(gallery.davis().arms[0], Constraints())
    >>> np.bincount(sided(frame, Constraints(), 0.1, "auto", np.random.default_rng(0), silent).labels).tolist()
    [17, 15]
    """
    free = PenalisedCut.free(frame.graph)
    if frame.n_vertices < 2:
        return Sides(np.zeros(frame.n_vertices, dtype=np.int64), (0.0,), 0.0, True, {})
    progress("vector", 0, 2)
    start = free_cut(free, rng)
    pairs = pairs_of(constraints, frame, start.y * free.degrees**-0.5)
    progress("outer steps", 1, 2)
    cut = _penalised(frame, pairs, lam)
    found = _searched(cut, start, solver)
    progress("outer steps", 2, 2)
    told = len(cut.bounds) > 0 or start.likeness > _NOTHING
    labels = _halves(cut, free, found.x) if told else None
    if labels is None:
        labels = np.zeros(frame.n_vertices, dtype=np.int64)
    trust = pairs.trust(constraints, _distances(pairs, found.z, free))
    return Sides(labels, found.trace, found.gap, found.converged, trust)


def _halves(cut: PenalisedCut, free: PenalisedCut, x: Numbers) -> Integers | None:
    """Return the clusters that a vector tells; None where they cut no less of the graph than chance would.

    Two clusters drawn by chance cut 1: each of them the other one's share of all weight.
    """
    labels = halved(cut, x)
    if labels is None:
        return None
    labels = settled(cut, labels, 2)
    return labels if 2 * partition_value(free, labels, 2) < 1 else None


def resettled(
    frame: Frame, constraints: Constraints, labels: Integers, lam: float, rng: np.random.Generator
) -> Integers:
    """Return clusters of vertices, however many, after single ones have moved to where they fit better.

    Splits in two place each vertex with half of all clusters before it is known which these are; some are better off
    elsewhere in the end.
    """
    cut = PenalisedCut.free(frame.graph)
    if constraints:  # groups are stars around the same members as in the first split
        pairs = pairs_of(constraints, frame, free_cut(cut, rng).y * cut.degrees**-0.5)
        cut = _penalised(frame, pairs, lam)
    return settled(cut, labels, 1 + int(labels.max()))


def _penalised(frame: Frame, pairs: Pairs, lam: float) -> PenalisedCut:
    """Return the cut with the pairs of two vertices in it, λ being scaled so that it means the same at all sizes."""
    live = pairs.live
    scale = np.sqrt(frame.graph.sum()) / np.count_nonzero(frame.vertex != UNPLACED)
    return PenalisedCut(frame.graph, pairs.ends[live], pairs.alike[live], lam * scale * pairs.weight[live])


def _searched(cut: PenalisedCut, start: Start, solver: str) -> L1Cut:
    """Return where the outer steps lead; without pairs, the start is the best already."""
    if not len(cut.bounds):
        return L1Cut(start.y * cut.degrees**-0.5, np.empty(0), (cut.value(start.y),), 0.0, start.converged)
    found = l1_cut(cut, start.y, _solver(cut, solver))
    if not found.converged:
        warnings.warn("the outer steps of L1 ran out before it settled", RuntimeWarning, stacklevel=4)
    return found


def _solver(cut: PenalisedCut, name: str) -> Solver:
    if name == AUTO:
        name = "dual" if max(len(cut.degrees), len(cut.bounds)) <= _FACTORED else "firstorder"
    return SOLVERS[name](cut)


def _distances(pairs: Pairs, z: Numbers, free: PenalisedCut) -> Numbers:
    """Return how far each pair is from being met, in parts of the distance of two clusters of one weight.

    Of pairs of one vertex those that should be alike are met, and the others as far from it as can be.
    """
    distances = np.where(pairs.alike, 0.0, 1.0)
    distances[pairs.live] = np.abs(z) * np.sqrt(free.degrees.sum()) / 2
    return distances
