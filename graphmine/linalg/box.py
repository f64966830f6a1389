"""Quadratic programs over a box, by projected Newton steps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

__all__ = ["BoxMinimum", "box_minimum"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

_RIDGE = 1e-10
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
    s = np.minimum(np.maximum(start, -bounds), bounds)
    gradient = Q @ s - c
    gap = _gap(s, gradient, bounds)
    for _ in range(max_steps):
        if gap <= tolerance:
            break
        free = np.flatnonzero((np.abs(s) < bounds) | (s * gradient > 0))
        moved = _searched(Q, s, gradient, bounds, _newton(Q, gradient, free))
        if moved is None:
            moved = _searched(Q, s, gradient, bounds, -gradient / _greatest_row(Q))
        if moved is None:  # rounding is all that is left of the gap
            break
        s = moved
        gradient = Q @ s - c
        gap = _gap(s, gradient, bounds)
    return BoxMinimum(s, gap)


def _gap(s: Numbers, gradient: Numbers, bounds: Numbers) -> float:
    return float(bounds @ np.abs(gradient) + s @ gradient)


def _greatest_row(Q: Numbers) -> float:
    """Return a bound of the greatest eigenvalue."""
    return float(np.abs(Q).sum(axis=1).max(initial=np.finfo(np.float64).tiny))


def _newton(Q: Numbers, gradient: Numbers, free: Integers) -> Numbers:
    """Return the step that would end at the minimum over the free components, were there no bounds."""
    step, part = np.zeros_like(gradient), Q[free[:, None], free]
    diagonal = part.ravel()[:: len(free) + 1]
    ridge, own = _RIDGE * float(diagonal.max(initial=0.0)) or 1.0, diagonal.copy()
    while True:
        diagonal[:] = own + ridge
        _, found, failed = dposv(part.T, -gradient[free], lower=True)  # symmetric, and in the order of LAPACK
        if not failed:
            step[free] = found
            return step
        ridge *= 100


def _searched(Q: Numbers, s: Numbers, gradient: Numbers, bounds: Numbers, step: Numbers) -> Numbers | None:
    """Return the first point of a step, of its half, its quarter, ... that brings what it promises; else None."""
    for halvings in range(_HALVINGS):
        moved = np.minimum(np.maximum(s + 0.5**halvings * step, -bounds), bounds)
        by = moved - s
        slope = float(gradient @ by)
        if slope < 0 and slope + 0.5 * float(by @ (Q @ by)) <= _ARMIJO * slope:
            return moved
    return None
