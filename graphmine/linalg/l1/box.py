"""Quadratic programs over a box, by Newton steps within its faces and projected gradients from face to face."""

from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import ddot, dsymv
from scipy.linalg.lapack import dpotrf, dpotrs

from graphmine.arrays import Bools, Floats, Ints

__all__ = ["BoxMinimum", "BoxPrograms"]


_RIDGE = 1e-10
"""What is added to the diagonal, in parts of its greatest entry, before a factorisation: Q may be singular."""

_ARMIJO = 1e-4
"""A step has to bring so much of what its slope promises."""

_HALVINGS = 40

_GRADIENT_STEPS = 4
"""So many projected gradients are followed after a Newton step, or before the first one."""


class BoxMinimum(NamedTuple):
    """Where a quadratic function is least within a box, and by how much at the most it is missed."""

    s: Floats
    gap: float


class _Iterate(NamedTuple):
    """A point of a box, the gradient and the gap there, and how long a step along it the last one speaks for."""

    s: Floats
    gradient: Floats
    gap: float
    length: float


class BoxPrograms:
    """Minimises quadratic functions over boxes, all of which share a matrix.

    Parameters
    ----------
    Q
        Symmetric, without negative eigenvalues; it may be singular.

    Notes
    -----
    With g the gradient, the least value is at most bounds'|g| + s'g below that of s, which is the gap. A step solves
    the system of the components that are not held at a bound, and goes back along its projection onto the box until the
    function falls. Where many components are yet to find their bounds, such steps end far outside of the box, and what
    is left of them brings little: a few projected gradients follow each, which sort out many components at a time. They
    also come before the first one, unless its factor is there from the program before. How long they are, the
    curvature of the move before tells.

    A step costs O(f³) for f free components, and O(p²) for all p. As long as the same ones are free, also in one
    program after another, they are factorised once.

    References
    ----------
    - D. P. Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control
      Optim. 1982.
    - J. J. Moré, G. Toraldo: On the solution of large quadratic programming problems with bound constraints. SIAM J.
      Optim. 1991.

    Examples
    --------
    >>> programs = BoxPrograms(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> found = programs.minimum(np.array([3.0, 2.0]), np.array([1.0, 1.0]), np.zeros(2), tolerance=1e-12)
    >>> found.s.round(9).tolist(), found.gap < 1e-12
    ([1.0, 0.5], True)
    """

    def __init__(self, Q: Floats) -> None:
        self._Q = Q
        self._loose = b""  # which components are free, as bytes to compare
        self._free: Ints = np.empty(0, dtype=np.int64)
        self._factor: Floats = np.empty((0, 0))

    def minimum(
        self,
        c: Floats,
        bounds: Floats,
        start: Floats,
        *,
        tolerance: float,
        less: Floats | None = None,
        max_steps: int = 200,
    ) -> BoxMinimum:
        """Return the s with |s| ≤ bounds that minimises ½ s'(Q - uu')s - c's.

        Parameters
        ----------
        c, bounds
            The rest of the function, and the box.
        start
            Where to begin; it is brought into the box.
        tolerance
            The gap to stop at.
        less
            The vector u, which must leave no negative eigenvalue; none unless told.
        max_steps
            So many Newton steps are made at the most.
        """
        if not len(c):  # the products of BLAS, which begin sooner than those of numpy, take no empty vectors
            return BoxMinimum(c, 0.0)
        program = _Program(self._Q, c, bounds, np.zeros_like(c) if less is None else less)
        here = program.at(program.clip(start))
        for step in range(max_steps):
            if step > 1 and here.gap <= tolerance:
                here = program.at(here.s)  # the gradient was added up move by move, and rounding with it
            if here.gap <= tolerance:
                break
            loose = program.free_components(here)
            rough = step == 0 and loose.tobytes() != self._loose
            moved = here if rough else program.line_search(here, self._newton(program, here, loose))
            for _ in range(_GRADIENT_STEPS):
                if moved.gap <= tolerance:
                    break
                moved = program.projected_gradient_step(moved)
            if moved is here and not rough:  # rounding is all that is left of the gap
                break
            here = moved
        return BoxMinimum(here.s, here.gap)

    def _newton(self, program: "_Program", here: _Iterate, loose: Bools) -> Floats:
        """Return the step that would end at the minimum over the free components, were there no bounds."""
        if loose.tobytes() != self._loose:
            self._loose, self._free = loose.tobytes(), np.flatnonzero(loose)
            self._factor = _factorise(self._Q.take(self._free, axis=0).take(self._free, axis=1))
        free, step = self._free, np.zeros_like(here.s)
        less = program.less.take(free)
        solved, _ = dpotrs(self._factor, np.array([-here.gradient.take(free), less]).T, lower=True)
        found, along = solved.T
        left = 1 - ddot(less, along)
        if left > 0:
            found = found + along * (ddot(less, found) / left)  # as Sherman and Morrison have it
        step[free] = found
        return step


