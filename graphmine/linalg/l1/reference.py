"""The inner problems of `graphmine.linalg.l1.cut` by cvxpy, much as the paper solved them: to compare with."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, eye_array

from graphmine.arrays import Floats
from graphmine.clock import importing
from graphmine.errors import DataError
from graphmine.linalg.l1.cut import DAMPING, CutPoint, InnerSolution, InnerSolver, PenalisedCut, inner_gap

__all__ = ["Reference"]


_TIGHT = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-12)


class Reference(InnerSolver):
    """Solves the inner problems of one cut one by one, by Clarabel.

    Parameters
    ----------
    cut
        What is minimised.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> Reference(cut)(cut.point(y), np.zeros(1), 0.0).gap < 1e-6
    True
    """

    def __init__(self, cut: PenalisedCut) -> None:
        with importing():
            import cvxpy

        self._cut, self._errors = cut, cvxpy.SolverError
        self._options = {"solver": cvxpy.CLARABEL, **_TIGHT}
        self._program = _program(cvxpy, cut)

    def __call__(self, here: CutPoint, _dual: Floats, _enough: float) -> InnerSolution:
        """Return the solution of (4.10) for a starting point, always as exact as can be."""
        unknown, start, bounds, pairs, program = self._program
        y, cut = here.y, self._cut
        start.value, bounds.value = y, cut.bounds
        try:
            program.solve(**self._options)
        except self._errors:
            raise DataError("cvxpy could not solve an inner problem; use the dual solver") from None
        moved = np.asarray(unknown.value)
        moved = moved - cut.trivial * (cut.trivial @ moved)
        point = cut.point(moved + y * (1 - y @ moved))
        dual = np.clip(np.asarray(pairs.dual_value), -cut.bounds, cut.bounds)
        return InnerSolution(point, dual, inner_gap(cut, y, point, dual))


class _Program(NamedTuple):
    """Problem (4.10) in the terms of cvxpy: what is sought, the starting point, the bounds, Cx = z, and all of it."""

    unknown: Any
    start: Any
    bounds: Any
    pairs: Any
    problem: Any


def _program(cp: Any, cut: PenalisedCut) -> _Program:
    n = len(cut.degrees)
    unknown, z = cp.Variable(n), cp.Variable(len(cut.bounds))
    start, bounds = cp.Parameter(n), cp.Parameter(len(cut.bounds), nonneg=True)
    H = csc_array((1 + 2 * DAMPING) * eye_array(n) - cut.adjacency)
    pairs = cut.rows @ unknown == z
    objective = cp.Minimize(0.5 * cp.quad_form(unknown, cp.psd_wrap(H)) + bounds @ cp.abs(z))
    lines = [pairs, cut.trivial @ unknown == 0, start @ unknown == 1]
    return _Program(unknown, start, bounds, pairs, cp.Problem(objective, lines))
