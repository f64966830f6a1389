"""Leading singular triplets of a sparse block, the same ones every time."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from scipy.linalg import cholesky, solve_triangular, svd
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.lanczos import Pencil, exceeds, leading_eigenvectors, may_hide
from graphmine.linalg.link_matrix import CoupledBlock, with_precision
from graphmine.linalg.metric import Metric, gram_schmidt
from graphmine.progress import Progress, silent

__all__ = ["Triplets", "leading_triplets"]

TOLERANCE = 1e-12
"""Residual of an eigenvector of the block's Gram operator, relative to its eigenvalue."""

_UNLIKE, _ALIKE = 1e-2, 0.5
"""How short a column may be beside the longest, and the least eigenvalue that products of unit columns may have."""

Metrics = tuple[Metric | None, Metric | None]


@dataclass(frozen=True, eq=False)
class Triplets:
    """Singular vectors as columns, singular values in descending order, and whether all asked for were found."""

    left: Floats
    values: Floats
    right: Floats
    converged: bool = True


def leading_triplets(
    block: csr_array | CoupledBlock,
    count: int,
    rng: np.random.Generator,
    *,
    known: tuple[Floats | csr_array, Floats | csr_array] | None = None,
    metrics: Metrics = (None, None),
    max_restarts: int = 1000,
    tolerance: float = TOLERANCE,
    dtype: DTypeLike = np.float64,
    sure: int | None = None,
    progress: Progress = silent,
) -> Triplets:
    """Return the ``count`` singular triplets of a block with the largest singular values.

    Parameters
    ----------
    block
        A sparse block of any shape; it is only ever multiplied with.
    count
        How many triplets, at least 0; no more come back than there are.
    rng
        Gives the start vector, and so makes the result repeatable.
    known
        Left and right singular vectors that are already known, as orthonormal columns, dense or sparse: what comes back
        are the leading triplets beside them.
    metrics
        The inner products M_r of the rows and M_c of the columns; None for the usual one. The triplets then have
        B v = s M_r u, Bᵀ u = s M_c v, and u and v orthonormal in these: they are M_r^-½ and M_c^-½ times the singular
        vectors of M_r^-½ B M_c^-½, and no square root is ever taken.
    max_restarts
        After so many rounds what has converged is returned, with ``converged=False``.
    tolerance
        The residual of an eigenvector of the block's Gram operator, relative to its eigenvalue. The error of a singular
        value goes with its square.
    dtype
        What the search multiplies with: float64, or float32 for half of the memory and a tolerance of 1e-5 or more,
        where the metrics bear it. What comes back is float64.
    progress
        Told how many vectors have converged.
    sure
        The search ends when so many, the first ones, have converged; the others come as near as they are then. None for
        all of them.

    Notes
    -----
    Block Lanczos on the Gram operator Bᵀ M_r⁻¹ B of the smaller side, restarted and stopped on the residual, then
    Rayleigh–Ritz in the space found; see `graphmine.linalg.lanczos`. A step costs O(nnz + n · count), with n the longer
    side, and a solve with each metric; nothing n × n is ever made, nor a transposed copy of a block that is higher than
    wide. `scipy`'s ``svds`` does alike, one vector at a time, but for three things:

    - All that is random comes from ``rng``.
    - A Krylov space holds no more vectors of a repeated singular value than its start had, and only rounding brings the
      others: on blocks of eight or more equal parts ``svds`` misses some of them. So, where values repeat, the rest of
      the space is probed, and whatever was missed is fetched.
    - The sign of a triplet is fixed: the entry of its left vector that is largest in magnitude is positive.

    Only where ``count``, with the known ones, reaches the smaller side is the space the whole one: there the block is
    no larger than the vectors asked for.

    Examples
    --------
    >>> block = csr_array([[3.0, 0.0, 0.0], [0.0, 0.0, -2.0], [0.0, 1.0, 0.0]])
    >>> found = leading_triplets(block, 2, np.random.default_rng(0))
    >>> found.values.round(6).tolist(), round(found.left[1, 1], 6), round(found.right[2, 1], 6)
    ([3.0, 2.0], np.float64(1.0), np.float64(-1.0))
    """
    if block.shape[0] < block.shape[1]:
        turned = None if known is None else known[::-1]
        found = leading_triplets(
            _transposed(block),
            count,
            rng,
            known=turned,
            metrics=metrics[::-1],
            max_restarts=max_restarts,
            tolerance=tolerance,
            dtype=dtype,
            sure=sure,
            progress=progress,
        )
        return _fix_signs(Triplets(found.right, found.values, found.left, found.converged))
    precision = _precision(dtype, metrics)
    avoided = () if known is None else (known[1],)
    problem = _Problem(with_precision(block, precision), precision, *metrics, avoided, tolerance / 5)
    count = min(count, problem.n_left)
    if count <= 0:
        return Triplets(np.empty((block.shape[0], 0)), np.empty(0), np.empty((block.shape[1], 0)))
    if count == problem.n_left and (known is None or isinstance(known[1], np.ndarray)):
        return _fix_signs(problem.ritz(problem.whole(), count))
    progress("singular vectors", 0, count)
    search = _Search(rng, tolerance, max_restarts, count if sure is None else min(sure, count), progress)
    right, converged = search.leading_right(problem, count)
    progress("singular vectors", right.shape[1], count)
    return _fix_signs(problem.ritz(right, count, converged))


