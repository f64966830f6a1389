"""Inner products that links between points modify: products with them, and solves in linear memory."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.arrays import AnyArray, Floats
from graphmine.linalg.link_matrix import LinkMatrix
from graphmine.linalg.metric_factors import LinkedPart

__all__ = ["InnerProduct", "Metric", "gram_schmidt"]


_TOLERANCE = 1e-15


class InnerProduct(Protocol):
    """A symmetric matrix without negative eigenvalues, multiplied and solved with."""

    def __matmul__(self, x: AnyArray, /) -> AnyArray: ...

    def solve(self, b: AnyArray, tolerance: float, /) -> AnyArray:
        """Return x whose product is b, for columns of right-hand sides."""


@dataclass(frozen=True, eq=False)
class Metric:
    """The symmetric positive definite matrix M = diag(free + C 1) - C, scaled to have ones on its diagonal.

    Parameters
    ----------
    free
        The diagonal without links. M has to be positive definite. It is if ``free`` is at least 0, every component of
        points linked by positive strengths has a point with more than 0, and ``free`` is more than twice the magnitude
        of a point's negative links.
    bonds
        C; None for a plain diagonal.

    Notes
    -----
    With s = diag(M)^-½, products and solves use S M S, in the precision of their argument. Points without links cost
    nothing. A solve is exact, in closed form, if all links are of disjoint
    sets with themselves: such a set adds Λ = free + w |g| minus a rank one, and the number that Woodbury's formula
    divides by, 1/w - Σ 1/λᵢ, is computed as Σ freeᵢ / (w |g| λᵢ), without cancellation. Strong pairs and sets that hold
    together almost like a tree are factorised. Otherwise the closed form, each point in its strongest set,
    preconditions conjugate gradients. All of it takes memory in proportion to points, memberships and strengths.

    Examples
    --------
    >>> pair = LinkMatrix(csr_array(np.ones((2, 1))), csr_array(np.array([[3.0]])))
    >>> M = Metric(np.array([1.0, 1.0]), pair)
    >>> (M @ np.eye(2)).tolist(), M.scale.tolist()
    ([[1.0, -0.75], [-0.75, 1.0]], [0.5, 0.5])
    >>> M.solve(np.array([0.25, 0.25])).round(12).tolist()
    [1.0, 1.0]
    """

    free: Floats
    bonds: LinkMatrix | None = None
    diagonal: Floats = field(init=False)
    touched: NDArray[np.intp] = field(init=False, repr=False)
    _linked_part: LinkedPart = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare for products and solves."""
        touched, bonds = _among_bonded(self.bonds, len(self.free))
        diagonal = self.free.astype(np.float64)
        diagonal[touched] += bonds.row_sums
        object.__setattr__(self, "diagonal", diagonal)
        object.__setattr__(self, "touched", touched)
        object.__setattr__(self, "_linked_part", LinkedPart.of(self.free[touched], diagonal[touched], bonds))

    @property
    def scale(self) -> Floats:
        """The factors of the rows and columns of M."""
        scale: Floats = self.diagonal**-0.5
        return scale

    @property
    def plain(self) -> bool:
        """Whether M, scaled, is the identity."""
        return not len(self.touched)

    @property
    def allows_single(self) -> bool:
        """Whether solves are accurate enough in single precision."""
        return self._linked_part.exact or self._linked_part.margin > 1e-3

    def __matmul__(self, x: AnyArray) -> AnyArray:
        product = x.copy()
        if not self.plain:
            product[self.touched] -= self._at(x.dtype).pull @ x[self.touched]
        return product

    def solve(self, b: AnyArray, tolerance: float = _TOLERANCE) -> AnyArray:
        """Return x with M x = b, for one right-hand side or for columns of them.

        Iterations stop when the residual is ``tolerance`` times the right-hand side.
        """
        found = b.copy()
        if not self.plain:
            found[self.touched] = self._at(b.dtype).solve(b[self.touched], tolerance)
        return found

    def norms(self, x: AnyArray) -> AnyArray:
        """Return the length of each column."""
        lengths: AnyArray = np.sqrt(np.maximum(np.sum(x * (self @ x), axis=0), 0.0))
        return lengths

    def _at(self, dtype: np.dtype[Any]) -> LinkedPart:
        return self._single if dtype == np.float32 else self._linked_part

    @cached_property
    def _single(self) -> LinkedPart:
        return self._linked_part.single()


def gram_schmidt(columns: AnyArray, metric: InnerProduct | None, least: float = 0.0) -> tuple[AnyArray, AnyArray]:
    """Return Q, orthonormal in a metric, and the triangle R with Q R = columns; a column of no length stays zero.

    Of no length is what has at most ``least`` beside the columns before it, or hardly more than rounding.

    >>> M = Metric(np.array([2.0, 2.0]))
    >>> Q, R = gram_schmidt(np.array([[3.0, 1.0], [4.0, 7.0]]), M)
    >>> R.round(6).tolist()
    [[5.0, 6.2], [0.0, 3.4]]
    """
    Q = np.asfortranarray(columns).copy(order="F")
    images = Q if metric is None else np.asfortranarray(metric @ columns)
    R = np.zeros((Q.shape[1], Q.shape[1]), dtype=Q.dtype)
    rounding = 50 * np.finfo(Q.dtype).eps
    for j in range(Q.shape[1]):
        whole = _length(Q[:, j], images[:, j])
        for _ in range(2):  # once more takes away what rounding left
            shares = images[:, :j].T @ Q[:, j]
            Q[:, j] -= Q[:, :j] @ shares
            if images is not Q:
                images[:, j] -= images[:, :j] @ shares
            R[:j, j] += shares
        length = _length(Q[:, j], images[:, j])
        R[j, j] = length if length > max(least, rounding * whole) else 0.0
        Q[:, j] *= 1 / length if R[j, j] else 0.0
        if images is not Q:
            images[:, j] *= 1 / length if R[j, j] else 0.0
    return Q, R


def _length(vector: AnyArray, image: AnyArray) -> float:
    return float(np.sqrt(max(float(vector @ image), 0.0)))


def _among_bonded(bonds: LinkMatrix | None, n_points: int) -> tuple[NDArray[np.intp], LinkMatrix]:
    """Return the points that have links, and the links among these."""
    if bonds is None:
        bonds = LinkMatrix(csr_array((n_points, 0)), csr_array((0, 0)))
    busy = np.flatnonzero(np.diff(bonds.strength.indptr))
    members = csr_array(bonds.incidence[:, busy])
    touched = np.flatnonzero(np.diff(members.indptr))
    return touched, LinkMatrix(csr_array(members[touched]), csr_array(bonds.strength[busy][:, busy]))
