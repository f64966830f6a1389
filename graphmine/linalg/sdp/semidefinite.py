"""The semidefinite program that Gao et al. print for consistent co-partitioning, by solvers for such programs."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.clock import importing
from graphmine.errors import DataError
from graphmine.linalg.resources import check_memory
from graphmine.linalg.star.cut_ratios import CutRatios, RelaxedSolution, check_theta, no_solution

__all__ = ["printed_sdp"]


_SMALL = 30
"""Nodes up to which Clarabel is used. It took 7 s at 57 nodes, where SCS took 1, and 205 s at 100."""

_CLARABEL_BYTES = 16.0
"""Measured, times (nodes + 1)⁴: 0.21, 0.62 and 1.48 GB at 60, 80 and 100 nodes."""

_SCS_BYTES = 2000.0
"""Measured, times (nodes + 1)²: 0.07, 0.25 and 0.72 GB at 200, 400 and 688 nodes."""

_TOLERANCE = 1e-9

_MET = 1e-6
"""A constraint missed by more is not met, whatever the solver says of it in its own units."""


def printed_sdp(
    arms: Sequence[csr_array],
    beta: Floats,
    theta: tuple[float, float] = (1.0, 1.0),
    *,
    max_steps: int = 20_000,
) -> RelaxedSolution:
    """Return the embedding that the paper's problem (17) gives for blocks that share their rows.

    Parameters
    ----------
    arms
        The blocks, without empty columns, and without rows that are empty in all of them.
    beta
        How much the cut of each counts.
    theta
        The paper's bounds: twice the sum of ω, and the sum of all entries of Ω.
    max_steps
        Where SCS is used, it takes so many steps at the most.

    Notes
    -----
    With W = [1 ω'; ω Ω] ⪰ 0, minimise Γ • Ω so that for each block tr(Πᵢ Ω) = e'Πᵢe and (Πᵢe)'ω = 0, and so that
    2 e'ω = θ₁ and e'Ωe = θ₂. As printed, [0 e; e 0] • W counts ω twice.

    W is sought in other units, a congruence that changes neither the cone nor the solution: nodes of any weight count
    alike, and e, along which hardly anything of Ω may lie, is stretched. In the printed ones Clarabel ended 2e-6 off
    the optimum on 57 nodes; without the stretching SCS took 37,000 steps instead of 375 on 200.

    It takes about 16 n⁴ bytes for small networks, by Clarabel, and 2000 n² for larger ones, by SCS, whose steps cost
    O(n³): 688 nodes took 400 s.

    References
    ----------
    B. Gao, T.-Y. Liu, X. Zheng, Q.-S. Cheng, W.-Y. Ma: Consistent bipartite graph co-partitioning for star-structured
    high-order heterogeneous data co-clustering. KDD 2005.

    Examples
    --------
    >>> block = csr_array([[2.0, 1.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 3.0]])
    >>> found = printed_sdp([block], np.array([1.0]))
    >>> round(found.value, 6), found.converged
    (0.089257, True)
    """
    theta = check_theta(theta)
    ratios, size = CutRatios(arms, beta), sum(block.shape[1] for block in arms) + arms[0].shape[0]
    small = size <= _SMALL
    needed = _CLARABEL_BYTES * (size + 1.0) ** 4 if small else _SCS_BYTES * (size + 1.0) ** 2
    check_memory(f"the semidefinite program of {size} nodes", needed, "use the low-rank solver or a smaller network")
    units = _units(ratios)
    solved = _solve(_Forms.of(ratios, units), theta, small, max_steps)
    back = block_diag(np.ones((1, 1)), units)
    W = back @ solved.W @ back.T
    value, violation = float(np.sum(ratios.laplacian.toarray() * W[1:, 1:])), _violation(W, ratios.shares, theta)
    return RelaxedSolution(W[1:, 0], value, solved.optimal and violation <= _MET, violation)


class _Forms(NamedTuple):
    """The coefficients of (17) in units: Γ, all Πᵢ / e'Πᵢe, what they make of e, and e."""

    laplacian: Floats
    weights: list[Floats]
    balances: Floats
    e: Floats

    @classmethod
    def of(cls, ratios: CutRatios, units: Floats) -> "_Forms":
        weights = [(units.T * share) @ units for share in ratios.shares]
        return cls(units.T @ (ratios.laplacian @ units), weights, ratios.shares @ units, units.sum(axis=0))


def _units(ratios: CutRatios) -> Floats:
    """Return the matrix that takes ω back from units in which all is of about the same size."""
    length = float(np.linalg.norm(ratios.scale))
    e = ratios.scale / length
    units: Floats = ratios.scale[:, None] * (np.eye(len(e)) + (length**-0.5 - 1) * np.outer(e, e))
    return units


class _Solution(NamedTuple):
    W: Floats
    optimal: bool


def _solve(forms: _Forms, theta: tuple[float, float], small: bool, max_steps: int) -> _Solution:
    """Return W in units, by the solver for the size."""
    with importing():
        import cvxpy as cp

    W, program = _program(cp, forms, theta)
    tight = {"tol_gap_abs": _TOLERANCE, "tol_gap_rel": _TOLERANCE, "tol_feas": _TOLERANCE}
    options: dict[str, Any] = tight if small else {"eps": _TOLERANCE, "max_iters": max_steps}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it may be inaccurate is what `converged` says
        try:
            program.solve(solver=cp.CLARABEL if small else cp.SCS, **options)
        except cp.SolverError:
            raise DataError("the semidefinite program could not be solved; use the low-rank solver") from None
    if W.value is None:
        raise no_solution(theta)
    return _Solution(np.asarray(W.value), program.status == cp.OPTIMAL)


def _program(cp: Any, forms: _Forms, theta: tuple[float, float]) -> tuple[Any, Any]:
    """Return the unknown W, and problem (17), each line divided by the size of its coefficients."""
    size, length = len(forms.e), float(np.linalg.norm(forms.e))
    W = cp.Variable((size + 1, size + 1), PSD=True)
    omega, Omega, e = W[1:, 0], W[1:, 1:], forms.e / length
    lines = [cp.sum(cp.multiply(weight, Omega)) == 1 for weight in forms.weights]
    lines += [forms.balances / np.linalg.norm(forms.balances, axis=1, keepdims=True) @ omega == 0, W[0, 0] == 1]
    lines += [2 * e @ omega == theta[0] / length, cp.sum(cp.multiply(np.outer(e, e), Omega)) == theta[1] / length**2]
    return W, cp.Problem(cp.Minimize(cp.sum(cp.multiply(forms.laplacian, Omega))), lines)


def _violation(W: Floats, shares: Floats, theta: tuple[float, float]) -> float:
    """Return the most by which a constraint of (17) is missed."""
    omega, Omega = W[1:, 0], W[1:, 1:]
    missed = [
        W[0, 0] - 1,
        *(shares @ np.diag(Omega) - 1),
        *(shares @ omega),
        2 * omega.sum() - theta[0],
        Omega.sum() - theta[1],
        min(np.linalg.eigvalsh(W)[0], 0.0),
    ]
    return float(np.abs(missed).max())
