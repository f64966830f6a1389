"""Cuts of a graph in two with absolute penalties for pairs: ½ x'Lx + Σ bᵣ |Cᵣx| so that d'x = 0 and x'Dx = 1."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Floats, Ints
from graphmine.linalg.laplacian import NormalisedGraph

__all__ = ["CutPoint", "PenalisedCut"]


_SHARED = "degrees", "adjacency", "likeness", "trivial", "entries", "rows"
"""What is the same whatever the bounds of a cut are."""

_FULL = 0.25
"""The share of entries from which on products with a dense matrix are quicker by far, and it is little larger."""


class CutPoint(NamedTuple):
    """A vector with its images, which those of sums of vectors are had from without another product.

    Parameters
    ----------
    y
        The vector.
    image
        Ay.
    z
        Cy, one number a pair.
    error
        By how many times the error of a product those of the images may have grown.
    """

    y: Floats
    image: Floats
    z: Floats
    error: float = 1.0

    def towards(self, other: Self, length: float) -> "CutPoint":
        """Return the point so many times as far as another one, as seen from this one, and of length 1."""
        y = (1 - length) * self.y + length * other.y
        scale = 1 / sqrt(y.dot(y))
        here, there = (1 - length) * scale, length * scale
        image, z = here * self.image + there * other.image, here * self.z + there * other.z
        return CutPoint(scale * y, image, z, abs(here) * self.error + there * other.error)


@dataclass(frozen=True, eq=False)
class PenalisedCut(NormalisedGraph):
    """A graph to be cut in two, and pairs of its vertices that should be, or not be, on one side.

    Parameters
    ----------
    graph
        W, as in `NormalisedGraph`.
    ends
        The two vertices of each pair, a row a pair; they must differ.
    alike
        Whether a pair should be on one side, which makes (-1, +1) its row of C, or not, which makes it (+1, +1).
    bounds
        λ times the weight of each pair; where it is 0, a pair does not count.

    Notes
    -----
    All is computed for y = D^½ x, which has length 1 and is orthogonal to D^½ 1: there L is I - A with
    A = D^-½ W D^-½, and C is C D^-½.

    Examples
    --------
    >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
    >>> y = np.array([1.0, 0.0, -(2**0.5)]) / 3**0.5
    >>> cut.rows.toarray().round(3).tolist(), round(cut.value(y), 6)
    ([[-0.707, 0.0, 1.0]], 1.112372)
    """

    ends: Ints
    alike: Bools
    bounds: Floats

    @classmethod
    def free(cls, graph: csr_array) -> "PenalisedCut":
        """Return the cut of a graph without any pairs."""
        return cls(graph, np.empty((0, 2), dtype=np.int64), np.empty(0, dtype=np.bool_), np.empty(0))

    def with_bounds(self, bounds: Floats) -> Self:
        """Return the same cut with other bounds; what does not depend on them is computed once for both.

        >>> graph = csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
        >>> cut = PenalisedCut(graph, np.array([[0, 2]]), np.array([True]), np.array([0.5]))
        >>> other = cut.with_bounds(np.array([0.1]))
        >>> other.bounds.tolist(), other.rows is cut.rows
        ([0.1], True)
        """
        other = replace(self, bounds=bounds)
        vars(other).update({name: getattr(self, name) for name in _SHARED})
        return other

    @cached_property
    def likeness(self) -> csr_array | Floats:
        """A, for products: dense if most of its entries are there."""
        adjacency = self.adjacency
        return adjacency.toarray() if adjacency.nnz > _FULL * adjacency.shape[0] ** 2 else adjacency

    @cached_property
    def entries(self) -> tuple[Ints, Floats]:
        """Where the two entries of each row of C D^-½ are, and which: all first ones, and all second ones."""
        ends = np.ascontiguousarray(self.ends.T)
        signs = np.stack([np.where(self.alike, -1.0, 1.0), np.ones(len(self.alike))])
        return ends, signs * self.degrees[ends] ** -0.5

    @cached_property
    def rows(self) -> csr_array:
        """C D^-½, a row a pair."""
        ends, entries = self.entries
        places = np.tile(np.arange(len(self.ends)), 2), ends.ravel()
        return csr_array((entries.ravel(), places), shape=(len(self.ends), len(self.degrees)))

    def pair_values(self, y: Floats) -> Floats:
        """Return Cy for a vector or for columns; a product with `rows` takes longer to begin than this takes."""
        (one, two), entries = self.entries
        first, second = entries if y.ndim == 1 else entries[:, :, None]
        z: Floats = y.take(one, axis=0)
        other = y.take(two, axis=0)
        z *= first
        other *= second
        z += other
        return z

    def pair_forces(self, dual: Floats) -> Floats:
        """Return C's, one number a vertex."""
        ends, entries = self.entries
        pull: Floats = np.bincount(ends.ravel(), (entries * dual).ravel(), len(self.degrees)).astype(float, copy=False)
        return pull

    def feasible(self, y: Floats) -> Floats:
        """Return y without what it has of the trivial vector, and of length 1."""
        projected: Floats = y - self.trivial * (self.trivial @ y)
        return projected / float(np.linalg.norm(projected))

    def point(self, y: Floats) -> CutPoint:
        """Return a vector with its images, by one product with A and one with C."""
        return CutPoint(y, self.likeness @ y, self.pair_values(y))

    def value(self, y: Floats) -> float:
        """Return the objective of y."""
        return self.value_at(self.point(y))

    def value_at(self, point: CutPoint) -> float:
        """Return the objective of a vector whose images are known."""
        y, image, z, _ = point
        return 0.5 * float(y.dot(y) - y.dot(image)) + float(self.bounds.dot(np.abs(z)))
