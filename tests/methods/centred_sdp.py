"""The centred relaxation of problem (12) of Gao et al. by a general solver: what others are held against."""

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from tests.linalg.star.random_stars import written_out


class Centred(NamedTuple):
    """The least Γ • Ω, and Ω in the basis of centred vectors that `written_out` takes."""

    value: float
    Omega: Floats


def centred_sdp(arms: Sequence[csr_array], beta: Sequence[float]) -> Centred:
    """Return the optimum over Ω ⪰ 0 on {ω: (Πᵢe)'ω = 0}, with tr(Pᵢ Ω) = 1 for each arm, Pᵢ = Πᵢ / e'Πᵢe.

    Ω is N X Nᵀ, with N orthonormal in the mean of all Pᵢ, so that X is of even size.
    """
    cp: Any = importlib.import_module("cvxpy")
    A, P = written_out(arms, beta)
    root = cholesky(P.mean(axis=0), lower=True)
    N = solve_triangular(root, np.eye(len(A)), lower=True).T
    X = cp.Variable(A.shape, PSD=True)
    weights = [cp.sum(cp.multiply(N.T @ each @ N, X)) == 1 for each in P]
    cut = N.T @ (np.tensordot(np.asarray(beta), P, 1) - A) @ N
    program = cp.Problem(cp.Minimize(cp.sum(cp.multiply(cut, X))), weights)
    program.solve(**_options(cp, len(A)))
    assert program.status == cp.OPTIMAL
    return Centred(float(program.value), N @ np.asarray(X.value) @ N.T)


def _options(cp: Any, size: int) -> dict[str, Any]:
    """Return the solver for a size: an interior-point method takes 7 s and more beyond fifty."""
    if size <= 20:
        return {"solver": cp.CLARABEL, "tol_gap_abs": 1e-9, "tol_gap_rel": 1e-9, "tol_feas": 1e-9}
    return {"solver": cp.SCS, "eps": 1e-9, "max_iters": 50_000}
