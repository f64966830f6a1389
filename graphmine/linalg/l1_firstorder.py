"""The inner problems of `graphmine.linalg.l1` by primal-dual steps, for graphs that are too large to factorise."""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.linalg.bipartite import scaled
from graphmine.linalg.l1 import Inner, PenalisedCut, inner_gap

__all__ = ["FirstOrder"]

Numbers = NDArray[np.float64]

_DAMPING = 0.05
"""μ. The curvature that it lends to every direction is what makes the steps converge at a known pace."""

_GAP = 1e-7
"""Duality gaps to stop at; the objective of a cut is of the order of 1."""

_STEPS, _CHECKED = 5000, 25
"""So many steps are made at the most for an inner problem, and the gap is looked at after so many."""


class FirstOrder:
    """Solves the inner problems of one cut by products with its matrices alone.

    Parameters
    ----------
    cut
        What is minimised.

    Notes
    -----
    The steps of Condat and Vũ: with Π the projection onto the feasible points of (4.10), and rows of C of length 1,

        v⁺ = Π(v - τ(Hv + C's)),   s⁺ = the nearest point of the box to s + σ C(2v⁺ - v),

    where 1/τ = κ/2 + σ‖C‖², κ the greatest curvature of H, and σ is chosen so that both terms are equal. The gap is the
    true one, see `inner_gap`, and tells how accurate an inner solution is.

    A step costs O(nnz + p) for p pairs.

    References
    ----------
    L. Condat: A primal-dual splitting method for convex optimization involving Lipschitzian, proximable and linear
    composite terms. J. Optim. Theory Appl. 2013.

    Examples
    --------
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> FirstOrder(cut)(y, np.zeros(1)).gap < 1e-7
    True
    """

    def __init__(self, cut: PenalisedCut) -> None:
        self._cut = cut
        self._lengths = np.sqrt(np.asarray(cut.rows.multiply(cut.rows).sum(axis=1), dtype=np.float64))
        self._rows = scaled(cut.rows, 1 / self._lengths, np.ones(len(cut.degrees)))
        self._columns = csr_array(self._rows.T)
        size, curvature = _square_norm(self._rows), 2 + 2 * _DAMPING
        self._sigma, self._tau = curvature / (2 * size), 1 / curvature

    def __call__(self, y: Numbers, dual: Numbers) -> Inner:
        """Return a solution of (4.10) for a starting point, from a guess of the dual."""
        v, s, bounds = y, dual * self._lengths, self._cut.bounds * self._lengths
        best = Inner(y, dual, np.inf)
        for step in range(1, _STEPS + 1):
            moved = self._feasible(v - self._tau * (self._curved(v) + self._columns @ s), y)
            s = np.clip(s + self._sigma * (self._rows @ (2 * moved - v)), -bounds, bounds)
            v = moved
            if step % _CHECKED == 0:
                gap = inner_gap(self._cut, y, v, s / self._lengths, _DAMPING)
                best = min(best, Inner(v, s / self._lengths, gap), key=lambda each: each.gap)
                if best.gap <= _GAP:
                    break
        return best

    def bounded(self, cut: PenalisedCut) -> Self:
        """Return a solver of the same cut with other bounds; the matrices are shared."""
        other = copy(self)
        other._cut = cut
        return other

    def _curved(self, v: Numbers) -> Numbers:
        curved: Numbers = (1 + 2 * _DAMPING) * v - self._cut.adjacency @ v
        return curved

    def _feasible(self, v: Numbers, y: Numbers) -> Numbers:
        trivial = self._cut.trivial
        feasible: Numbers = v - trivial * (trivial @ v) + y * (1 - y @ v)
        return feasible


def _square_norm(matrix: csr_array) -> float:
    """Return a bound of the square of the greatest singular value: the greatest sums of a row and of a column."""
    sizes = abs(matrix)
    return float(np.asarray(sizes.sum(axis=0)).max()) * float(np.asarray(sizes.sum(axis=1)).max())
