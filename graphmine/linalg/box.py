"""Quadratic programs over a box, by projected Newton steps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

__all__ = ["BoxMinimum", "box_minimum"]

Numbers = NDArray[np.float64]

_RIDGE = 1e-13
"""What is added to the diagonal, in parts of its greatest entry, before a factorisation: Q may be singular."""

_ARMIJO = 1e-4
"""A step has to bring so much of what its slope promises."""

_HALVINGS = 40


class BoxMinimum(NamedTuple):
    """Where a quadratic function is least within a box, and by how much at the most it is missed."""

    s: Numbers
    gap: float


def box_minimum(
    Q: Numbers, c: Numbers, bounds: Numbers, start: Numbers, *, tolerance: float, max_steps: int = 200
) -> BoxMinimum:
    """Return the s with |s| ≤ bounds that minimises ½ s'Qs - c's, Q being symmetric and without negative eigenvalues.

    Parameters
    ----------
    Q, c, bounds
        The function and the box.
    start
        Where to begin; it is brought into the box.
    tolerance
        The gap to stop at.
    max_steps
        So many steps are made at the most.

    Notes
    -----
    With g = Qs - c, the least value is at most bounds'|g| + s'g below that of s, which is the gap. A step solves the
    system of the components that are not held at a bound, and goes back along its projection onto the box until the
    function falls. Where that fails, the step is one along the projected gradient.

    A step costs O(f³) for f free components, and O(p²) for all p.

    References
    ----------
    D. P. Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control
    Optim. 1982.

    Examples
    --------
    >>> Q = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> found = box_minimum(Q, np.array([3.0, 2.0]), np.array([1.0, 1.0]), np.zeros(2), tolerance=1e-12)
    >>> found.s.round(9).tolist(), found.gap < 1e-12
    ([1.0, 0.5], True)
    """
    s, slowest = np.clip(start, -bounds, bounds), _greatest_row(Q)
    gradient = Q @ s - c
    for _ in range(max_steps):
        if _gap(s, gradient, bounds) <= tolerance:
            break
        free = ~(((s >= bounds) & (gradient < 0)) | ((s <= -bounds) & (gradient > 0)))
        moved = _searched(Q, s, gradient, bounds, _newton(Q, gradient, free))
        if moved is None:
            moved = _searched(Q, s, gradient, bounds, -gradient / slowest)
        if moved is None:  # rounding is all that is left of the gap
            break
        s = moved
        gradient = Q @ s - c
    return BoxMinimum(s, _gap(s, gradient, bounds))


def _gap(s: Numbers, gradient: Numbers, bounds: Numbers) -> float:
    return float(bounds @ np.abs(gradient) + s @ gradient)


def _greatest_row(Q: Numbers) -> float:
    """Return a bound of the greatest eigenvalue."""
    return float(np.abs(Q).sum(axis=1).max(initial=np.finfo(np.float64).tiny))


def _newton(Q: Numbers, gradient: Numbers, free: NDArray[np.bool_]) -> Numbers:
    """Return the step that would end at the minimum over the free components, were there no bounds."""
    step, part = np.zeros_like(gradient), Q[np.ix_(free, free)]
    ridge = _RIDGE * float(np.diagonal(part).max(initial=0.0)) or 1.0
    while True:
        try:
            factor = cho_factor(part + ridge * np.eye(len(part)), lower=True, check_finite=False)
        except LinAlgError:
            ridge *= 100
        else:
            step[free] = -cho_solve(factor, gradient[free], check_finite=False)
            return step


def _searched(Q: Numbers, s: Numbers, gradient: Numbers, bounds: Numbers, step: Numbers) -> Numbers | None:
    """Return the first point of a step, of its half, its quarter, ... that brings what it promises; else None."""
    for halvings in range(_HALVINGS):
        moved = np.clip(s + 0.5**halvings * step, -bounds, bounds)
        by = moved - s
        slope = float(gradient @ by)
        if slope < 0 and slope + 0.5 * float(by @ (Q @ by)) <= _ARMIJO * slope:
            return moved
    return None
