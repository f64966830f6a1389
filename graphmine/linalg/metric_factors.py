"""Products and solves with the linked part of a `graphmine.linalg.metric.Metric`.

Disjoint sets have a closed form (Woodbury), pairs and sets that are almost a forest are factorised, and everything else
is solved by preconditioned conjugate gradients.
"""

import warnings
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csc_array, csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu

from graphmine.arrays import Floats
from graphmine.linalg.bipartite import scaled
from graphmine.linalg.conjugate_gradients import column_dots, column_ratios
from graphmine.linalg.link_matrix import LinkMatrix

__all__ = ["LinkedPart", "factorise"]


_MOST_CYCLES = 1000
"""The largest number of edges beyond a forest for a factorisation; the fill-in is at most about half its square."""

_LOST = 1e-14
"""The relative increase of a diagonal that rounding has left exactly singular."""

_MOST_STEPS = 10
"""The largest number of conjugate gradient steps per point; in exact arithmetic one would be enough."""

_EASY = 0.2
"""From this margin on, conjugate gradients need at most a few dozen steps and are faster than a factorisation."""


def factorise(free: Floats, bonds: LinkMatrix) -> SuperLU | None:
    """Return a factorisation of diag(free + C 1) - C with an extra vertex for each set; None if it could fill in.

    A set of m points linked with itself by w is represented as a star: an extra vertex, joined to each point by w m.
    Eliminating that vertex gives back all the pairs. Conjugate gradients need a step for every point along a chain; a
    factorisation handles chains and trees of any length at once.

    >>> pair = LinkMatrix(csc_array(np.eye(2)).tocsr(), csc_array([[0.0, 1.0], [1.0, 0.0]]).tocsr())
    >>> lu = factorise(np.array([1.0, 0.0]), pair)
    >>> lu.solve(np.array([1.0, 0.0])).round(6).tolist()
    [1.0, 1.0]
    """
    edges = _edges(bonds)
    if edges is None:
        return None
    if _cycles(edges) > _MOST_CYCLES:
        return None
    diagonal = np.asarray(edges.sum(axis=1), dtype=np.float64).ravel()
    diagonal[: len(free)] += free
    try:
        return _factors(edges, diagonal)
    except RuntimeError:  # exactly singular
        return _factors(edges, (1 + _LOST) * diagonal)


def _factors(edges: coo_array, diagonal: Floats) -> SuperLU:
    """Return a factorisation of a diagonal matrix minus the edges."""
    places = np.arange(len(diagonal))
    rows, cols = np.concatenate([edges.row, places]), np.concatenate([edges.col, places])
    matrix = csc_array((np.concatenate([-edges.data, diagonal]), (rows, cols)), shape=edges.shape)
    return splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def _edges(bonds: LinkMatrix) -> coo_array | None:
    """Return the graph of pairs and stars, with both directions of each edge; None for links of any other form."""
    member, strength = bonds.incidence.tocoo(), bonds.strength.tocoo()
    n_points, n_units = bonds.incidence.shape
    sizes = np.bincount(member.col, minlength=n_units)
    loops, several = bonds.strength.diagonal(), sizes > 1
    stars = several & (loops != 0)
    in_star = stars[member.col]
    beside = strength.row != strength.col
    grouped = several[strength.row[beside]] | several[strength.col[beside]]
    if np.any(grouped) or np.any(loops[stars] < 0) or np.any(member.data[in_star] != 1.0):
        return None
    point, share = np.zeros(n_units, dtype=np.int64), np.zeros(n_units)
    single = ~several[member.col]
    point[member.col[single]], share[member.col[single]] = member.row[single], member.data[single]
    ends = point[strength.row[beside]], point[strength.col[beside]]
    weights = strength.data[beside] * share[strength.row[beside]] * share[strength.col[beside]]
    kept = (ends[0] != ends[1]) & (weights != 0)
    centre = n_points + (np.cumsum(stars) - 1)[member.col[in_star]]
    spokes = (loops * sizes)[member.col[in_star]]
    rows = np.concatenate([ends[0][kept], member.row[in_star], centre])
    cols = np.concatenate([ends[1][kept], centre, member.row[in_star]])
    size = n_points + int(np.count_nonzero(stars))
    return coo_array((np.concatenate([weights[kept], spokes, spokes]), (rows, cols)), shape=(size, size))


