"""Leading eigenvectors of a symmetric operator: block Lanczos, thickly restarted, stopped on the residual."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from graphmine.arrays import AnyArray, Bools
from graphmine.linalg.metric import InnerProduct, gram_schmidt

__all__ = ["Eigenvectors", "Pencil", "exceeds", "leading_eigenvectors", "may_hide"]


_WIDTH = 4
"""Vectors per block. One pass over a sparse block serves all of them, and finds as many equal eigenvalues at once."""

_PROBED_STEPS = 20


def _ignore(_: int) -> None:
    """Do nothing."""


@dataclass(frozen=True, eq=False)
class Pencil:
    """The eigenvalue problem G x = θ M x within a subspace, with G symmetric and without negative eigenvalues.

    Parameters
    ----------
    size
        How long a vector is.
    n_left
        How many dimensions the subspace has.
    times
        G, applied to columns.
    project
        The projection of columns onto the subspace, orthogonal in M.
    metric
        M; None for the identity.
    dtype
        The precision of the vectors.
    solving
        The tolerance of solves with M.
    """

    size: int
    n_left: int
    times: Callable[[AnyArray], AnyArray]
    project: Callable[[AnyArray], AnyArray]
    metric: InnerProduct | None = None
    dtype: np.dtype[Any] = field(default_factory=lambda: np.dtype(np.float64))
    solving: float = 1e-15

    def solve(self, y: AnyArray) -> AnyArray:
        """Return M⁻¹ y within the subspace."""
        return self.project(y if self.metric is None else self.metric.solve(y, self.solving))


class Eigenvectors(NamedTuple):
    """Eigenvectors as columns, orthonormal in the metric, their values, and whether all asked for converged."""

    vectors: AnyArray
    values: AnyArray
    converged: bool


class _Ritz(NamedTuple):
    """Ritz values in descending order, vectors as combinations of the basis, and the norms of their residuals."""

    values: AnyArray
    turn: AnyArray
    residuals: AnyArray


@dataclass(eq=False)
class _Krylov:
    """An orthonormal basis V with Vᵀ G V = T, and the coupling that leads from its last block to the next one."""

    pencil: Pencil
    capacity: int
    rng: np.random.Generator
    basis: AnyArray = field(init=False)
    images: AnyArray = field(init=False)
    small: AnyArray = field(init=False)
    coupling: AnyArray = field(init=False)
    following: AnyArray = field(init=False)
    length: int = 0
    largest: float = 0.0

    def __post_init__(self) -> None:
        """Start with a random block."""
        pencil, shape = self.pencil, (self.pencil.size, self.capacity)
        self.basis = np.empty(shape, dtype=pencil.dtype, order="F")
        # V and M V are the same where M is the identity.
        self.images = self.basis if pencil.metric is None else np.empty(shape, dtype=pencil.dtype, order="F")
        self.small = np.zeros((self.capacity, self.capacity))
        self.following = self._fresh(min(_WIDTH, pencil.n_left), np.empty((pencil.size, 0), dtype=pencil.dtype))

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another block, or nothing left to add."""
        width = self.following.shape[1]
        return not width or self.length + width > self.capacity

    def extend(self) -> None:
        """Add the next block to the basis, and compute the one after it."""
        block, first = self.following, self.length
        self._append(block)
        image = self.pencil.times(block)
        shares = self.basis[:, : self.length].T @ image
        rest = self.pencil.solve(image)
        rest -= self.basis[:, : self.length] @ shares
        again = self._shares(rest)  # a second pass removes what rounding left
        rest -= self.basis[:, : self.length] @ again
        shares = (shares + again).astype(np.float64)
        shares[first:] = (shares[first:] + shares[first:].T) / 2
        self.small[: self.length, first : self.length] = shares
        self.small[first : self.length, : self.length] = shares.T
        self.largest = max(self.largest, float(np.abs(shares).max(initial=0.0)))
        self._follow(rest)

    def ritz(self) -> _Ritz:
        """Return the Ritz approximations within the basis."""
        values, turn = np.linalg.eigh(self.small[: self.length, : self.length])
        values, turn = values[::-1], turn[:, ::-1]
        width = self.coupling.shape[1]
        residuals = np.linalg.norm(self.coupling @ turn[self.length - width :], axis=0)
        return _Ritz(values, turn, residuals)

    def restart(self, ritz: _Ritz, kept: int) -> None:
        """Keep only the best approximations, and the block that follows."""
        turn = ritz.turn[:, :kept].astype(self.pencil.dtype)
        for each in {id(each): each for each in (self.basis, self.images)}.values():
            each[:, :kept] = each[:, : self.length] @ turn
        self.small[:] = 0.0
        np.fill_diagonal(self.small[:kept, :kept], ritz.values[:kept])
        self.length = kept

    def _append(self, block: AnyArray) -> None:
        places = slice(self.length, self.length + block.shape[1])
        self.basis[:, places] = block
        if self.pencil.metric is not None:
            self.images[:, places] = self.pencil.metric @ block
        self.length = places.stop

    def _follow(self, rest: AnyArray) -> None:
        """Make the next block from what an image has outside the basis; draw random directions where that is zero."""
        eps = float(np.finfo(self.pencil.dtype).eps)
        Q, R = gram_schmidt(rest, self.pencil.metric, least=10 * eps * self.largest)
        # What is left of a column by rounding alone lies anywhere, in the basis too.
        strayed = np.abs(self._shares(Q)).max(axis=0, initial=0.0) > np.sqrt(eps)
        there = np.flatnonzero((np.diag(R) > 0) & ~strayed)[: self.pencil.n_left - self.length]
        self.following, self.coupling = np.ascontiguousarray(Q[:, there]), R[there].astype(np.float64)
        n_fresh = min(R.shape[1], self.pencil.n_left - self.length) - len(there)
        if n_fresh > 0:
            self.following = self._fresh(n_fresh, self.following)
            self.coupling = np.vstack([self.coupling, np.zeros((n_fresh, R.shape[1]))])

    def _fresh(self, width: int, beside: AnyArray) -> AnyArray:
        """Return a block with random directions added to it, orthogonal to the basis and to one another."""
        metric = self.pencil.metric
        drawn = self.rng.standard_normal((self.pencil.size, width)).astype(self.pencil.dtype)
        for _ in range(2):
            drawn = self.pencil.project(drawn)
            drawn -= self.basis[:, : self.length] @ self._shares(drawn)
            drawn = gram_schmidt(np.hstack([beside, drawn]), metric)[0][:, beside.shape[1] :]
        return np.ascontiguousarray(np.hstack([beside, drawn]))

    def _shares(self, x: AnyArray) -> AnyArray:
        shares: AnyArray = self.images[:, : self.length].T @ x
        return shares


