"""Matrices of links between points and sets of points, which are multiplied with but never written out."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import Floats, Ints
from graphmine.linalg.bipartite import scaled

__all__ = ["CoupledBlock", "LinkMatrix", "connected_parts", "limiting_factors", "with_precision"]


_PAIRS_AT_ONCE = 1_000_000
_ROUNDS = 20


@dataclass(frozen=True, eq=False)
class LinkMatrix:
    """The symmetric matrix C = N P Nᵀ without its diagonal.

    Parameters
    ----------
    incidence
        N, n × m: how much each of n points belongs to each of m units. A unit is a single point or a set of points.
    strength
        P, m × m, symmetric: the strength of the link between two units. A diagonal entry links all points of a set with
        each other, an off-diagonal entry links each point of one set with each point of the other.

    Notes
    -----
    A set of q points needs memory for q numbers, not for the q² pairs that it stands for. A product is O(nnz N + nnz
    P). The diagonal of N P Nᵀ is computed once, in O(nnz N) if sets are disjoint, and otherwise in the sum of the
    squares of the number of units of each point.

    Examples
    --------
    >>> together = csr_array(np.array([[1.0], [1.0], [0.0], [1.0]]))
    >>> C = LinkMatrix(together, csr_array(np.array([[2.0]])))
    >>> (C @ np.eye(4)).tolist()
    [[0.0, 2.0, 0.0, 2.0], [2.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]]
    >>> C.row_sums.tolist()
    [4.0, 4.0, 0.0, 4.0]
    """

    incidence: csr_array
    strength: csr_array
    diagonal: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Compute the diagonal that is subtracted."""
        squares = self.incidence.multiply(self.incidence) @ self.strength.diagonal()
        object.__setattr__(self, "diagonal", squares + _overlaps(self.incidence, self.strength))

    @property
    def row_sums(self) -> Floats:
        """The sum of each row."""
        return self @ np.ones(self.incidence.shape[0])

    def __matmul__(self, x: Floats) -> Floats:
        product: Floats = self.incidence @ (self.strength @ (self.incidence.T @ x))
        product -= (self.diagonal * x.T).T
        return product

    def scaled(self, scale: Floats) -> "LinkMatrix":
        """Return the matrix with its rows and its columns multiplied by one number each."""
        incidence = scaled(self.incidence, scale, np.ones(self.incidence.shape[1])).copy()
        incidence.eliminate_zeros()
        return LinkMatrix(incidence, self.strength)


@dataclass(frozen=True, eq=False)
class CoupledBlock:
    """The block X = block + L P Rᵀ, whose second term is never written out.

    Examples
    --------
    >>> ones = csr_array(np.ones((2, 1)))
    >>> X = CoupledBlock(csr_array(np.eye(2)), ones, csr_array(np.array([[3.0]])), ones)
    >>> (X @ np.eye(2)).tolist(), X.shape
    ([[4.0, 3.0], [3.0, 4.0]], (2, 2))
    """

    block: csr_array
    left: csr_array
    strength: csr_array
    right: csr_array

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        n_rows, n_cols = self.block.shape
        return n_rows, n_cols

    @property
    def T(self) -> "CoupledBlock":  # noqa: N802  # as numpy and scipy call it
        """The transposed block."""
        return CoupledBlock(csr_array(self.block.T), self.right, csr_array(self.strength.T), self.left)

    def __matmul__(self, x: Floats) -> Floats:
        product: Floats = self.block @ x
        if self.strength.nnz:
            product += self.left @ (self.strength @ (self.right.T @ x))
        return product

    def adjoint_times(self, y: Floats) -> Floats:
        """Return Xᵀ y, without building the transposed block."""
        product: Floats = self.block.T @ y
        if self.strength.nnz:
            product += self.right @ (self.strength.T @ (self.left.T @ y))
        return product

    def scaled(self, row_scale: Floats, col_scale: Floats) -> "CoupledBlock":
        """Return the block with its rows and its columns multiplied by one number each."""
        as_is = np.ones(self.left.shape[1]), np.ones(self.right.shape[1])
        left, right = scaled(self.left, row_scale, as_is[0]), scaled(self.right, col_scale, as_is[1])
        return CoupledBlock(scaled(self.block, row_scale, col_scale), left, self.strength, right)


def with_precision(block: csr_array | CoupledBlock, dtype: DTypeLike) -> csr_array | CoupledBlock:
    """Return a block in another precision, which shares the positions of its entries.

    >>> with_precision(csr_array([[1.0, 2.0]]), np.float32).dtype
    dtype('float32')
    """
    if isinstance(block, CoupledBlock):
        return CoupledBlock(*(_recast(part, dtype) for part in (block.block, block.left, block.strength, block.right)))
    return _recast(block, dtype)


