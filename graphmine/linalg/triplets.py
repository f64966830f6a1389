"""Leading singular triplets of a sparse block, the same ones every time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import svd
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

__all__ = ["Triplets", "leading_triplets"]

TOLERANCE = 1e-12
"""Residual of an eigenvector of the block's Gram operator, relative to its eigenvalue."""

_PROBE_TOLERANCE = 1e-2
_PROBE_RESTARTS = 10

Vectors = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Triplets:
    """Singular vectors as columns, singular values in descending order, and whether all asked for were found."""

    left: Vectors
    values: Vectors
    right: Vectors
    converged: bool = True


def leading_triplets(
    block: csr_array,
    count: int,
    rng: np.random.Generator,
    *,
    known: tuple[Vectors, Vectors] | None = None,
    max_restarts: int = 1000,
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
        Left and right singular vectors that are already known, as orthonormal columns: what comes back are the
        leading triplets beside them.
    max_restarts
        After so many restarts what has converged is returned, with ``converged=False``.

    Notes
    -----
    Restarted Lanczos (ARPACK) on the Gram operator of the smaller side, then Rayleigh–Ritz in the space found, at a
    cost of O(nnz + n · count) a step, with n the longer side; nothing n × n is ever made. This is what `scipy`'s
    ``svds`` does, but for three things:

    - ARPACK restarts from random vectors when it meets an invariant subspace. ``svds`` draws them from fresh entropy;
      here they come from ``rng``.
    - A Krylov space holds one vector of a repeated singular value, and only rounding brings the others: on blocks of
      eight or more equal parts ``svds`` misses some of them. So the rest of the space is probed, and whatever was
      missed is fetched.
    - The sign of a triplet is fixed: the entry of its left vector that is largest in magnitude is positive.

    Only where ``count``, with the known ones, reaches the smaller side does LAPACK see the block as a dense one: there
    the block is no larger than the vectors asked for.

    Examples
    --------
    >>> block = csr_array([[3.0, 0.0, 0.0], [0.0, 0.0, -2.0], [0.0, 1.0, 0.0]])
    >>> found = leading_triplets(block, 2, np.random.default_rng(0))
    >>> found.values.round(6).tolist(), round(found.left[1, 1], 6), round(found.right[2, 1], 6)
    ([3.0, 2.0], np.float64(1.0), np.float64(-1.0))
    """
    if block.shape[0] < block.shape[1]:
        turned = None if known is None else known[::-1]
        found = leading_triplets(csr_array(block.T), count, rng, known=turned, max_restarts=max_restarts)
        return _signed(Triplets(found.right, found.values, found.left, found.converged))
    smaller = block.shape[1]
    avoided = np.empty((smaller, 0)) if known is None else known[1]
    count = min(count, smaller - avoided.shape[1])
    if count <= 0:
        return Triplets(np.empty((block.shape[0], 0)), np.empty(0), np.empty((smaller, 0)))
    if count + avoided.shape[1] >= smaller:
        dense = block.toarray()
        left, values, right_t = svd(dense - (dense @ avoided) @ avoided.T, full_matrices=False, overwrite_a=True)
        return _signed(Triplets(left[:, :count], values[:count], right_t[:count].T))
    right, converged = _leading_right(block, count, avoided, rng, max_restarts)
    return _signed(_ritz(block, right, count, converged))


def _leading_right(
    block: csr_array, count: int, avoided: Vectors, rng: np.random.Generator, max_restarts: int
) -> tuple[Vectors, bool]:
    """Return right vectors that span the leading space, fetched again while the probe finds a missed one."""
    right, converged = _lanczos(block, count, avoided, rng, TOLERANCE, max_restarts)
    for _ in range(count):
        if not converged or right.shape[1] < count:
            break
        least = _ritz(block, right, count).values[-1]
        basis = np.hstack([avoided, right])
        probe, _ = _lanczos(block, 1, basis, rng, _PROBE_TOLERANCE, _PROBE_RESTARTS)
        # A missed triplet stands clearly above the least one kept; a tie with it may be left where it is.
        if not probe.shape[1] or float(np.linalg.norm(block @ probe)) <= least * (1 + 1e-6) + 1e-12:
            break
        missed, converged = _lanczos(block, count, basis, rng, TOLERANCE, max_restarts)
        right = _ritz(block, np.hstack([right, missed]), count).right
    return right, converged


def _lanczos(
    block: csr_array, count: int, avoided: Vectors, rng: np.random.Generator, tolerance: float, max_restarts: int
) -> tuple[Vectors, bool]:
    """Return leading eigenvectors of blockᵀ block in the space orthogonal to ``avoided``; fewer if it stops early."""
    smaller = block.shape[1]
    transposed = csr_array(block.T)
    count = min(count, smaller - 1, smaller - avoided.shape[1])

    def project(vector: Vectors) -> Vectors:
        return vector - avoided @ (avoided.T @ vector)

    def multiply(vector: Vectors) -> Vectors:
        return project(transposed @ (block @ project(vector.ravel())))

    gram = LinearOperator((smaller, smaller), matvec=multiply, dtype=np.float64)
    start = project(rng.standard_normal(smaller))
    if not multiply(start).any():
        return np.empty((smaller, 0)), True  # nothing is left to find, and ARPACK would call that an error
    try:
        vectors = eigsh(gram, k=count, v0=start, tol=tolerance, maxiter=max_restarts, rng=rng)[1]
        converged = True
    except ArpackNoConvergence as stopped:
        vectors, converged = np.asarray(stopped.eigenvectors, dtype=np.float64), False
    except ArpackError:
        vectors, converged = np.empty((smaller, 0)), False
    # ARPACK does not promise orthonormal vectors for clustered eigenvalues.
    return np.linalg.qr(project(vectors))[0], converged


def _ritz(block: csr_array, right: Vectors, count: int, converged: bool = True) -> Triplets:
    """Return the leading triplets of a block within the span of orthonormal right vectors."""
    left, values, turn = svd(block @ right, full_matrices=False, overwrite_a=True)
    return Triplets(left[:, :count], values[:count], (right @ turn.T)[:, :count], converged)


def _signed(found: Triplets) -> Triplets:
    """Make the largest entry of each left vector positive; of entries equal but for rounding, the first counts."""
    if not found.values.size:
        return found
    size = np.abs(found.left)
    first = np.argmax(size >= size.max(axis=0) * (1 - 1e-9), axis=0)
    signs = np.where(found.left[first, np.arange(len(first))] < 0, -1.0, 1.0)
    return Triplets(found.left * signs, found.values, found.right * signs, found.converged)