def _precision(dtype: DTypeLike, metrics: Metrics) -> np.dtype[Any]:
    """Return the precision asked for, or double precision where a metric would lose all digits of the single one."""
    bears = all(metric is None or metric.allows_single for metric in metrics)
    return np.dtype(dtype) if bears else np.dtype(np.float64)


@dataclass(frozen=True, eq=False)
class _Problem:
    """A block that is not wider than high, the metrics of its sides, and the right vectors to stay away from.

    With the metrics it is solved to a tolerance ``solving``.
    """

    block: csr_array | CoupledBlock
    precision: np.dtype[Any]
    left_metric: Metric | None
    right_metric: Metric | None
    avoided: tuple[Floats | csr_array, ...]
    solving: float

    @property
    def n_left(self) -> int:
        """How many dimensions are left to search."""
        return int(self.block.shape[1]) - sum(int(each.shape[1]) for each in self.avoided)

    def project(self, x: Floats) -> Floats:
        """Take away the part of vectors that lies in the avoided space."""
        for each in self.avoided:
            x = x - each @ (each.T @ (x if self.right_metric is None else self.right_metric @ x))
        return x

    def whole(self) -> Floats:
        """Return orthonormal vectors of all that is left, found where the metric is the usual one."""
        root = np.eye(self.block.shape[1])
        if self.right_metric is not None:
            root = cholesky(self.right_metric @ root, lower=True)
        taken = root.T @ np.hstack([
            np.empty((len(root), 0)),
            *(each for each in self.avoided if isinstance(each, np.ndarray)),
        ])
        basis = svd(np.eye(len(root)) - taken @ taken.T)[0][:, : self.n_left]
        vectors: Floats = solve_triangular(root.T, basis)
        return vectors

    def ritz(self, right: Floats, count: int, converged: bool = True) -> Triplets:
        """Return the leading triplets of the block within the span of orthonormal right vectors."""
        image = self.block @ right.astype(self.precision, copy=False)
        solved = image if self.left_metric is None else self.left_metric.solve(image, self.solving)
        left, values, turn = _independent(solved, image) or self._dependent(solved)
        del image, solved  # each is as large as what comes back
        left = left[:, :count].astype(np.float64, copy=False)
        return Triplets(left, values[:count], right @ turn[:, :count], converged)

    def _dependent(self, columns: Floats) -> tuple[Floats, Floats, Floats]:
        if self.left_metric is None:
            left, values, turn = svd(columns, full_matrices=False)
            return left, values.astype(np.float64), turn.T
        Q, R = gram_schmidt(columns, self.left_metric)
        left, values, turn = svd(R.astype(np.float64))
        return Q @ left, values, turn.T

    @property
    def pencil(self) -> Pencil:
        """Return the eigenvalue problem of the Gram operator Bᵀ M_r⁻¹ B of the right side."""

        def times(x: Floats) -> Floats:
            image = self.block @ x
            return _adjoint_times(self.block, image if left is None else left.solve(image, self.solving))

        left, avoided = self.left_metric, tuple(each.astype(self.precision, copy=False) for each in self.avoided)
        project = replace(self, avoided=avoided).project
        return Pencil(
            int(self.block.shape[1]), self.n_left, times, project, self.right_metric, self.precision, self.solving
        )


