"""Leading singular triplets of a sparse block, the same ones every time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.linalg import cholesky, solve_triangular, svd
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

from graphmine.linalg.bonds import Coupled
from graphmine.linalg.metric import Metric, gram_schmidt
from graphmine.progress import Progress, silent

__all__ = ["Triplets", "leading_triplets"]

TOLERANCE = 1e-12
"""Residual of an eigenvector of the block's Gram operator, relative to its eigenvalue."""

_PROBE_TOLERANCE = 1e-2
_PROBE_RESTARTS = 10

Vectors = NDArray[np.float64]
Metrics = tuple[Metric | None, Metric | None]


@dataclass(frozen=True, eq=False)
class Triplets:
    """Singular vectors as columns, singular values in descending order, and whether all asked for were found."""

    left: Vectors
    values: Vectors
    right: Vectors
    converged: bool = True


def leading_triplets(
    block: csr_array | Coupled,
    count: int,
    rng: np.random.Generator,
    *,
    known: tuple[Vectors | csr_array, Vectors | csr_array] | None = None,
    metrics: Metrics = (None, None),
    max_restarts: int = 1000,
    tolerance: float = TOLERANCE,
    dtype: DTypeLike = np.float64,
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
        After so many restarts what has converged is returned, with ``converged=False``.
    tolerance
        The residual of an eigenvector of the block's Gram operator, relative to its eigenvalue.
    dtype
        What is multiplied with: float64, or float32 for half of the memory and a tolerance of 1e-5 or more. What comes
        back is float64.
    progress
        Told about the singular vectors.

    Notes
    -----
    Restarted Lanczos (ARPACK) on the Gram operator Bᵀ M_r⁻¹ B of the smaller side, then Rayleigh–Ritz in the space
    found, at a cost of O(nnz + n · count) a step, with n the longer side, and of a solve with each metric; nothing
    n × n is ever made. This is what `scipy`'s ``svds`` does, but for three things:

    - ARPACK restarts from random vectors when it meets an invariant subspace. ``svds`` draws them from fresh entropy;
      here they come from ``rng``.
    - A Krylov space holds one vector of a repeated singular value, and only rounding brings the others: on blocks of
      eight or more equal parts ``svds`` misses some of them. So the rest of the space is probed, and whatever was
      missed is fetched.
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
            _turned(block),
            count,
            rng,
            known=turned,
            metrics=metrics[::-1],
            max_restarts=max_restarts,
            tolerance=tolerance,
            dtype=dtype,
            progress=progress,
        )
        return _signed(Triplets(found.right, found.values, found.left, found.converged))
    problem = _Problem(block, *metrics, () if known is None else (known[1],))
    count = min(count, problem.n_left)
    if count <= 0:
        return Triplets(np.empty((block.shape[0], 0)), np.empty(0), np.empty((block.shape[1], 0)))
    if count == problem.n_left and (known is None or isinstance(known[1], np.ndarray)):
        return _signed(problem.ritz(problem.whole(), count))
    progress("singular vectors", 0, count)
    right, converged = _leading_right(problem, count, rng, max_restarts, tolerance, np.dtype(dtype))
    progress("singular vectors", right.shape[1], count)
    return _signed(problem.ritz(right, count, converged))


@dataclass(frozen=True, eq=False)
class _Problem:
    """A block that is not wider than high, the metrics of its sides, and the right vectors to stay away from."""

    block: csr_array | Coupled
    left_metric: Metric | None
    right_metric: Metric | None
    avoided: tuple[Vectors | csr_array, ...]

    @property
    def n_left(self) -> int:
        """How many dimensions are left to search."""
        return int(self.block.shape[1]) - sum(int(each.shape[1]) for each in self.avoided)

    def project(self, x: Vectors) -> Vectors:
        """Take away the part of vectors that lies in the avoided space."""
        for each in self.avoided:
            x = x - each @ (each.T @ _times(self.right_metric, x))
        return x

    def project_image(self, y: Vectors) -> Vectors:
        """Take away the same part of vectors that were multiplied by the metric."""
        for each in self.avoided:
            y = y - _times(self.right_metric, each @ (each.T @ y))
        return y

    def whole(self) -> Vectors:
        """Return orthonormal vectors of all that is left, found where the metric is the usual one."""
        root = np.eye(self.block.shape[1])
        if self.right_metric is not None:
            root = cholesky(self.right_metric @ root, lower=True)
        taken = root.T @ np.hstack([
            np.empty((len(root), 0)),
            *(each for each in self.avoided if isinstance(each, np.ndarray)),
        ])
        basis = svd(np.eye(len(root)) - taken @ taken.T)[0][:, : self.n_left]
        vectors: Vectors = solve_triangular(root.T, basis)
        return vectors

    def ritz(self, right: Vectors, count: int, converged: bool = True) -> Triplets:
        """Return the leading triplets of the block within the span of orthonormal right vectors."""
        image = self.block @ right
        if self.left_metric is None:
            left, values, turn = svd(image, full_matrices=False, overwrite_a=True)
        else:
            Q, R = gram_schmidt(self.left_metric.solve(image), self.left_metric)
            small, values, turn = svd(R, full_matrices=False)
            left = Q @ small
        return Triplets(left[:, :count], values[:count], (right @ turn.T)[:, :count], converged)