def _cycles(edges: coo_array) -> int:
    """Return the number of edges to remove to leave a forest."""
    graph = edges.tocsr()
    n_parts, _ = connected_components(graph, directed=False)
    return int(graph.nnz) // 2 - int(graph.shape[0]) + n_parts


class _ClosedForm(NamedTuple):
    """The inverse of diag(λ) - Σ_g w_g 1_g 1_gᵀ over disjoint sets g, as diag(inverse) + spokes spokesᵀ."""

    inverse: Floats
    spokes: csr_array

    def solve(self, b: Floats) -> Floats:
        plain: Floats = self.inverse[:, None] * b
        if self.spokes.nnz:
            plain += self.spokes @ (self.spokes.T @ b)
        return plain


@dataclass(frozen=True, eq=False)
class LinkedPart:
    """A matrix I - C of points that all have links, scaled to have ones on its diagonal.

    Parameters
    ----------
    pull
        C: an explicit matrix if all links are pairs, otherwise never written out.
    closed
        The inverse if ``exact``, otherwise the inverse of the part of the matrix that disjoint sets make.
    margin
        A lower bound on the eigenvalues.
    factors
        A factorisation of the matrix without its scaling, and the scaling.

    Examples
    --------
    >>> pair = LinkMatrix(csr_array(np.eye(2)), csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> matrix = LinkedPart.of(np.array([3.0, 3.0]), np.array([4.0, 4.0]), pair)
    >>> matrix.exact, matrix.margin, matrix.solve(np.array([0.75, 0.75]), 1e-12).round(12).tolist()
    (False, 0.75, [1.0, 1.0])
    """

    pull: csr_array | LinkMatrix
    closed: _ClosedForm
    exact: bool
    margin: float
    factors: tuple[SuperLU, Floats] | None = None

    @classmethod
    def of(cls, free: Floats, diagonal: Floats, bonds: LinkMatrix) -> "LinkedPart":
        """Return diag(free + C 1) - C, given its diagonal, scaled to ones on the diagonal."""
        scale = diagonal**-0.5
        closed, exact = _closed_form(free, diagonal, bonds)
        pulls = LinkMatrix(bonds.incidence, csr_array(abs(bonds.strength))).row_sums
        margin = float(np.min(1 - pulls / diagonal, initial=1.0))
        factors = None if exact or margin > _EASY else factorise(free, bonds)
        pull = _as_matrix(bonds.scaled(scale))
        return cls(pull, closed, exact, margin, None if factors is None else (factors, scale))

    def single(self) -> "LinkedPart":
        """Return the same in single precision."""
        inverse, spokes = self.closed
        pull = _single(self.pull) if isinstance(self.pull, csr_array) else _single_bonds(self.pull)
        return replace(self, pull=pull, closed=_ClosedForm(inverse.astype(np.float32), _single(spokes)))

    def solve(self, b: Floats, tolerance: float) -> Floats:
        """Return x with (I - C) x = b, for one right-hand side or for columns of them."""
        columns = b.reshape(len(b), -1)
        if self.exact:
            found = self.closed.solve(columns)
        elif self.factors is not None:
            found = self._by_factors(columns, *self.factors)
        else:
            found = self._by_steps(columns, max(tolerance, float(np.finfo(b.dtype).eps) / 4))
        return found.reshape(b.shape)

    def _by_factors(self, b: Floats, factors: SuperLU, scale: Floats) -> Floats:
        given = np.zeros((factors.shape[0], b.shape[1]))
        given[: len(b)] = b / scale[:, None]
        found: Floats = (factors.solve(given)[: len(b)] / scale[:, None]).astype(b.dtype)
        return found

    def _by_steps(self, b: Floats, tolerance: float) -> Floats:
        """Return the solution by conjugate gradients, each column separately."""
        x, residual, buffer = np.zeros_like(b), b.copy(), np.empty_like(b)
        z = self._precondition(residual)
        direction, size = z.copy(), column_dots(residual, z)
        goal = size * tolerance**2
        for _ in range(_MOST_STEPS * len(b)):
            if np.all(size <= goal):
                return x
            image = self.pull @ direction
            np.subtract(direction, image, out=image)
            step = column_ratios(size, column_dots(direction, image), size > goal)
            # Products with a diagonal matrix: numpy is slow at scaling the columns of long, narrow arrays.
            x += np.matmul(direction, np.diag(step), out=buffer)
            residual -= np.matmul(image, np.diag(step), out=buffer)
            z = self._precondition(residual)
            size, before = column_dots(residual, z), size
            direction = np.add(z, np.matmul(direction, np.diag(column_ratios(size, before, before > goal)), out=buffer))
        warnings.warn(
            "links so unlike in strength were solved for with less than full accuracy; bring their weights closer",
            RuntimeWarning,
            stacklevel=2,
        )
        return x

    def _precondition(self, b: Floats) -> Floats:
        """Return the solution of the disjoint sets alone; without sets the matrix is close to the identity."""
        return self.closed.solve(b) if self.closed.spokes.nnz else b


