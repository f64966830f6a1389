"""The inner problems of `graphmine.linalg.l1` by their duals, which are quadratic programs over a box."""

from collections.abc import Callable
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri
from scipy.sparse import csc_array, eye_array, issparse
from scipy.sparse.linalg import splu

from graphmine.linalg.box import BoxPrograms
from graphmine.linalg.l1 import DAMPING, Inner, PenalisedCut, Point, inner_gap
from graphmine.linalg.memory import check_memory

__all__ = ["BoxDual"]

Numbers = NDArray[np.float64]
Solve = Callable[[Numbers | csc_array], Numbers]
"""Applies H⁻¹ to a vector or to columns, without the part along the trivial vector."""

_AT_ONCE = 256
"""How many columns of H⁻¹C' are held at a time."""

_FULL, _FEW = 0.1, 500
"""The share of entries from which on a graph is dense, and the vertices up to which it is treated as if it were."""


class BoxDual:
    """Solves all inner problems of one cut with one factorisation.

    Parameters
    ----------
    cut
        What is minimised.

    Notes
    -----
    The dual of (4.10) has one unknown a pair, |s| ≤ λ. With H = L + 2μD, and G = C H⁻¹ C' computed once, an inner
    problem minimises ½ s'(G - gg'/α)s - c's, where g = C H⁻¹ D x, α = x'D H⁻¹ D x and c = g / α: the two linear
    constraints take out one direction each, and d is that of an eigenvector. Its gap λ‖Cx̂‖₁ - s'Cx̂ is that of the
    inner problem itself, because x̂ is feasible by how it is made.

    The cost is that of factorising H, of one solve a pair, and of O(p²) numbers for p pairs. Random graphs fill in:
    all steps on 1,500 vertices with 750 pairs took .89 s, and `graphmine.linalg.l1_firstorder.FirstOrder` .04 s. Of
    dense graphs, such as those of similarities, H⁻¹ itself is held.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> found = BoxDual(cut)(cut.point(np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5), np.zeros(1), 1e-12)
    >>> found.gap < 1e-12
    True
    """

    def __init__(self, cut: PenalisedCut) -> None:
        n, p = len(cut.degrees), len(cut.bounds)
        dense = n <= _FEW or cut.adjacency.nnz > _FULL * n * n
        needed = 24.0 * p * p + 8.0 * _AT_ONCE * n + (24.0 * n * n if dense else 0.0)
        check_memory(f"the dual of {p} pairs", needed, "use the first-order solver or fewer links")
        self._cut = cut
        self._solve = _dense(cut) if dense else _sparse(cut)
        self._programs = BoxPrograms(self._grammed())

    def __call__(self, here: Point, dual: Numbers, enough: float) -> Inner:
        """Return the solution of (4.10) for a starting point, from a guess of the dual."""
        cut, y = self._cut, here.y
        h = self._solve(y)
        alpha, g = float(y @ h), cut.rows @ h
        s, _ = self._programs.minimum(g / alpha, cut.bounds, dual, tolerance=enough, less=g * alpha**-0.5)
        moved = h * ((1 + g @ s) / alpha) - self._solve(cut.columns @ s)
        moved += y * (1 - y @ moved)  # what rounding has taken
        point = cut.point(moved)
        return Inner(point, s, inner_gap(cut, y, point, s))

    def bounded(self, cut: PenalisedCut) -> Self:
        """Return a solver of the same cut with other bounds; the factor and G are shared."""
        other = copy(self)
        other._cut = cut
        return other

    def _grammed(self) -> Numbers:
        """Return G = C H⁻¹ C'."""
        rows = self._cut.rows
        gram = np.empty((rows.shape[0], rows.shape[0]))
        for first in range(0, rows.shape[0], _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            gram[:, some] = rows @ self._solve(rows[some].T)
        gram += gram.T.copy()
        gram *= 0.5
        return gram


def _sparse(cut: PenalisedCut) -> Solve:
    """Return what applies H⁻¹ to a vector or to columns, without the part along the trivial vector."""
    trivial = cut.trivial
    H = csc_array((1 + 2 * DAMPING) * eye_array(len(trivial)) - cut.adjacency)
    factor = splu(H, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def projected(x: Numbers) -> Numbers:
        left: Numbers = x - np.multiply.outer(trivial, trivial @ x)
        return left

    return lambda right: projected(factor.solve(projected(right.toarray() if issparse(right) else right)))


def _dense(cut: PenalisedCut) -> Solve:
    """Return the same by a dense inverse; H with the square of the trivial vector t added is the better conditioned."""
    trivial = cut.trivial
    H = np.multiply.outer(trivial, trivial) - cut.adjacency.toarray()
    np.fill_diagonal(H, np.diagonal(H) + 1 + 2 * DAMPING)
    factor, _ = dpotrf(H.T, lower=True, overwrite_a=True)  # symmetric, and in the order of LAPACK
    lower, _ = dpotri(factor, lower=True, overwrite_c=True)
    inverse: Numbers = np.tril(lower) + np.tril(lower, -1).T
    inverse -= np.multiply.outer(trivial, trivial / (1 + 2 * DAMPING))
    return lambda right: np.asarray(inverse @ right)
