"""A basis of a star's hub, in which the star's pencils are small."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh, qr, solve_triangular

from graphmine.arrays import Floats
from graphmine.linalg.star.pencil import StarPencil, StarVectors, adjoint_times

__all__ = ["HubBasis", "Leading"]


_NOTHING = 1e-12
"""Eigenvalues up to this are rounding: those of A are at most 1."""

_NEW = 1e-10
"""What a direction of length one has to have beside the basis to be a new one."""

_LOST = 1e-13
"""An inner product is made so much larger, of its trace, where rounding has left it without a square root."""


class Leading(NamedTuple):
    """Leading eigenvalues, their vectors in the basis, and vᵀ P_i v: rows are arms, columns are vectors."""

    values: Floats
    vectors: Floats
    shares: Floats


class HubBasis:
    """Vectors of a star's hub, and what the star's pencils are among them: for every w, and for every β.

    The spokes need none of their own: at an eigenvector z_i is β_i / (μ w_i) F_i⁻¹ B_iᵀ y, but for a constant.

    Parameters
    ----------
    pencil
        Any of the star's pencils.
    room
        How many vectors there may be at once.

    Notes
    -----
    With Y the vectors, C_i = B_i - 2 h_i f_iᵀ the block without its mean (h_i = B_i 1, f_i = B_iᵀ 1) and m_i = Yᵀ h_i,
    it holds Z_i = F_i⁻¹ C_iᵀ Y and the small matrices S_i = Yᵀ C_i Z_i, Q_i = Yᵀ H_i Y + 2 m_i m_iᵀ, m_i and Yᵀ K Y.
    Once the constants of the spokes are chosen so that v is centred, and z_i is eliminated, Y a is an eigenvector if

        Σ β_i² / (μ w_i) S_i a - (4 Σ β_i m_i m_iᵀ + Yᵀ K Y) a = μ Σ w_i Q_i a,

    which is linear in (a, Lᵀ a / μ), with L Lᵀ = Σ β_i² / w_i S_i. So one product with each block and its transpose a
    vector serves all weights that are tried, and every β.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.star.pencil import PencilArm
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0]])
    >>> basis = HubBasis(StarPencil((PencilArm.of(block),), np.ones(1)), room=3)
    >>> basis.extend(np.eye(3))
    True
    >>> basis.leading(np.ones(1), np.ones(1), 2).values.round(6).tolist()  # the singular values beside 1
    [0.866699, 0.188415]
    """

    def __init__(self, pencil: StarPencil, room: int) -> None:
        self.arms, self.apart = pencil.arms, pencil.apart
        self.room, self.width = min(room, pencil.n_hub), 0
        # In this scale the inner products of all arms together have ones on their diagonal.
        self.scale = sum((arm.hub.diagonal for arm in self.arms), np.zeros(pencil.n_hub)) ** -0.5
        self._space = np.empty((pencil.n_hub, self.room), order="F")
        self._images = [np.empty((size, self.room), order="F") for size in pencil.sizes[1:]]
        n_arms = len(self.arms)
        self._across, self._within = (np.zeros((n_arms, self.room, self.room)) for _ in range(2))
        self._means, self._held = np.zeros((n_arms, self.room)), np.zeros((self.room, self.room))

    @property
    def vectors(self) -> Floats:
        """The vectors, orthonormal and divided by ``scale``."""
        return self._space[:, : self.width]

    def extend(self, columns: Floats) -> bool:
        """Add directions of the hub, divided by ``scale``, as far as they are new; return whether any was."""
        fresh = self._fresh(columns)
        old, new = slice(0, self.width + fresh.shape[1]), slice(self.width, self.width + fresh.shape[1])
        self._space[:, new], self.width = fresh, old.stop
        y = self.scale[:, None] * fresh
        for number, arm in enumerate(self.arms):
            self._means[number, new] = arm.hub_sums @ y
            image = adjoint_times(arm.block, y) - np.outer(2 * arm.spoke_sums, self._means[number, new])
            self._images[number][:, new] = arm.solve_spoke(image)
            _fill(self._across[number], old, new, self._images[number][:, old].T @ image)
            _fill(self._within[number], old, new, self.vectors.T @ (self.scale[:, None] * (arm.hub @ y)))
        if self.apart is not None:
            _fill(self._held, old, new, self.vectors.T @ (self.scale[:, None] * (self.apart @ y)))
        return bool(fresh.shape[1])

    def restart(self, turn: Floats) -> None:
        """Go on with some directions of the basis alone, given as orthonormal columns."""
        old, self.width = slice(0, self.width), turn.shape[1]
        new = slice(0, self.width)
        for store in (self._space, *self._images):
            store[:, new] = store[:, old] @ turn
        self._means[:, new] = self._means[:, old] @ turn
        for matrix in (self._held, *self._across, *self._within):
            matrix[new, new] = turn.T @ matrix[old, old] @ turn

    def leading(self, beta: Floats, weights: Floats, count: int) -> Leading:
        """Return so many leading eigenpairs within the basis, of those that have positive values."""
        q = self.width
        across, means = self._across[:, :q, :q], self._means[:, :q]
        outer = means[:, :, None] * means[:, None, :]
        Q = self._within[:, :q, :q] + 2 * outer
        squares, turn = eigh(np.einsum("i,ipq->pq", beta**2 / weights, across), check_finite=False)
        L = turn * np.sqrt(np.maximum(squares, 0.0))
        G = _square_root(np.einsum("i,ipq->pq", weights, Q))
        corner = -4 * np.einsum("i,ipq->pq", beta, outer) - self._held[:q, :q]
        solved = solve_triangular(G, np.hstack([corner, L]), lower=True, check_finite=False)
        matrix = np.zeros((2 * q, 2 * q))
        matrix[:q, :q] = solve_triangular(G, solved[:, :q].T, lower=True, check_finite=False)
        matrix[:q, q:] = solved[:, q:]
        wanted = [max(2 * q - count, 0), 2 * q - 1]
        values, found = eigh(matrix, lower=False, subset_by_index=wanted, check_finite=False)
        there = values[::-1] > _NOTHING
        values, a = values[::-1][there], solve_triangular(G, found[:q, ::-1][:, there], trans="T", lower=True)
        own, others = (np.sum(a * (each @ a), axis=1) for each in (Q, across))
        return Leading(values, a, own + (beta / weights)[:, None] ** 2 * others / values**2)

    def spread(self, beta: Floats, weights: Floats, found: Leading) -> StarVectors:
        """Return eigenvectors that are given within the basis, in parts, centred."""
        constants = -2 * self._means[:, : self.width] @ found.vectors
        spokes = (
            image[:, : self.width] @ (found.vectors * (b / (w * found.values))) + constant
            for image, b, w, constant in zip(self._images, beta, weights, constants, strict=True)
        )
        return self._on_hub(found), *spokes

    def residuals(self, beta: Floats, weights: Floats, found: Leading) -> Floats:
        """Return A v - μ P(w) v - Σ ν_i p_i on the hub; on the spokes it is zero."""
        y, rest = self._on_hub(found), self.driven(beta, weights, found)
        for arm, w in zip(self.arms, weights, strict=True):
            rest -= (arm.hub @ y) * (w * found.values)
        return rest

    def driven(self, beta: Floats, weights: Floats, found: Leading) -> Floats:
        """Return A v - Σ ν_i p_i on the hub: μ Σ w_i H_i y at an eigenvector."""
        a, values = found.vectors, found.values
        means = self._means[:, : self.width] @ a
        rest = np.zeros((len(self.scale), len(values))) if self.apart is None else -(self.apart @ self._on_hub(found))
        for arm, image, mean, b, w in zip(self.arms, self._images, means, beta, weights, strict=True):
            rest += arm.block @ (image[:, : self.width] @ (a * (b**2 / (w * values))))
            rest -= np.outer(arm.hub_sums, (4 * b + 2 * w * values) * mean)
        return rest

    def _on_hub(self, found: Leading) -> Floats:
        y: Floats = self.scale[:, None] * (self.vectors @ found.vectors)
        return y

    def _fresh(self, columns: Floats) -> Floats:
        """Return what columns have beside the basis, orthonormal, and no more than there is room for."""
        lengths = np.linalg.norm(columns, axis=0)
        columns = columns[:, lengths > 0] / lengths[lengths > 0]
        for _ in range(2):
            columns = columns - self.vectors @ (self.vectors.T @ columns)
            Q, R, _ = qr(columns, mode="economic", pivoting=True, check_finite=False)
            columns = np.asarray(Q[:, : len(R)][:, np.abs(np.diag(R)) > _NEW], dtype=np.float64)
        return columns[:, : self.room - self.width]


def _square_root(matrix: Floats) -> Floats:
    """Return the Cholesky factor of a matrix that is positive definite, but for rounding.

    >>> _square_root(np.array([[4.0, 0.0], [0.0, -1e-18]])).round(6).tolist()
    [[2.0, 0.0], [0.0, 1e-06]]
    """
    try:
        root: Floats = cholesky(matrix, lower=True, check_finite=False)
    except LinAlgError:
        root = cholesky(matrix + _LOST * np.trace(matrix) * np.eye(len(matrix)), lower=True, check_finite=False)
    return root


def _fill(matrix: Floats, old: slice, new: slice, columns: Floats) -> None:
    """Write the new last columns of a symmetric matrix, and its new last rows."""
    matrix[old, new], matrix[new, old] = columns, columns.T
    matrix[new, new] = (matrix[new, new] + matrix[new, new].T) / 2