def leading_eigenvectors(
    pencil: Pencil,
    count: int,
    rng: np.random.Generator,
    *,
    tolerance: float,
    max_restarts: int,
    sure: int | None = None,
    on_converged: Callable[[int], None] = _ignore,
) -> Eigenvectors:
    """Return the eigenvectors of the ``count`` largest eigenvalues; those that converged, if it stops early.

    Parameters
    ----------
    pencil
        The eigenvalue problem.
    count
        The number of eigenvectors, at least 1 and at most the dimension of the subspace.
    rng
        Draws the start and further random directions, and so makes the result repeatable.
    tolerance
        The residual M⁻¹ G x - θ x of an eigenvector, relative to θ; no less than rounding allows.
    max_restarts
        The largest number of restarts.
    sure
        The search ends when this many of them, the first ones, have converged; None for all.
    on_converged
        Called with the number of converged eigenvectors.

    Notes
    -----
    Wu and Simon's thick restart, with blocks of four vectors and full orthogonalisation. One product with G serves a
    whole block, which is what costs with sparse matrices, and everything else is matrix products over the basis. Four
    equal eigenvalues are found together; more than four only by rounding.

    References
    ----------
    K. Wu, H. Simon: Thick-restart Lanczos method for large symmetric eigenvalue problems. SIAM J. Matrix Anal. 2000.

    Examples
    --------
    >>> diagonal = np.linspace(3.0, 1.0, 50)[:, None]
    >>> pencil = Pencil(50, 50, lambda x: diagonal * x, lambda x: x)
    >>> found = leading_eigenvectors(pencil, 2, np.random.default_rng(0), tolerance=1e-10, max_restarts=50)
    >>> np.abs(found.vectors[:3]).round(6).tolist(), found.converged
    ([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], True)
    """
    capacity = min(pencil.n_left, 2 * count + 6 * _WIDTH)
    krylov, sure = _Krylov(pencil, capacity, rng), min(sure or count, count)
    for cycle in range(1, max(max_restarts, 1) + 1):
        while not krylov.is_full:
            krylov.extend()
            ritz = krylov.ritz()
            done = _converged(ritz, count, tolerance, pencil.dtype)
            on_converged(int(np.count_nonzero(done)))
            if len(done) == count and np.all(done[:sure]):
                break
        arrived = len(done) == count and bool(np.all(done[:sure]))
        if arrived or krylov.length == pencil.n_left or cycle == max_restarts:
            break
        krylov.restart(ritz, count + (capacity - count - _WIDTH) // 2)
    done |= arrived
    turn = ritz.turn[:, :count][:, done].astype(pencil.dtype)
    vectors = krylov.basis[:, : krylov.length] @ turn
    return Eigenvectors(vectors, ritz.values[:count][done], arrived)


def may_hide(values: AnyArray, tolerance: float) -> bool:
    """Return whether eigenvalues found, in descending order, may be fewer copies than there are.

    A block finds as many copies of an eigenvalue as it has vectors, and takes for copies what the tolerance can not
    tell apart. So a value of which there are fewer hides nothing.

    >>> may_hide(np.array([3.0, 2.0, 2.0, 2.0, 1.0]), 1e-9), may_hide(np.array([3.0, 2.0, 2.0, 2.0, 2.0]), 1e-9)
    (False, True)
    """
    first, last = values[: 1 - _WIDTH], values[_WIDTH - 1 :]
    return bool(np.any(first - last <= max(3 * tolerance, 1e-6) * first))


def exceeds(pencil: Pencil, bar: float, rng: np.random.Generator) -> bool:
    """Return whether some eigenvalue is larger than a bar.

    Notes
    -----
    A Lanczos process from random vectors. After j steps the part of them that belongs to an eigenvalue above the bar
    has grown by the Chebyshev polynomial of degree j, against all those below the largest value seen, which are taken
    for the rest of the spectrum. It ends when that would have made such a part of usual size stand out. Where the rest
    reaches up to the bar this takes too long, and after twenty steps nothing is said to exceed it.

    Examples
    --------
    >>> diagonal = np.append(3.0, np.linspace(1.0, 0.0, 99))[:, None]
    >>> pencil = Pencil(100, 100, lambda x: diagonal * x, lambda x: x)
    >>> exceeds(pencil, 2.0, np.random.default_rng(0)), exceeds(pencil, 3.5, np.random.default_rng(0))
    (True, False)
    """
    krylov = _Krylov(pencil, min(pencil.n_left, _PROBED_STEPS * _WIDTH), rng)
    n_steps = 0
    while not krylov.is_full:
        krylov.extend()
        n_steps += 1
        value = float(krylov.ritz().values[0])
        if value > bar:
            return True
        growth = np.arccosh(max(2 * bar / max(value, np.finfo(float).tiny) - 1, 1.0))
        if 2 * n_steps * growth > np.log(100 * pencil.size):
            break
    return False


def _converged(ritz: _Ritz, count: int, tolerance: float, dtype: np.dtype[Any]) -> Bools:
    """Return which of the wanted approximations have converged."""
    values, residuals = ritz.values[:count], ritz.residuals[:count]
    rounding = 10 * float(np.finfo(dtype).eps) * abs(float(ritz.values[0]))
    arrived: Bools = residuals <= np.maximum(tolerance * values, rounding)
    return arrived
