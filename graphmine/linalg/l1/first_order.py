"""The inner problems of `graphmine.linalg.l1.cut` by one proximal step each, for graphs too large to factorise."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.l1.cut import CutPoint, InnerSolution, InnerSolver, PenalisedCut, inner_gap

__all__ = ["FirstOrder"]


_STEP = 0.5
"""τ: no graph has a curvature of more than 1/τ = 2, and one in two halves, such as a relation, has just that."""

_DUAL_STEPS = 100
"""Steps of the dual for each one of the vector, at the most. They cost O(p) each."""


class FirstOrder(InnerSolver):
    """Brings the inner problems of one cut nearer to their solutions, by one product with the graph each.

    Parameters
    ----------
    cut
        What is minimised.

    Notes
    -----
    With Π the projection onto the feasible directions of (4.10), the step from its starting point y is

        v = y - τΠ(Ly + C's),   s = the best |s| ≤ λ for min ‖v - y + τΠLy‖² / 2τ + λ‖Cv‖₁,

    which lowers the objective as the theorem of the paper has it, whose proof asks for no more than that v is better
    than y. No inner problem is solved, but one step after the other comes to where all would have: steps of the cut
    itself are what the accuracy costs, and `inner_gap`, which is true of any point, tells what it is. The dual goes up
    its own slope, each pair by a length that is safe for the pairs it shares a vertex with. It is not followed to its
    end; where y no longer moves, it gets there.

    A step costs O(nnz + p) for p pairs.

    References
    ----------
    T. Pock, A. Chambolle: Diagonal preconditioning for first order primal-dual algorithms in convex optimization. ICCV
    2011.

    Examples
    --------
    >>> from graphmine.linalg.l1.cut import l1_cut
    >>> graph = csr_array([[0.0, 4.0, 1.0, 0.0], [4.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 4.0], [0.0, 1.0, 4.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([2.0]))
    >>> found = l1_cut(cut, np.array([0.5, 0.5, -0.5, -0.5]), FirstOrder(cut))
    >>> np.abs(found.x).round(3).tolist(), found.z.tolist(), found.gap < 1e-6
    ([0.0, 0.316, 0.0, 0.316], [0.0], True)
    """

    def __init__(self, cut: PenalisedCut) -> None:
        self._cut = cut
        self._ends = np.unique(cut.ends)
        self._rows = csr_array(cut.rows[:, self._ends])
        self._columns = csr_array(self._rows.T)
        sizes = abs(self._rows)
        self._lengths = 1 / (sizes @ np.asarray(sizes.sum(axis=0)))
        self._along = cut.rows @ cut.trivial

    def __call__(self, here: CutPoint, dual: Floats, enough: float) -> InnerSolution:
        """Return a point that is nearer to the solution of (4.10) than where it starts, with a nearer dual."""
        cut, y = self._cut, here.y
        moved = y - _STEP * self._projected(y - here.image, y)
        moved -= cut.trivial * (cut.trivial @ moved)  # what rounding has added
        dual = self._nearer(cut.rows @ moved, here.z, dual, enough)
        force = np.zeros_like(y)
        force[self._ends] = self._columns @ dual
        moved -= _STEP * self._projected(force, y)
        point = cut.point(moved)
        return InnerSolution(point, dual, inner_gap(cut, y, point, dual))

    def _nearer(self, unforced: Floats, z: Floats, dual: Floats, enough: float) -> Floats:
        """Return a dual of the step up to a gap, Cv being `unforced` for s = 0 and z for y."""
        along, bounds = self._along, self._cut.bounds
        s = ahead = np.clip(dual, -bounds, bounds)
        for step in range(_DUAL_STEPS):
            forced = self._rows @ (self._columns @ ahead) - along * (along @ ahead) - z * (z @ ahead)
            left = unforced - _STEP * forced
            if step >= 2 and float(bounds @ np.abs(left) - ahead @ left) <= enough:
                return ahead
            last, s = s, np.clip(ahead + self._lengths / _STEP * left, -bounds, bounds)
            ahead = np.clip(s + step / (step + 3) * (s - last), -bounds, bounds)
        return s

    def _projected(self, x: Floats, y: Floats) -> Floats:
        trivial = self._cut.trivial
        projected: Floats = x - trivial * (trivial @ x) - y * (y @ x)
        return projected
