"""The part of a metric that its bonds make: closed forms, factors, and conjugate gradients where neither will do."""

import warnings
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.linalg import SuperLU

from graphmine.linalg.bipartite import scaled
from graphmine.linalg.bonds import Bonds
from graphmine.linalg.sparse_form import factorised

__all__ = ["Inside"]

Numbers = NDArray[Any]

_MOST_STEPS = 10
"""So many steps a point; in exact arithmetic one would do."""

_EASY = 0.2
"""A margin from which on conjugate gradients need a few dozen steps at the most, and are quicker than factors."""


class _Closed(NamedTuple):
    """The inverse of diag(λ) - Σ_g w_g 1_g 1_gᵀ over disjoint sets g, as diag(inverse) + spokes spokesᵀ."""

    inverse: Numbers
    spokes: csr_array

    def solve(self, b: Numbers) -> Numbers:
        plain: Numbers = self.inverse[:, None] * b
        if self.spokes.nnz:
            plain += self.spokes @ (self.spokes.T @ b)
        return plain


@dataclass(frozen=True, eq=False)
class Inside:
    """A matrix I - C of points that all have bonds, scaled to have ones on its diagonal.

    Parameters
    ----------
    pull
        C: written out where it is of pairs, never where it is of sets.
    closed
        The inverse, if it is ``exact``; else of the part of the matrix that disjoint sets make.
    margin
        No eigenvalue is smaller.
    factors
        A factorisation of the matrix without its scaling, and what the scaling is.

    Examples
    --------
    >>> pair = Bonds(csr_array(np.eye(2)), csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> matrix = Inside.of(np.array([3.0, 3.0]), np.array([4.0, 4.0]), pair)
    >>> matrix.exact, matrix.margin, matrix.solve(np.array([0.75, 0.75]), 1e-12).round(12).tolist()
    (False, 0.75, [1.0, 1.0])
    """

    pull: csr_array | Bonds
    closed: _Closed
    exact: bool
    margin: float
    factors: tuple[SuperLU, NDArray[np.float64]] | None = None

    @classmethod
    def of(cls, free: NDArray[np.float64], diagonal: NDArray[np.float64], bonds: Bonds) -> "Inside":
        """Return diag(free + C 1) - C, with what stands on its diagonal, scaled."""
        scale = diagonal**-0.5
        closed, exact = _closed_form(free, diagonal, bonds)
        pulls = Bonds(bonds.incidence, csr_array(abs(bonds.strength))).row_sums
        margin = float(np.min(1 - pulls / diagonal, initial=1.0))
        factors = None if exact or margin > _EASY else factorised(free, bonds)
        pull = _written_out(bonds.scaled(scale))
        return cls(pull, closed, exact, margin, None if factors is None else (factors, scale))

    def single(self) -> "Inside":
        """Return the same in single precision."""
        inverse, spokes = self.closed
        pull = _single(self.pull) if isinstance(self.pull, csr_array) else _single_bonds(self.pull)
        return replace(self, pull=pull, closed=_Closed(inverse.astype(np.float32), _single(spokes)))

    def solve(self, b: Numbers, tolerance: float) -> Numbers:
        """Return x with (I - C) x = b, for one right-hand side or for columns of them."""
        columns = b.reshape(len(b), -1)
        if self.exact:
            found = self.closed.solve(columns)
        elif self.factors is not None:
            found = self._by_factors(columns, *self.factors)
        else:
            found = self._by_steps(columns, max(tolerance, float(np.finfo(b.dtype).eps) / 4))
        return found.reshape(b.shape)

    def _by_factors(self, b: Numbers, factors: SuperLU, scale: NDArray[np.float64]) -> Numbers:
        given = np.zeros((factors.shape[0], b.shape[1]))
        given[: len(b)] = b / scale[:, None]
        found: Numbers = (factors.solve(given)[: len(b)] / scale[:, None]).astype(b.dtype)
        return found

    def _by_steps(self, b: Numbers, tolerance: float) -> Numbers:
        """Return the solution by conjugate gradients, each column by itself."""
        x, residual, buffer = np.zeros_like(b), b.copy(), np.empty_like(b)
        z = self._near(residual)
        direction, size = z.copy(), _dots(residual, z)
        goal = size * tolerance**2
        for _ in range(_MOST_STEPS * len(b)):
            if np.all(size <= goal):
                return x
            image = self.pull @ direction
            np.subtract(direction, image, out=image)
            step = _ratio(size, _dots(direction, image), size > goal)
            # Products with a diagonal matrix: numpy is slow at scaling the columns of long, narrow arrays.
            x += np.matmul(direction, np.diag(step), out=buffer)
            residual -= np.matmul(image, np.diag(step), out=buffer)
            z = self._near(residual)
            size, before = _dots(residual, z), size
            direction = np.add(z, np.matmul(direction, np.diag(_ratio(size, before, before > goal)), out=buffer))
        warnings.warn(
            "links so unlike in strength were solved for with less than full accuracy; bring their weights closer",
            RuntimeWarning,
            stacklevel=2,
        )
        return x

    def _near(self, b: Numbers) -> Numbers:
        """Return what disjoint sets alone would have for a solution; without sets the matrix is near the identity."""
        return self.closed.solve(b) if self.closed.spokes.nnz else b


