"""Where the outer steps of `graphmine.linalg.l1` begin: at the cut of the graph alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from graphmine.linalg.l1 import PenalisedCut
from graphmine.linalg.lanczos import Pencil, leading_eigenvectors

__all__ = ["Start", "free_cut"]

Numbers = NDArray[np.float64]

_TOLERANCE, _ROUGH, _LARGE = 1e-12, 1e-5, 1_000_000
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

    y: Numbers
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
    trivial = cut.trivial[:, None]
    pencil = Pencil(
        len(cut.degrees),
        len(cut.degrees) - 1,
        times=lambda x: x + cut.adjacency @ x,  # I + A has no negative eigenvalue
        project=lambda x: x - trivial * (cut.trivial @ x),
    )
    tolerance = _ROUGH if cut.graph.nnz > _LARGE else _TOLERANCE
    found = leading_eigenvectors(pencil, 1, rng, tolerance=tolerance, max_restarts=_RESTARTS)
    y = cut.feasible(found.vectors[:, 0] if found.converged else rng.standard_normal(len(cut.degrees)))
    y *= np.sign(y[np.argmax(np.abs(y))])
    return Start(y, float(y @ (cut.adjacency @ y)), found.converged)