def _recast(matrix: csr_array, dtype: DTypeLike) -> csr_array:
    data = matrix.data.astype(dtype, copy=False)
    return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def connected_parts(edges: csr_array, *bonds: LinkMatrix) -> tuple[int, Ints]:
    """Return the number of parts that edges and links connect, and the part of each point.

    The cost is linear in the edges, memberships and strengths.

    >>> pair = LinkMatrix(csr_array(np.array([[0.0], [1.0], [1.0]])), csr_array(np.array([[1.0]])))
    >>> n_parts, parts = connected_parts(csr_array((3, 3)), pair)
    >>> n_parts, parts.tolist()
    (2, [0, 1, 1])
    """
    # The points of a component of edges are one vertex from here on, so that the edges are traversed only once.
    n_joined, joined = connected_components(edges, directed=False)
    heads, tails, n_units = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)], n_joined
    for each in bonds:
        member, strength = each.incidence.tocoo(), each.strength.tocoo()
        # A unit without points or without links connects nothing.
        peopled = np.bincount(member.col, minlength=each.strength.shape[0]) > 0
        real = peopled[strength.row] & peopled[strength.col]
        busy = np.zeros(len(peopled), dtype=np.bool_)
        busy[strength.row[real]] = True
        held = busy[member.col]
        heads += [joined[member.row[held]], strength.row[real] + n_units]
        tails += [member.col[held] + n_units, strength.col[real] + n_units]
        n_units += len(busy)
    ends = np.concatenate(heads), np.concatenate(tails)
    graph = csr_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(n_units, n_units))
    _, found = connected_components(graph, directed=False)
    names, parts = np.unique(found[joined], return_inverse=True)
    return len(names), parts.astype(np.int64)


def limiting_factors(bonds: LinkMatrix, most: Floats) -> Floats:
    """Return a factor for each point by which to scale links so that no row sum exceeds its limit; 1 if none does.

    The link of two points is scaled by both factors. The factors shrink by the square root of the excess, which keeps
    the sums as large as possible if all points exceed their limits alike, and in the last round by all of it.

    >>> all_three = LinkMatrix(csr_array(np.ones((3, 1))), csr_array(np.array([[4.0]])))
    >>> factors = limiting_factors(all_three, np.array([2.0, 2.0, 2.0]))
    >>> factors.tolist(), all_three.scaled(factors).row_sums.tolist()
    ([0.5, 0.5, 0.5], [2.0, 2.0, 2.0])
    """
    factors = np.where(most > 0, 1.0, 0.0)
    for last in [False] * _ROUNDS + [True]:
        sums = factors * (bonds @ factors)
        excess = np.divide(most, sums, out=np.ones_like(sums), where=sums > most)
        if np.all(excess == 1.0):
            break
        factors *= excess if last else np.sqrt(excess)
    return factors


def _overlaps(incidence: csr_array, strength: csr_array) -> Floats:
    """Return the part of the diagonal of N P Nᵀ that comes from different units that share a point."""
    between = csr_array(strength - diags_array(strength.diagonal(), format="csr"))
    between.eliminate_zeros()
    busy = np.flatnonzero(np.diff(between.indptr))
    shared = csr_array(incidence[:, busy])
    shared.eliminate_zeros()
    counts = np.diff(shared.indptr)
    rows = np.flatnonzero(counts > 1)
    overlaps = np.zeros(incidence.shape[0])
    if len(rows):
        between = csr_array(between[busy][:, busy])
        batches = np.cumsum(counts[rows].astype(np.int64) ** 2) // _PAIRS_AT_ONCE
        for batch in np.split(rows, np.flatnonzero(np.diff(batches)) + 1):
            overlaps[batch] = _quadratic_forms(csr_array(shared[batch]), between)
    return overlaps


def _quadratic_forms(rows: csr_array, strength: csr_array) -> Floats:
    """Return rᵀ P r for each sparse row r, by looking up every pair of its entries in P."""
    counts = np.diff(rows.indptr)
    times = np.repeat(counts, counts)  # each entry is paired with every entry of its row
    first = np.repeat(np.arange(rows.nnz), times)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(times) - times, times)
    row_of = np.repeat(np.arange(len(counts)), counts)
    second = rows.indptr[row_of[first]] + offsets
    found = _entries(strength, rows.indices[first], rows.indices[second])
    return np.bincount(row_of[first], rows.data[first] * rows.data[second] * found, len(counts)).astype(np.float64)


def _entries(matrix: csr_array, rows: NDArray[np.int32], cols: NDArray[np.int32]) -> Floats:
    """Return the entries at some positions of a sparse matrix, 0 where it has none."""
    entries, width = matrix.tocoo(), matrix.shape[1]
    codes = entries.row.astype(np.int64) * width + entries.col  # row * number of columns + column
    order = np.argsort(codes, kind="stable")
    wanted = rows.astype(np.int64) * width + cols
    place = np.minimum(np.searchsorted(codes[order], wanted), len(codes) - 1)
    found: Floats = np.where(codes[order][place] == wanted, entries.data[order][place], 0.0)
    return found