def _dots(x: Numbers, y: Numbers) -> Numbers:
    dots: Numbers = np.einsum("ij,ij->j", x, y)
    return dots


def _ratio(top: Numbers, bottom: Numbers, wanted: NDArray[np.bool_]) -> Numbers:
    # A column that has arrived stands still.
    return np.divide(top, bottom, out=np.zeros_like(top), where=wanted & (bottom > 0))


def _single(matrix: csr_array) -> csr_array:
    return csr_array((matrix.data.astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape)


def _single_bonds(bonds: Bonds) -> Bonds:
    return Bonds(_single(bonds.incidence), _single(bonds.strength))


def _written_out(bonds: Bonds) -> csr_array | Bonds:
    """Return bonds as a matrix where that costs no more: where they are of pairs of points."""
    if np.bincount(bonds.incidence.indices, minlength=1).max() > 1 or np.any(bonds.diagonal):
        return bonds
    return csr_array(bonds.incidence @ bonds.strength @ bonds.incidence.T)


def _closed_form(free: Numbers, diagonal: Numbers, bonds: Bonds) -> tuple[_Closed, bool]:
    """Return the inverse of the part of the scaled matrix that disjoint sets make, and whether that is all of it."""
    sets = _strongest(bonds)
    strength = np.maximum(bonds.strength.diagonal(), 0.0)
    sizes = np.asarray(sets.sum(axis=0)).ravel()
    kept = np.flatnonzero(sizes > 1)
    sets, strength, sizes = csr_array(sets[:, kept]), strength[kept], sizes[kept]
    exact = _covers(bonds, sets)
    # What a point has beside its set: its diagonal without the set's share, which is `free` where nothing else is.
    own = sets @ (strength * (sizes - 1))
    rest = free if exact else np.maximum(diagonal - own, 1e-12 * diagonal)
    levels = rest + sets @ (strength * sizes)
    # Woodbury: (Λ - w 1 1ᵀ)⁻¹ = Λ⁻¹ + Λ⁻¹ 1 (1/w - Σ 1/λ)⁻¹ 1ᵀ Λ⁻¹.
    inner = strength * sizes / np.maximum(sets.T @ (rest / levels), np.finfo(float).tiny)
    return _Closed(diagonal / levels, scaled(sets, np.sqrt(diagonal) / levels, np.sqrt(inner))), exact


def _strongest(bonds: Bonds) -> csr_array:
    """Return the memberships of points in the one set, of those bonded with themselves, that holds them strongest."""
    strength = np.maximum(bonds.strength.diagonal(), 0.0)
    members = bonds.incidence.tocoo()
    sizes = np.bincount(members.col, minlength=len(strength))
    pull = (strength * (sizes - 1))[members.col]
    held = np.flatnonzero((pull > 0) & (members.data == 1.0))
    order = held[np.lexsort((members.col[held], -pull[held], members.row[held]))]
    first = order[np.diff(members.row[order], prepend=-1) > 0]
    ends = members.row[first], members.col[first]
    return csr_array((np.ones(len(first)), ends), shape=bonds.incidence.shape)


def _covers(bonds: Bonds, sets: csr_array) -> bool:
    """Return whether disjoint sets, bonded with themselves, are all the bonds there are."""
    loops = bonds.strength.diagonal()
    sizes = np.bincount(bonds.incidence.indices, minlength=len(loops))
    bonded = int(sizes[(loops != 0) & (sizes > 1)].sum())
    return bool(bonds.strength.nnz == np.count_nonzero(loops) and not np.any(loops < 0) and bonded == sets.nnz)
