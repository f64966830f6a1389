"""Normalised cuts with absolute penalties: min ½ x'Lx + Σ bᵣ |Cᵣx| so that d'x = 0 and x'Dx = 1 (Kawale, Boley)."""

from abc import ABC, abstractmethod
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from graphmine.arrays import Floats
from graphmine.linalg.l1.penalised_cut import CutPoint, PenalisedCut

__all__ = ["DAMPING", "CutPoint", "InnerSolution", "InnerSolver", "L1Cut", "PenalisedCut", "inner_gap", "l1_cut"]


_NO_PAIRS = np.empty(0)

DAMPING = 1e-3
"""μ. Smaller ones cost digits, H = L + 2μD being as ill-conditioned as 1/μ, and save no steps unless far below 0."""


class InnerSolution(NamedTuple):
    """What solves problem (4.10) for one starting point.

    Parameters
    ----------
    point
        The solution, feasible whatever the gap is.
    dual
        One number a pair, within the bounds; at a bound for pairs that are not met.
    gap
        By how much the objective of the solution can be above the least one, at the most.
    """

    point: CutPoint
    dual: Floats
    gap: float


def inner_gap(
    cut: PenalisedCut,
    y: Floats,
    inner: CutPoint,
    dual: Floats,
    *,
    damping: float = DAMPING,
    curvature: float = 2 * DAMPING,
) -> float:
    """Return by how much a feasible point of (4.10) can be above the least objective, at the most.

    With v the point, s the dual and r the gradient Hv + C's within the feasible directions, that is
    λ‖Cv‖₁ - s'Cv + ‖r‖² / 2κ: what the dual of v would be if v were the best for s, and what v misses of being that,
    as no feasible direction has a curvature below κ. That is 2μ; a solver with a μ of its own has to know its κ. It is
    a true bound for any v and any s within the bounds.

    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> round(inner_gap(cut, y, cut.point(y), np.zeros(1)), 6)  # the second eigenvector, whose pair is not met
    0.612372
    """
    gradient = (1 + 2 * damping) * inner.y - inner.image + cut.pair_forces(dual)
    gradient -= cut.trivial * cut.trivial.dot(gradient) + y * y.dot(gradient)
    return float(cut.bounds.dot(np.abs(inner.z)) - dual.dot(inner.z) + gradient.dot(gradient) / (2 * curvature))