def _times(metric: Metric | None, x: Vectors) -> Vectors:
    return x if metric is None else metric @ x


def _turned(block: csr_array | Coupled) -> csr_array | Coupled:
    return block.T if isinstance(block, Coupled) else csr_array(block.T)


def _cast(block: csr_array | Coupled, dtype: np.dtype[Any]) -> csr_array | Coupled:
    if isinstance(block, Coupled):
        return Coupled(*(part.astype(dtype) for part in (block.block, block.left, block.strength, block.right)))
    return csr_array(block.astype(dtype, copy=False))


def _leading_right(
    problem: _Problem, count: int, rng: np.random.Generator, max_restarts: int, tolerance: float, dtype: np.dtype[Any]
) -> tuple[Vectors, bool]:
    """Return right vectors that span the leading space, fetched again while the probe finds a missed one."""
    right, converged = _lanczos(problem, count, rng, tolerance, max_restarts, dtype)
    for _ in range(count):
        if not converged or right.shape[1] < count:
            break
        least = problem.ritz(right, count).values[-1]
        rest = replace(problem, avoided=(*problem.avoided, right))
        probe, _ = _lanczos(rest, 1, rng, _PROBE_TOLERANCE, _PROBE_RESTARTS, dtype)
        # A missed triplet stands clearly above the least one kept; a tie with it may be left where it is.
        if not probe.shape[1] or problem.ritz(probe, 1).values[0] <= least * (1 + max(1e-6, tolerance)) + 1e-12:
            break
        missed, converged = _lanczos(rest, count, rng, tolerance, max_restarts, dtype)
        right = problem.ritz(np.hstack([right, missed]), count).right
    return right, converged


def _lanczos(
    problem: _Problem, count: int, rng: np.random.Generator, tolerance: float, max_restarts: int, dtype: np.dtype[Any]
) -> tuple[Vectors, bool]:
    """Return leading eigenvectors of the Gram operator beside the avoided space; fewer if it stops early."""
    block, metric = _cast(problem.block, dtype), problem.right_metric
    transposed = _turned(block)
    tolerance = max(tolerance, 4 * float(np.finfo(dtype).eps))
    smaller = block.shape[1]
    count = min(count, smaller - 1, problem.n_left)

    def multiply(vector: Vectors) -> Vectors:
        image = block @ problem.project(vector.ravel()).astype(dtype, copy=False)
        solved = image if problem.left_metric is None else problem.left_metric.solve(image).astype(dtype, copy=False)
        return problem.project_image(transposed @ solved).astype(dtype, copy=False)

    gram = LinearOperator((smaller, smaller), matvec=multiply, dtype=dtype)
    start = problem.project(rng.standard_normal(smaller)).astype(dtype)
    if count <= 0 or not multiply(start).any():
        return np.empty((smaller, 0)), True  # nothing is left to find, and ARPACK would call that an error
    inner = None if metric is None else _operator(smaller, metric.__matmul__)
    inverse = None if metric is None else _operator(smaller, metric.solve)
    try:
        vectors = eigsh(gram, k=count, M=inner, Minv=inverse, v0=start, tol=tolerance, maxiter=max_restarts, rng=rng)[1]
        converged = True
    except ArpackNoConvergence as stopped:
        vectors, converged = np.asarray(stopped.eigenvectors, dtype=np.float64), False
    except ArpackError:
        vectors, converged = np.empty((smaller, 0)), False
    # ARPACK does not promise orthonormal vectors for clustered eigenvalues.
    return gram_schmidt(problem.project(vectors.astype(np.float64)), metric)[0], converged


def _operator(size: int, multiply: Callable[[Vectors], Vectors]) -> LinearOperator:
    return LinearOperator((size, size), matvec=lambda vector: multiply(vector.ravel()), dtype=np.float64)


def _signed(found: Triplets) -> Triplets:
    """Make the largest entry of each left vector positive; of entries equal but for rounding, the first counts."""
    if not found.values.size:
        return found
    size = np.abs(found.left)
    first = np.argmax(size >= size.max(axis=0) * (1 - 1e-9), axis=0)
    signs = np.where(found.left[first, np.arange(len(first))] < 0, -1.0, 1.0)
    return Triplets(found.left * signs, found.values, found.right * signs, found.converged)