def _factorise(part: Floats) -> Floats:
    """Return the Cholesky factor of a matrix, with as little added to its diagonal as it takes."""
    diagonal = part.ravel()[:: len(part) + 1]
    ridge, own = _RIDGE * float(diagonal.max(initial=0.0)) or 1.0, diagonal.copy()
    while True:
        diagonal[:] = own + ridge
        factor, failed = dpotrf(part.T, lower=True, clean=False)  # symmetric, and in the order of LAPACK
        if not failed:
            return np.asarray(factor)
        ridge *= 100


class _Program(NamedTuple):
    """The function ½ s'(Q - uu')s - c's over a box."""

    Q: Floats
    c: Floats
    bounds: Floats
    less: Floats

    def at(self, s: Floats) -> _Iterate:
        return self._place(s, self._times(s) - self.c)

    def clip(self, s: Floats) -> Floats:
        boxed: Floats = np.minimum(np.maximum(s, -self.bounds), self.bounds)
        return boxed

    def free_components(self, here: _Iterate) -> Bools:
        """Return which components are not held at a bound."""
        loose: Bools = (np.abs(here.s) < self.bounds) | (here.s * here.gradient > 0)
        return loose

    def line_search(self, here: _Iterate, step: Floats) -> _Iterate:
        """Return the first point of a step, of its half, its quarter, ... that brings what it promises."""
        for halvings in range(_HALVINGS):
            end = self.clip(here.s + 0.5**halvings * step)
            by = end - here.s
            slope = ddot(here.gradient, by)
            if slope < 0:
                image = self._times(by)
                curvature = ddot(by, image)
                if slope + 0.5 * curvature <= _ARMIJO * slope:
                    return self._place(end, here.gradient + image, _length(by, curvature))
        return here

    def projected_gradient_step(self, here: _Iterate) -> _Iterate:
        """Return the lowest point on the way to where the projected gradient ends."""
        end = self.clip(here.s - here.length * here.gradient)
        by = end - here.s
        slope = ddot(here.gradient, by)
        if not slope < 0:
            return here
        image = self._times(by)
        curvature = ddot(by, image)
        if curvature > -slope:
            share = -slope / curvature
            end, image = here.s + share * by, share * image
        return self._place(end, here.gradient + image, _length(by, curvature))

    def _place(self, s: Floats, gradient: Floats, length: float = 1.0) -> _Iterate:
        return _Iterate(s, gradient, ddot(self.bounds, np.abs(gradient)) + ddot(s, gradient), length)

    def _times(self, s: Floats) -> Floats:
        product: Floats = dsymv(1.0, self.Q.T, s)
        product -= self.less * ddot(self.less, s)
        return product


def _length(by: Floats, curvature: float) -> float:
    """Return how long a step along the gradient the curvature of a move speaks for."""
    return float(ddot(by, by)) / curvature if curvature > 0 else 1.0
