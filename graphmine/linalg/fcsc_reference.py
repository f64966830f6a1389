"""The vectors of `graphmine.linalg.fcsc` as the paper computes them, all of them at once: to compare with."""

import numpy as np
from scipy.linalg import eig

from graphmine.linalg.fcsc import FeasibleCuts, LinkedCut
from graphmine.linalg.memory import check_memory

__all__ = ["all_feasible_cuts"]

_NUMBERS = 10
"""Dense matrices that a generalised eigenvalue problem takes, with complex vectors and what LAPACK needs."""

_NOTHING = 1e-10
"""Costs up to which the authors' program takes a vector for the trivial one."""

_REAL = 1e-6


def all_feasible_cuts(cut: LinkedCut, theta: float) -> FeasibleCuts:
    """Return every vector with μ > 0, in O(n³) and with n × n numbers; refuse graphs for which there is no memory.

    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.bonds import Bonds
    >>> from graphmine.linalg.laplacian import Laplacian
    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> ends = Bonds(csr_array(np.array([[1.0], [0.0], [1.0]])), csr_array(np.array([[-1.0]])))
    >>> all_feasible_cuts(LinkedCut(path, ends), 0.3).costs.round(6).tolist()
    [0.953109]
    """
    n = len(cut.laplacian.degrees)
    check_memory(f"all vectors of {n} vertices", 8.0 * _NUMBERS * n * n, "use the sparse solver")
    unit = np.eye(n)
    L, N = cut.laplacian @ unit, cut.surplus(unit, theta)
    values, vectors = eig(L, N)
    real = np.isfinite(values) & (abs(values.imag) <= _REAL * abs(values))
    values, vectors = values[real].real, vectors[:, real].real
    lengths = np.einsum("ij,ij->j", vectors, vectors)
    cost, surplus = (np.einsum("ij,ij->j", vectors, each @ vectors) for each in (L, N))
    kept = (values > 0) & (surplus > 0) & (cost > _NOTHING * lengths)
    return FeasibleCuts.of(cut, vectors[:, kept], values[kept], True)
