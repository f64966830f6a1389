"""Inner products that bonds pull together: products with them, and solves in linear memory."""

import warnings
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.linalg import SuperLU

from graphmine.linalg.bonds import Bonds
from graphmine.linalg.sparse_form import factorised

__all__ = ["Metric", "gram_schmidt"]

Numbers = NDArray[np.float64]

_TOLERANCE = 1e-15
"""The residual of a solve, relative to the right-hand side, measured by the preconditioner."""

_MOST_STEPS = 10
"""So many steps a point; in exact arithmetic one would do."""


class _Blocks(NamedTuple):
    """A matrix diag(λ) - Σ_g w_g v_g v_gᵀ over disjoint sets g, ready to be solved with."""

    inverse: Numbers
    members: csr_array
    inner: Numbers

    def solve(self, b: Numbers) -> Numbers:
        plain: Numbers = (self.inverse * b.T).T
        sums = self.members.T @ plain
        plain += (self.inverse * (self.members @ (self.inner * sums.T).T).T).T
        return plain


@dataclass(frozen=True, eq=False)
class Metric:
    """The symmetric positive definite matrix M = diag(free + C 1) - C, scaled to have ones on its diagonal.

    Parameters
    ----------
    free
        What each point has beside its bonds. M has to be positive definite, and is where ``free`` is 0 or more, what is
        bonded by positive strengths has a point with more than 0, and ``free`` is more than twice the magnitude of a
        point's negative bonds.
    bonds
        C; None for a plain diagonal.

    Notes
    -----
    With s = diag(M)^-½ it is S M S that is multiplied and solved with. A solve is exact, in closed form, where all
    bonds are of disjoint sets with themselves: such a set adds Λ = free + w |g| minus a rank one, and the number that
    Woodbury's formula divides by, 1/w - Σ 1/λᵢ, is computed as Σ freeᵢ / (w |g| λᵢ), without cancellation. Pairs and
    sets that hold together almost like a tree are factorised. Otherwise the closed form, each point in its strongest
    set, preconditions conjugate gradients. All of it takes memory in proportion to points, memberships and strengths.

    Examples
    --------
    >>> pair = Bonds(csr_array(np.ones((2, 1))), csr_array(np.array([[3.0]])))
    >>> M = Metric(np.array([1.0, 1.0]), pair)
    >>> (M @ np.eye(2)).tolist(), M.scale.tolist()
    ([[1.0, -0.75], [-0.75, 1.0]], [0.5, 0.5])
    >>> M.solve(np.array([0.25, 0.25])).tolist()
    [1.0, 1.0]
    """

    free: Numbers
    bonds: Bonds | None = None
    diagonal: Numbers = field(init=False)
    _blocks: _Blocks = field(init=False, repr=False)
    _exact: bool = field(init=False, repr=False)
    _factors: SuperLU | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare the closed form."""
        sums = np.zeros(len(self.free)) if self.bonds is None else self.bonds.row_sums
        object.__setattr__(self, "diagonal", self.free + sums)
        blocks, exact = _closed_form(self.free, self.diagonal, self.bonds)
        object.__setattr__(self, "_blocks", blocks)
        object.__setattr__(self, "_exact", exact)
        factors = None if exact or self.bonds is None else factorised(self.free, self.bonds)
        object.__setattr__(self, "_factors", factors)

    @property
    def scale(self) -> Numbers:
        """What the rows and columns of M are multiplied by."""
        scale: Numbers = self.diagonal**-0.5
        return scale

    @property
    def plain(self) -> bool:
        """Whether M, scaled, is the identity."""
        return self.bonds is None or not self.bonds.strength.nnz

    def __matmul__(self, x: Numbers) -> Numbers:
        return self._times(x, self.scale)

    def solve(self, b: Numbers) -> Numbers:
        """Return x with M x = b, for one right-hand side or for columns of them."""
        raw = (b.T / self.scale).T
        if self._exact:
            found = self._blocks.solve(raw)
        elif self._factors is not None:
            beside = np.zeros((self._factors.shape[0] - len(raw), *raw.shape[1:]))
            found = self._factors.solve(np.concatenate([raw, beside]))[: len(raw)]
        else:
            found = self._conjugate_gradients(raw)
        result: Numbers = (found.T / self.scale).T
        return result

    def norms(self, x: Numbers) -> Numbers:
        """Return the length of each column."""
        lengths: Numbers = np.sqrt(np.maximum(np.sum(x * (self @ x), axis=0), 0.0))
        return lengths

    def _times(self, x: Numbers, scale: Numbers | None = None) -> Numbers:
        given = x if scale is None else (scale * x.T).T
        product: Numbers = (self.diagonal * given.T).T
        if self.bonds is not None:
            product -= self.bonds @ given
        return product if scale is None else (scale * product.T).T

    def _conjugate_gradients(self, b: Numbers) -> Numbers:
        """Return the solution for the matrix without its scaling, each column by itself."""
        x, residual = np.zeros_like(b), b.copy()
        z = self._blocks.solve(residual)
        direction, size = z.copy(), np.sum(residual * z, axis=0)
        goal = size * _TOLERANCE**2
        for _ in range(_MOST_STEPS * len(b)):
            if np.all(size <= goal):
                return x
            image = self._times(direction)
            step = _ratio(size, np.sum(direction * image, axis=0), size > goal)
            x += step * direction
            residual -= step * image
            z = self._blocks.solve(residual)
            size, before = np.sum(residual * z, axis=0), size
            direction = z + _ratio(size, before, before > goal) * direction
        warnings.warn(
            "links so unlike in strength were solved for with less than full accuracy; bring their weights closer",
            RuntimeWarning,
            stacklevel=2,
        )
        return x


def gram_schmidt(columns: Numbers, metric: Metric | None) -> tuple[Numbers, Numbers]:
    """Return Q, orthonormal in a metric, and the triangle R with Q R = columns; a column of no length stays zero.

    >>> M = Metric(np.array([2.0, 2.0]))
    >>> Q, R = gram_schmidt(np.array([[3.0, 1.0], [4.0, 7.0]]), M)
    >>> R.round(6).tolist()
    [[5.0, 6.2], [0.0, 3.4]]
    """
    if metric is None:
        Q, R = np.linalg.qr(columns)
        return Q, R
    Q, R = np.zeros_like(columns), np.zeros((columns.shape[1], columns.shape[1]))
    image = np.zeros_like(columns)
    for j in range(columns.shape[1]):
        vector = columns[:, j].copy()
        for _ in range(2):  # once more takes away what rounding left
            shares = image[:, :j].T @ vector
            vector -= Q[:, :j] @ shares
            R[:j, j] += shares
        R[j, j] = metric.norms(vector[:, None])[0]
        if R[j, j] > 1e-14 * np.abs(R[:, j]).max():
            Q[:, j] = vector / R[j, j]
            image[:, j] = metric @ Q[:, j]
    return Q, R


def _ratio(top: Numbers, bottom: Numbers, wanted: NDArray[np.bool_]) -> Numbers:
    # A column that has arrived stands still.
    return np.divide(top, bottom, out=np.zeros_like(top), where=wanted & (bottom > 0))


def _closed_form(free: Numbers, diagonal: Numbers, bonds: Bonds | None) -> tuple[_Blocks, bool]:
    """Return the part of M that disjoint sets make, and whether it is all of M."""
    n_points = len(free)
    if bonds is None:
        return _Blocks(1 / diagonal, csr_array((n_points, 0)), np.empty(0)), True
    sets = _strongest(bonds)
    strength = np.maximum(bonds.strength.diagonal(), 0.0)
    sizes = np.asarray(sets.sum(axis=0)).ravel()
    kept = np.flatnonzero(sizes > 1)
    sets, strength, sizes = csr_array(sets[:, kept]), strength[kept], sizes[kept]
    inside = sets @ (strength * sizes)
    exact = _covers(bonds, sets)
    # What a point has beside its set: its diagonal without the set's share, which is `free` where nothing else is.
    own = sets @ (strength * (sizes - 1))
    rest = free if exact else np.maximum(diagonal - own, 1e-12 * diagonal)
    levels = rest + inside
    # Woodbury: (Λ - w 1 1ᵀ)⁻¹ = Λ⁻¹ + Λ⁻¹ 1 (1/w - Σ 1/λ)⁻¹ 1ᵀ Λ⁻¹.
    inner = strength * sizes / np.maximum(sets.T @ (rest / levels), np.finfo(float).tiny)
    return _Blocks(1 / levels, sets, inner), exact


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
    return bonds.strength.nnz == np.count_nonzero(loops) and not np.any(loops < 0) and bonded == sets.nnz
