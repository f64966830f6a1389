"""The inner problems of `graphmine.linalg.l1` by their duals, which are quadratic programs over a box."""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

from graphmine.linalg.box import box_minimum
from graphmine.linalg.l1 import DAMPING, Inner, PenalisedCut, inner_gap
from graphmine.linalg.memory import check_memory

__all__ = ["BoxDual"]

Numbers = NDArray[np.float64]

_GAP = 1e-12
"""Duality gaps to stop at."""

_AT_ONCE = 256
"""How many columns of H⁻¹C' are held at a time."""


class BoxDual:
    """Solves all inner problems of one cut with one sparse factorisation.

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
    4,000 vertices and 1,000 pairs took 4 s, and `graphmine.linalg.l1_firstorder.FirstOrder` half a second.

    Examples
    --------
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> found = BoxDual(cut)(np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5, np.zeros(1))
    >>> found.gap < 1e-12
    True
    """

    def __init__(self, cut: PenalisedCut) -> None:
        n, p = len(cut.degrees), len(cut.bounds)
        check_memory(
            f"the dual of {p} pairs", 24.0 * p * p + 8.0 * _AT_ONCE * n, "use the first-order solver or fewer links"
        )
        self._cut = cut
        H = csc_array((1 + 2 * DAMPING) * eye_array(n) - cut.adjacency)
        self._factor = splu(H, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        self._gram = self._grammed()

    def __call__(self, y: Numbers, dual: Numbers) -> Inner:
        """Return the solution of (4.10) for a starting point, from a guess of the dual."""
        rows, bounds = self._cut.rows, self._cut.bounds
        h = self._solved(y)
        alpha, g = float(y @ h), rows @ h
        c = g / alpha
        s, _ = box_minimum(self._gram - np.outer(g, c), c, bounds, dual, tolerance=_GAP)
        moved = h * ((1 + g @ s) / alpha) - self._solved(rows.T @ s)
        moved += y * (1 - y @ moved)  # what rounding has taken
        return Inner(moved, s, inner_gap(self._cut, y, moved, s, DAMPING))

    def bounded(self, cut: PenalisedCut) -> Self:
        """Return a solver of the same cut with other bounds; the factor and G are shared."""
        other = copy(self)
        other._cut = cut
        return other

    def _solved(self, right: Numbers) -> Numbers:
        """Return H⁻¹ of a vector or of columns, without the part along the trivial vector."""
        trivial = self._cut.trivial
        found = self._factor.solve(right - np.multiply.outer(trivial, trivial @ right).reshape(right.shape))
        solved: Numbers = found - np.multiply.outer(trivial, trivial @ found).reshape(right.shape)
        return solved

    def _grammed(self) -> Numbers:
        """Return G = C H⁻¹ C'."""
        rows = self._cut.rows
        gram = np.empty((rows.shape[0], rows.shape[0]))
        for first in range(0, rows.shape[0], _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            gram[:, some] = rows @ self._solved(csr_array(rows[some]).T.toarray())
        symmetric: Numbers = (gram + gram.T) / 2
        return symmetric
