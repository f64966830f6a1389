"""Where the outer steps of `graphmine.linalg.l1.cut` begin: at the cut of the graph alone."""

from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from graphmine.arrays import Floats
from graphmine.linalg.l1.cut import PenalisedCut
from graphmine.linalg.lanczos import Pencil, leading_eigenvectors

__all__ = ["Start", "free_cut"]


_TOLERANCE, _ROUGH, _LARGE = 1e-12, 1e-5, 100_000
"""The residual of the vector, and that where the graph has more entries than this."""

_RESTARTS = 500


class Start(NamedTuple):
    """A vector y for the outer steps.

    Parameters
    ----------
    y
        Of length 1, orthogonal to the trivial vector.
    likeness
        y'Ay: 1 where no edge is cut, 0 where the cut is that of chance.
    converged
        Whether it is as exact as it was to be.
    """

    y: Floats
    likeness: float
    converged: bool


def free_cut(cut: PenalisedCut, rng: np.random.Generator) -> Start:
    """Return the vector that minimises y'(I - A)y: the second eigenvector of the graph, whatever pairs there are.

    Of a graph in several parts it is the one that takes the part of most weight from the others.

    >>> from scipy.sparse import csr_array
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> start = free_cut(PenalisedCut.free(graph), np.random.default_rng(0))
    >>> np.abs(start.y).round(6).tolist(), abs(round(start.likeness, 9))
    ([0.57735, 0.0, 0.816497], 0.0)
    """
    n_parts, parts = connected_components(cut.graph, directed=False)
    if n_parts > 1:
        heaviest = np.argmax(np.bincount(parts, cut.degrees, n_parts))
        return Start(cut.feasible(np.where(parts == heaviest, cut.trivial, 0.0)), 1.0, True)
    found = _roughly(cut, rng) if cut.graph.nnz > _LARGE else _exactly(cut, rng)
    y = cut.feasible(rng.standard_normal(len(cut.degrees)) if found is None else found)
    y *= np.sign(y[np.argmax(np.abs(y))])
    return Start(y, float(y @ (cut.adjacency @ y)), found is not None)


def _exactly(cut: PenalisedCut, rng: np.random.Generator) -> Floats | None:
    """Return the second eigenvector; None if it is not found."""
    trivial = cut.trivial[:, None]
    pencil = Pencil(
        len(cut.degrees),
        len(cut.degrees) - 1,
        times=lambda x: x + cut.adjacency @ x,  # I + A has no negative eigenvalue
        project=lambda x: x - trivial * (cut.trivial @ x),
    )
    found = leading_eigenvectors(pencil, 1, rng, tolerance=_TOLERANCE, max_restarts=_RESTARTS)
    return found.vectors[:, 0] if found.converged else None


def _roughly(cut: PenalisedCut, rng: np.random.Generator) -> Floats | None:
    """Return the same by ARPACK, which wants a third of the time: one vector is all that is asked for."""
    n, trivial = len(cut.degrees), cut.trivial
    last = LinearOperator((n, n), matvec=lambda x: cut.adjacency @ x - 2 * trivial * (trivial @ x), dtype=np.float64)
    start = rng.standard_normal(n)
    try:
        _, vectors = eigsh(last, k=1, which="LA", v0=start, tol=_ROUGH, maxiter=_RESTARTS)
    except ArpackNoConvergence:
        return None
    return np.asarray(vectors[:, 0])
