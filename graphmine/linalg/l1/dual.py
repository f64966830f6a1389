"""The inner problems of `graphmine.linalg.l1.cut` by their duals, which are quadratic programs over a box."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri
from scipy.sparse import csc_array, eye_array, issparse
from scipy.sparse.linalg import splu

from graphmine.arrays import Floats
from graphmine.linalg.l1.box import BoxPrograms
from graphmine.linalg.l1.cut import DAMPING, CutPoint, InnerSolution, InnerSolver, PenalisedCut, inner_gap
from graphmine.linalg.resources import check_memory

__all__ = ["BoxDual"]

Solve = Callable[[Floats], Floats]
"""Applies H⁻¹ to a vector, without the part along the trivial vector."""

_AT_ONCE = 256
"""How many columns of H⁻¹C' are held at a time."""

_SHIFT = 0.8
"""H of dense graphs is made smaller by so much of the least eigenvalue of L that is not 0."""

_POWERS = 5
"""After so many products that eigenvalue is near enough; it need not be a bound."""

_FULL, _FEW = 0.1, 500
"""The share of entries from which on a graph is dense, and the vertices up to which it is treated as if it were."""


class BoxDual(InnerSolver):
    """Solves all inner problems of one cut with one factorisation.

    Parameters
    ----------
    cut
        What is minimised.
    shift
        By how much of the second eigenvalue of a dense graph 2μ is lowered; 0 leaves the inner problems as printed.

    Notes
    -----
    The dual of (4.10) has one unknown a pair, |s| ≤ λ. With H = L + 2μD, and G = C H⁻¹ C' computed once, an inner
    problem minimises ½ s'(G - gg'/α)s - c's, where g = C H⁻¹ D x, α = x'D H⁻¹ D x and c = g / α: the two linear
    constraints take out one direction each, and d is that of an eigenvector. Its gap λ‖Cx̂‖₁ - s'Cx̂ is that of the
    inner problem itself, because x̂ is feasible by how it is made.

    The cost is that of factorising H, of one solve a pair, and of O(p²) numbers for p pairs. Random graphs fill in:
    all steps on 1,500 vertices with 750 pairs took .89 s, and `graphmine.linalg.l1.first_order.FirstOrder` .04 s.

    Of dense graphs, such as those of similarities, H⁻¹ itself is held. Their inner problems have a μ below 0, which
    saves half of the outer steps, as a shift does in inverse iteration: with σ a bit below the least eigenvalue of L
    other than 0, H = L - σD + 2μD has no negative curvature that is feasible, which its Cholesky factor proves.
    Where a guess of σ was too bold, a half of it is tried, and then none.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 1]]), np.array([True]), np.array([0.5]))
    >>> found = BoxDual(cut)(cut.point(np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5), np.zeros(1), 1e-12)
    >>> found.gap < 1e-12
    True
    """

    def __init__(self, cut: PenalisedCut, *, shift: float = _SHIFT) -> None:
        n, p = len(cut.degrees), len(cut.bounds)
        dense = n <= _FEW or cut.adjacency.nnz > _FULL * n * n
        needed = 24.0 * p * p + (24.0 * n * n + 24.0 * n * p if dense else 8.0 * _AT_ONCE * n)
        check_memory(f"the dual of {p} pairs", needed, "use the first-order solver or fewer links")
        self._cut = cut
        self._factor = _dense(cut, shift) if dense else _sparse(cut)
        self._programs = BoxPrograms(self._factor.gram)

    @property
    def damping(self) -> float:
        """The μ of the inner problems."""
        return self._factor.damping

    def __call__(self, here: CutPoint, dual: Floats, enough: float) -> InnerSolution:
        """Return the solution of (4.10) for a starting point, from a guess of the dual."""
        cut, y, (solve, _, damping, curvature) = self._cut, here.y, self._factor
        h = solve(y)
        alpha, g = y.dot(h), cut.pair_values(h)
        s, _ = self._programs.minimum(g / alpha, cut.bounds, dual, tolerance=enough, less=g * alpha**-0.5)
        moved = h * ((1 + g.dot(s)) / alpha) - solve(cut.pair_forces(s))
        moved += y * (1 - y.dot(moved))  # what rounding has taken
        point = cut.point(moved)
        return InnerSolution(point, s, inner_gap(cut, y, point, s, damping=damping, curvature=curvature))


class _Factor(NamedTuple):
    """What H⁻¹ is applied with, G = C H⁻¹ C', the μ that H is made with, and what no curvature of it is below."""

    solve: Solve
    gram: Floats
    damping: float
    curvature: float


def _sparse(cut: PenalisedCut) -> _Factor:
    """Return the factor of H as printed, which the fill-in of a sparse one is all to be held of."""
    trivial, rows = cut.trivial, cut.rows
    H = csc_array((1 + 2 * DAMPING) * eye_array(len(trivial)) - cut.adjacency)
    factor = splu(H, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def projected(x: Floats) -> Floats:
        left: Floats = x - np.multiply.outer(trivial, trivial @ x)
        return left

    gram = np.empty((rows.shape[0], rows.shape[0]))
    for first in range(0, rows.shape[0], _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        gram[:, some] = rows @ projected(factor.solve(projected(rows[some].T.toarray())))
    gram += gram.T.copy()
    gram *= 0.5
    return _Factor(lambda right: projected(factor.solve(projected(right))), gram, DAMPING, 2 * DAMPING)


def _dense(cut: PenalisedCut, shift: float) -> _Factor:
    """Return the inverse of the smallest H that is found to be positive."""
    likeness = cut.likeness.toarray() if issparse(cut.likeness) else cut.likeness
    second = 1 - _leading(likeness, cut.trivial)
    for share in (shift, 0.5 * shift, 0.0):
        damping = DAMPING - 0.5 * share * second
        inverse = _inverse(likeness, cut.trivial, 1 + 2 * damping)
        curvature = 1 / float(np.linalg.norm(inverse)) if share else 2 * DAMPING  # no spectral norm is above Frobenius'
        if curvature >= DAMPING:
            break
    return _Factor(inverse.dot, cut.pair_values(np.ascontiguousarray(cut.pair_values(inverse).T)), damping, curvature)


def _leading(likeness: Floats, trivial: Floats) -> float:
    """Return about the greatest size of an eigenvalue of A other than that of the trivial vector, or somewhat less."""
    y, size = likeness[0], 0.0
    for _ in range(_POWERS):
        y = likeness.dot(y)
        y -= trivial * trivial.dot(y)
        size = float(np.linalg.norm(y))
        if not size:
            break
        y /= size
    return size


def _inverse(likeness: Floats, trivial: Floats, diagonal: float) -> Floats:
    """Return H⁻¹ without the part along the trivial vector t, or infinities where H is not positive.

    With the square of t added, H is the better conditioned.
    """
    H = np.multiply.outer(trivial, trivial) - likeness
    np.fill_diagonal(H, np.diagonal(H) + diagonal)
    factor, failed = dpotrf(H.T, lower=True, overwrite_a=True)  # symmetric, and in the order of LAPACK
    if failed:
        return np.full_like(H, np.inf)
    lower, _ = dpotri(factor, lower=True, overwrite_c=True)
    inverse: Floats = lower + lower.T  # above its diagonal the factor is clean, and so is what is made of it
    inverse.ravel()[:: len(H) + 1] *= 0.5
    inverse -= np.multiply.outer(trivial, trivial / diagonal)
    return inverse