def _independent(x: Floats, image: Floats) -> tuple[Floats, Floats, Floats] | None:
    """Return X = U S Vᵀ, U orthonormal in a metric, given M X; None where columns are too alike, or too unlike in size.

    It comes of the products of columns, which on long sides is several times as quick as orthogonalising them.
    """
    gram = (x.T @ image).astype(np.float64)
    size = np.sqrt(np.maximum(np.diag(gram), 0.0))
    if (
        not size.size
        or size.min() <= _UNLIKE * size.max()
        or np.linalg.eigvalsh(gram / np.outer(size, size))[0] < _ALIKE
    ):
        return None
    squares, turn = np.linalg.eigh((gram + gram.T) / 2)
    values, turn = np.sqrt(squares[::-1]), turn[:, ::-1]
    return x @ (turn / values).astype(x.dtype), values, turn


def _transposed(block: csr_array | CoupledBlock) -> csr_array | CoupledBlock:
    return block.T if isinstance(block, CoupledBlock) else csr_array(block.T)


def _adjoint_times(block: csr_array | CoupledBlock, y: Floats) -> Floats:
    """Return Bᵀ y without turning the block: what is written to is the shorter side, which fits in the cache."""
    if isinstance(block, csr_array):
        product: Floats = block.T @ y
        return product
    return block.adjoint_times(y)


@dataclass(frozen=True, eq=False)
class _Search:
    """How leading vectors are looked for."""

    rng: np.random.Generator
    tolerance: float
    max_restarts: int
    sure: int
    progress: Progress

    def leading_right(self, problem: _Problem, count: int) -> tuple[Floats, bool]:
        """Return right vectors that span the leading space, fetched again while the probe finds a missed one."""
        right, squares, converged = self.search(problem, count)
        for _ in range(count):
            if not converged or right.shape[1] < count or not may_hide(squares[: self.sure], self.tolerance):
                break
            rest = replace(problem, avoided=(*problem.avoided, right))
            # A missed triplet stands clearly above the least one kept; a tie with it may be left where it is.
            bar = squares[-1] * (1 + max(2e-6, self.tolerance)) + 1e-24
            if rest.n_left <= 0 or not exceeds(rest.pencil, bar, self.rng):
                break
            missed, _, converged = self.search(rest, count)
            best = problem.ritz(np.hstack([right, missed]), count)
            right, squares = best.right, best.values**2
        return right, converged

    def search(self, problem: _Problem, count: int) -> tuple[Floats, Floats, bool]:
        """Return leading right vectors beside the avoided space, and their eigenvalues; fewer if it stops early."""
        found = leading_eigenvectors(
            problem.pencil,
            min(count, problem.n_left),
            self.rng,
            tolerance=self.tolerance,
            max_restarts=self.max_restarts,
            sure=self.sure,
            on_converged=lambda done: self.progress("singular vectors", done, count),
        )
        vectors = problem.project(found.vectors.astype(np.float64))
        return gram_schmidt(vectors, problem.right_metric)[0], found.values, found.converged


def _fix_signs(found: Triplets) -> Triplets:
    """Make the largest entry of each left vector positive; of entries equal but for rounding, the first counts."""
    if not found.values.size or not len(found.left):
        return found
    highest, lowest = found.left.max(axis=0), -found.left.min(axis=0)
    signs = np.where(highest >= lowest, 1.0, -1.0)
    largest = np.maximum(highest, lowest)
    for tie in np.flatnonzero(np.abs(highest - lowest) <= 1e-9 * largest):
        column = found.left[:, tie]
        signs[tie] = -1.0 if column[np.argmax(np.abs(column) >= largest[tie] * (1 - 1e-9))] < 0 else 1.0
    found.left[:] *= signs  # in place: the longer side is most of the memory that is needed by now
    found.right[:] *= signs
    return found