def _single(matrix: csr_array) -> csr_array:
    return csr_array((matrix.data.astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape)


def _single_bonds(bonds: LinkMatrix) -> LinkMatrix:
    return LinkMatrix(_single(bonds.incidence), _single(bonds.strength))


def _as_matrix(bonds: LinkMatrix) -> csr_array | LinkMatrix:
    """Return links as an explicit matrix if all of them are pairs of points, which costs no more memory."""
    if np.bincount(bonds.incidence.indices, minlength=1).max() > 1 or np.any(bonds.diagonal):
        return bonds
    return csr_array(bonds.incidence @ bonds.strength @ bonds.incidence.T)


def _closed_form(free: Floats, diagonal: Floats, bonds: LinkMatrix) -> tuple[_ClosedForm, bool]:
    """Return the inverse of the part of the scaled matrix that disjoint sets make, and whether that is all of it."""
    sets = _strongest_sets(bonds)
    strength = np.maximum(bonds.strength.diagonal(), 0.0)
    sizes = np.asarray(sets.sum(axis=0)).ravel()
    kept = np.flatnonzero(sizes > 1)
    sets, strength, sizes = csr_array(sets[:, kept]), strength[kept], sizes[kept]
    exact = _covers(bonds, sets)
    # The diagonal of a point without the share of its set, which is `free` if it has no other links.
    own = sets @ (strength * (sizes - 1))
    rest = free if exact else np.maximum(diagonal - own, 1e-12 * diagonal)
    levels = rest + sets @ (strength * sizes)
    # Woodbury: (Λ - w 1 1ᵀ)⁻¹ = Λ⁻¹ + Λ⁻¹ 1 (1/w - Σ 1/λ)⁻¹ 1ᵀ Λ⁻¹.
    inner = strength * sizes / np.maximum(sets.T @ (rest / levels), np.finfo(float).tiny)
    return _ClosedForm(diagonal / levels, scaled(sets, np.sqrt(diagonal) / levels, np.sqrt(inner))), exact


def _strongest_sets(bonds: LinkMatrix) -> csr_array:
    """Return, for each point, its membership in the set with a link to itself that binds it most strongly."""
    strength = np.maximum(bonds.strength.diagonal(), 0.0)
    members = bonds.incidence.tocoo()
    sizes = np.bincount(members.col, minlength=len(strength))
    pull = (strength * (sizes - 1))[members.col]
    held = np.flatnonzero((pull > 0) & (members.data == 1.0))
    order = held[np.lexsort((members.col[held], -pull[held], members.row[held]))]
    first = order[np.diff(members.row[order], prepend=-1) > 0]
    ends = members.row[first], members.col[first]
    return csr_array((np.ones(len(first)), ends), shape=bonds.incidence.shape)


def _covers(bonds: LinkMatrix, sets: csr_array) -> bool:
    """Return whether disjoint sets, each linked with itself, are all the links there are."""
    loops = bonds.strength.diagonal()
    sizes = np.bincount(bonds.incidence.indices, minlength=len(loops))
    bonded = int(sizes[(loops != 0) & (sizes > 1)].sum())
    return bool(bonds.strength.nnz == np.count_nonzero(loops) and not np.any(loops < 0) and bonded == sets.nnz)
