"""Normalised cuts with absolute penalties: min ½ x'Lx + Σ bᵣ |Cᵣx| so that d'x = 0 and x'Dx = 1 (Kawale, Boley)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.linalg.bipartite import scaled

__all__ = ["DAMPING", "Inner", "L1Cut", "PenalisedCut", "Solver", "inner_gap", "l1_cut"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


_NO_PAIRS = np.empty(0)

_SHARED = "degrees", "adjacency", "trivial", "rows"
"""What is the same whatever the bounds of a cut are."""

DAMPING = 1e-3
"""μ. Smaller ones save no more steps, and cost digits: H = L + 2μD is as ill-conditioned as 1/μ."""


@dataclass(frozen=True, eq=False)
class PenalisedCut:
    """A graph to be cut in two, and pairs of its vertices that should be, or not be, on one side.

    Parameters
    ----------
    graph
        W, symmetric, without negative weights, and with some weight at every vertex. What stands on the diagonal adds
        to the degree d of a vertex and is never cut.
    ends
        The two vertices of each pair, a row a pair; they must differ.
    alike
        Whether a pair should be on one side, which makes (-1, +1) its row of C, or not, which makes it (+1, +1).
    bounds
        λ times the weight of each pair; where it is 0, a pair does not count.

    Notes
    -----
    All is computed for y = D^½ x, which has length 1 and is orthogonal to D^½ 1: there L is I - A with
    A = D^-½ W D^-½, and C is C D^-½.

    Examples
    --------
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> cut.rows.toarray().round(3).tolist(), round(cut.value(y), 6)
    ([[-0.707, 0.0, 1.0]], 1.112372)
    """

    graph: csr_array
    ends: Integers
    alike: NDArray[np.bool_]
    bounds: Numbers

    @classmethod
    def free(cls, graph: csr_array) -> "PenalisedCut":
        """Return the cut of a graph without any pairs."""
        return cls(graph, np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.bool_), np.empty(0))

    def bounded(self, bounds: Numbers) -> Self:
        """Return the same cut with other bounds; what does not depend on them is computed once for both.

        >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
        >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
        >>> other = cut.bounded(np.array([0.1]))
        >>> other.bounds.tolist(), other.rows is cut.rows
        ([0.1], True)
        """
        other = replace(self, bounds=bounds)
        vars(other).update({name: getattr(self, name) for name in _SHARED})
        return other

    @cached_property
    def degrees(self) -> Numbers:
        """The d of all vertices."""
        return np.asarray(self.graph.sum(axis=1), dtype=np.float64)

    @cached_property
    def adjacency(self) -> csr_array:
        """A, the normalised graph."""
        scale = self.degrees**-0.5
        return scaled(self.graph, scale, scale)

    @cached_property
    def trivial(self) -> Numbers:
        """The vector of length 1 that all cuts are orthogonal to."""
        trivial: Numbers = np.sqrt(self.degrees / self.degrees.sum())
        return trivial

    @cached_property
    def rows(self) -> csr_array:
        """C D^-½, a row a pair."""
        signs = np.stack([np.where(self.alike, -1.0, 1.0), np.ones(len(self.alike))], axis=1)
        entries = (signs * self.degrees[self.ends] ** -0.5).ravel()
        places = np.repeat(np.arange(len(self.ends)), 2), self.ends.ravel()
        return csr_array((entries, places), shape=(len(self.ends), len(self.degrees)))

    def feasible(self, y: Numbers) -> Numbers:
        """Return y without what it has of the trivial vector, and of length 1."""
        projected: Numbers = y - self.trivial * (self.trivial @ y)
        return projected / float(np.linalg.norm(projected))

    def value(self, y: Numbers) -> float:
        """Return the objective of y."""
        return 0.5 * float(y @ y - y @ (self.adjacency @ y)) + float(self.bounds @ np.abs(self.rows @ y))


class Inner(NamedTuple):
    """What solves problem (4.10) for one starting point.

    Parameters
    ----------
    y
        The solution, feasible whatever the gap is.
    dual
        One number a pair, within the bounds; at a bound for pairs that are not met.
    gap
        By how much the objective of y can be above the least one, at the most.
    """

    y: Numbers
    dual: Numbers
    gap: float


def inner_gap(cut: PenalisedCut, y: Numbers, inner: Numbers, dual: Numbers, damping: float) -> float:
    """Return by how much a feasible point of (4.10) can be above the least objective, at the most.

    With v the point, s the dual and r the gradient Hv + C's within the feasible directions, that is
    λ‖Cv‖₁ - s'Cv + ‖r‖² / 4μ: what the dual of v would be if v were the best for s, and what v misses of being that,
    as no direction has a curvature below 2μ. It is a true bound for any v and s.

    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> round(inner_gap(cut, y, y, np.zeros(1), 0.1), 6)  # the second eigenvector, whose pair is not met
    0.612372
    """
    z = cut.rows @ inner
    gradient = (1 + 2 * damping) * inner - cut.adjacency @ inner + cut.rows.T @ dual
    gradient -= cut.trivial * (cut.trivial @ gradient) + y * (y @ gradient)
    return float(cut.bounds @ np.abs(z) - dual @ z + gradient @ gradient / (4 * damping))


class Solver(Protocol):
    """Solves the inner problems of one cut."""

    def __call__(self, y: Numbers, dual: Numbers, /) -> Inner:
        """Return the solution of (4.10) for a starting point, from a guess of the dual, which may be any numbers."""
        ...

    def bounded(self, cut: PenalisedCut) -> Self:
        """Return a solver of the same cut with other bounds, which shares all that was made ready for this one."""
        ...


class L1Cut(NamedTuple):
    """Where the outer steps ended.

    Parameters
    ----------
    x
        The solution in the paper's own units, x'Dx = 1.
    z
        Cx, one number a pair: 0 where it is met.
    trace
        The objective of the start and after each step; it never rises.
    gap
        The largest duality gap of an inner problem.
    converged
        False where the steps ran out.
    dual
        That of the last inner problem, one number a pair: where to begin with other bounds.
    """

    x: Numbers
    z: Numbers
    trace: tuple[float, ...]
    gap: float
    converged: bool
    dual: Numbers = _NO_PAIRS


_MET = 1e-9
"""Values of Cx up to so much of the greatest entries of x are rounding."""


_STRETCHES = tuple(2.0**power for power in range(1, 11))
"""How many times the length of a step is tried, one after the other."""

_INSIDE = 1e-6
"""A dual below its bound by so much of it belongs to a pair that is met, however roughly the solution shows it."""


def l1_cut(
    cut: PenalisedCut,
    start: Numbers,
    solve: Solver,
    *,
    dual: Numbers | None = None,
    tolerance: float = 1e-10,
    max_steps: int = 1000,
) -> L1Cut:
    """Go down from a start by the paper's Algorithm 1, until a step brings less than a part of the objective.

    Parameters
    ----------
    cut
        What is minimised.
    start
        A vector y of length 1, orthogonal to `PenalisedCut.trivial`.
    solve
        Solves the inner problems: `graphmine.linalg.l1_dual.BoxDual` and the like.
    dual
        A guess of the dual, such as `L1Cut.dual` for bounds nearby; 0 unless told.
    tolerance
        A step that lowers the objective by less than so much of it is the last.
    max_steps
        So many steps are made at the most.

    Notes
    -----
    As x'Dx̂ = 1 in (4.10), its damping μ‖x̂ - x‖² is μ x̂'Dx̂ less a constant, so that all inner problems share one
    matrix H = L + 2μD. The theorem that each step is one of descent holds as printed for any μ ≥ 0, and the fewer steps
    are needed the smaller μ is; the printed "6 to 8" are not enough for a tight tolerance. As with inverse iteration,
    they are many where the graph has several vectors nearly as good, so that a step is taken further as long as that
    lowers the objective. Pairs that are met at both of its ends are met all along.

    References
    ----------
    J. Kawale, D. Boley: Constrained spectral clustering using L1 regularization. SDM 2013.

    Examples
    --------
    >>> from graphmine.linalg.l1_dual import BoxDual
    >>> graph = csr_array([[0.0, 4.0, 1.0, 0.0], [4.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 4.0], [0.0, 1.0, 4.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([2.0]))
    >>> found = l1_cut(cut, np.array([0.5, 0.5, -0.5, -0.5]), BoxDual(cut))
    >>> np.abs(found.x).round(3).tolist(), found.z.tolist(), found.converged
    ([0.0, 0.316, 0.0, 0.316], [0.0], True)
    """
    y, trace, gap, converged = start, [cut.value(start)], 0.0, False
    dual = np.zeros(len(cut.bounds)) if dual is None else dual
    for _ in range(max_steps):  # step 1
        inner = solve(y, dual)  # step 2
        moved, value = _further(cut, y, cut.feasible(inner.y))  # steps 3 to 5
        fall, dual, gap = trace[-1] - value, inner.dual, max(gap, inner.gap)
        if fall > 0:
            y = moved
            trace.append(value)
        converged = fall <= tolerance * abs(value)
        if converged:
            break
    x = y * cut.degrees**-0.5
    z = _contradicted(cut, y, dual, _MET * float(np.abs(x).max()))
    return L1Cut(x, z, tuple(trace), gap, converged, dual)


def _further(cut: PenalisedCut, y: Numbers, moved: Numbers) -> tuple[Numbers, float]:
    """Return the lowest point found on the way that a step has taken, at its end or beyond, and its objective."""
    best, value = moved, cut.value(moved)
    for stretch in _STRETCHES:
        tried = cut.feasible(y + stretch * (moved - y))
        now = cut.value(tried)
        if now >= value:
            break
        best, value = tried, now
    return best, value


def _contradicted(cut: PenalisedCut, y: Numbers, dual: Numbers, rounding: float) -> Numbers:
    """Return Cx, with 0 for pairs that are met up to rounding, and for those whose dual is not at its bound."""
    z = cut.rows @ y
    return np.where((np.abs(dual) >= (1 - _INSIDE) * cut.bounds) & (np.abs(z) > rounding), z, 0.0)