class InnerSolver(ABC):
    """Solves the inner problems of one cut."""

    _cut: PenalisedCut

    @abstractmethod
    def __call__(self, here: CutPoint, dual: Floats, enough: float, /) -> InnerSolution:
        """Return the solution of (4.10) for a starting point, from a guess of the dual, up to a gap if it can."""

    def with_bounds(self, cut: PenalisedCut) -> Self:
        """Return a solver of the same cut with other bounds, which shares everything that was prepared for this one."""
        other = copy(self)
        other._cut = cut
        return other


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
        That of the last inner problem, `InnerSolution.gap`: how accurate the last step was.
    converged
        Whether a step brought next to nothing, and was accurate enough to be believed in that.
    dual
        That of the last inner problem, one number a pair: where to begin with other bounds.
    """

    x: Floats
    z: Floats
    trace: tuple[float, ...]
    gap: float
    converged: bool
    dual: Floats = _NO_PAIRS


_MET = 1e-9
"""Values of Cx up to so much of the greatest entries of x are rounding."""


_STRETCHES = np.array([1.0, *(1 + 2.0**power for power in range(-2, 11))])
"""How many times the length of a step is tried."""

_POWERS = np.stack([np.ones_like(_STRETCHES), _STRETCHES, _STRETCHES**2])
"""What the coefficients of a quadratic function are multiplied with for its values at all stretches."""

_ALONG = np.ascontiguousarray(_POWERS[:2].T)
"""The same for a linear function, a row a stretch."""

_SHARE = 0.1
"""Inner problems are solved to so much of what the last step brought, but no closer than to what the last one may."""

_ACCELERATE_AFTER = 10
"""After so many steps each is taken on along the way of the last two as well; shorter searches gain nothing by that."""

_BELIEVED, _IDLE = 100, 50
"""A step that brings next to nothing is believed to be the last if its gap is up to so many times what it might have
brought, and is the last one in any case after so many of them."""

_IMAGE_ERROR, _NOTHING = 1e3, 1e-15
"""Images whose error may have grown by so much are computed anew; steps that bring no more than this are rounding."""

_INSIDE = 1e-6
"""A dual below its bound by so much of it belongs to a pair that is met, however roughly the solution shows it."""


def l1_cut(
    cut: PenalisedCut,
    start: Floats,
    solve: InnerSolver,
    *,
    dual: Floats | None = None,
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
        Solves the inner problems: `graphmine.linalg.l1.dual.BoxDual` and the like.
    dual
        A guess of the dual, such as `L1Cut.dual` for bounds nearby; unless told, all pairs that the start does not meet
        pull with all their weight.
    tolerance
        A step that lowers the objective by less than so much of it is the last, if its gap is up to 100 times that.
    max_steps
        So many steps are made at the most.

    Notes
    -----
    As x'Dx̂ = 1 in (4.10), its damping μ‖x̂ - x‖² is μ x̂'Dx̂ less a constant, so that all inner problems share one
    matrix H = L + 2μD. The theorem that each step is one of descent holds as printed for any μ ≥ 0, and the fewer steps
    are needed the smaller μ is; the printed "6 to 8" are not enough for a tight tolerance. It also holds for a μ below
    0 that leaves no negative curvature: x̂ with r² = x̂'Dx̂ ≥ 1 has ½ x̂'Hx̂ + λ‖Cx̂‖₁ up to that of x, both terms are
    none below 0, and the objective of x̂ / r is the first over r² and the second over r, less μ. As with inverse
    iteration, steps are many where the graph has several vectors nearly as good, so that each step is taken further if
    that lowers the objective, and after ten of them on along the way of the last two. Pairs that are met at both ends
    are met all along. It costs no product with the graph, whose images of sums are sums of images.

    The proof of the theorem asks of an inner solution only that it is better than the starting point, so that inner
    problems are solved as closely as the last step tells that it is worth.

    References
    ----------
    J. Kawale, D. Boley: Constrained spectral clustering using L1 regularization. SDM 2013.

    Examples
    --------
    >>> from graphmine.linalg.l1.dual import BoxDual
    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 4.0, 1.0, 0.0], [4.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 4.0], [0.0, 1.0, 4.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([2.0]))
    >>> found = l1_cut(cut, np.array([0.5, 0.5, -0.5, -0.5]), BoxDual(cut))
    >>> np.abs(found.x).round(3).tolist(), found.z.tolist(), found.converged
    ([0.0, 0.316, 0.0, 0.316], [0.0], True)
    """
    here, before, trace = cut.point(start), None, [cut.value(start)]
    dual = cut.bounds * np.sign(here.z) if dual is None else dual
    fall, idle, converged = trace[0], 0, False
    for number in range(max_steps):  # step 1
        least = max(tolerance * abs(trace[-1]), _NOTHING)
        inner = solve(here, dual, max(_SHARE * fall, least))  # step 2
        way = before if number >= _ACCELERATE_AFTER else None
        moved = _with_exact_images(cut, _extrapolate(cut, here, way, inner.point))  # steps 3 to 5
        value, dual = cut.value_at(moved), inner.dual
        fall = max(trace[-1] - value, 0.0)
        if fall > _NOTHING:
            trace.append(value)
            here, before = moved, here
        idle = idle + 1 if fall <= least else 0
        converged = idle > 0 and inner.gap <= _BELIEVED * least
        if converged or idle == _IDLE:
            break
    x = here.y * cut.degrees**-0.5
    z = _unmet_values(cut, here.z, dual, _MET * float(np.abs(x).max()))
    return L1Cut(x, z, tuple(trace), inner.gap, converged, dual)


def _extrapolate(cut: PenalisedCut, here: CutPoint, before: CutPoint | None, moved: CutPoint) -> CutPoint:
    """Return the lowest point found on the way that a step takes, and then on that of it and the step before it."""
    found = _lowest_along(cut, here, moved)
    return found if before is None else _lowest_along(cut, before, found)


def _lowest_along(cut: PenalisedCut, here: CutPoint, there: CutPoint) -> CutPoint:
    """Return the lowest of the points tried on a way, at its end or beyond."""
    step, z = there.y - here.y, there.z - here.z
    squares = here.y.dot(here.y), 2 * here.y.dot(step), step.dot(step)
    products = here.y.dot(here.image), 2 * step.dot(here.image), step.dot(there.image - here.image)
    square, likeness = np.array([squares, products]) @ _POWERS
    along = _ALONG.dot(np.array([here.z, z]))
    penalty = np.abs(along, out=along).dot(cut.bounds)
    values = 0.5 * (1 - likeness / square) + penalty / np.sqrt(square)
    return here.towards(there, float(_STRETCHES[values.argmin()]))


def _with_exact_images(cut: PenalisedCut, point: CutPoint) -> CutPoint:
    """Return a point whose images are as exact as products are."""
    return point if point.error <= _IMAGE_ERROR else cut.point(cut.feasible(point.y))


def _unmet_values(cut: PenalisedCut, z: Floats, dual: Floats, rounding: float) -> Floats:
    """Return Cx, with 0 for pairs that are met up to rounding, and for those whose dual is not at its bound."""
    return np.where((np.abs(dual) >= (1 - _INSIDE) * cut.bounds) & (np.abs(z) > rounding), z, 0.0)
