"""The normalised Laplacian of a graph: products, solves, and the vectors that cut least."""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import AnyArray, Floats, Ints
from graphmine.linalg.bipartite import scaled
from graphmine.linalg.conjugate_gradients import column_dots, column_ratios
from graphmine.linalg.lanczos import Eigenvectors, Pencil, leading_eigenvectors

__all__ = ["Laplacian", "NormalisedGraph", "least_cuts", "precision"]


_COUPLING = 1e-6
"""κ, the coupling of a graph in several parts."""

_FINE, _ROUGH, _LARGE = 1e-12, 1e-5, 1_000_000
"""The residual of vectors, the residual for large graphs, and the number of entries from which on a graph is large."""

_RESTARTS = 500

_MOST_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class NormalisedGraph:
    """A graph W and its normalised adjacency matrix A = D^-½ W D^-½, where D holds the degrees.

    Parameters
    ----------
    graph
        W, symmetric, without negative weights, and with some weight at every vertex. What stands on the diagonal adds
        to the degree d of a vertex and is never cut.

    Examples
    --------
    >>> path = NormalisedGraph(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 0.0]]))
    >>> path.degrees.tolist(), path.adjacency.toarray()[0].round(3).tolist(), path.trivial.round(3).tolist()
    ([2.0, 4.0, 2.0], [0.0, 0.707, 0.0], [0.5, 0.707, 0.5])
    """

    graph: csr_array

    @cached_property
    def degrees(self) -> Floats:
        """The d of all vertices."""
        return np.asarray(self.graph.sum(axis=1), dtype=np.float64)

    @cached_property
    def adjacency(self) -> csr_array:
        """A = D^-½ W D^-½."""
        scale = self.degrees**-0.5
        return scaled(self.graph, scale, scale)

    @cached_property
    def trivial(self) -> Floats:
        """The vector of length 1 for which nothing is cut, D^½ 1 but for its length."""
        trivial: Floats = np.sqrt(self.degrees / self.degrees.sum())
        return trivial


@dataclass(frozen=True, eq=False)
class Laplacian(NormalisedGraph):
    """L = I - D^-½ W D^-½, with a weak coupling of all vertices where the graph W is in several parts.

    Notes
    -----
    Vectors are those of y = D^½ x. A graph in one part has the trivial y = D^½ 1 alone for which nothing is cut; one in
    several parts has more of them, and of these only the trivial one is to be without a cost. There everything is
    linked with everything by κ = 1e-6 of its weight, which is κ (I - ttᵀ) for the trivial vector t of length 1, so that
    parts cost next to nothing and L can be solved with beside t, whatever the parts are.

    Examples
    --------
    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> y = np.array([[1.0], [0.0], [-(2**0.5)]])
    >>> (path @ y - y).round(9).tolist(), (path.solve(y, 1e-14) - y).round(9).tolist()
    ([[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]])
    """

    @cached_property
    def parts(self) -> Ints:
        """The connected part of each vertex."""
        return connected_components(self.graph, directed=False)[1].astype(np.int64)

    @cached_property
    def coupling(self) -> float:
        """κ: 0 for a graph in one part."""
        return _COUPLING if self.parts.max() else 0.0

    def __matmul__(self, x: AnyArray, /) -> AnyArray:
        product: AnyArray = (1 + self.coupling) * x - self.adjacency @ x
        return product - self.coupling * self._along(x) if self.coupling else product

    def solve(self, b: AnyArray, tolerance: float, /) -> AnyArray:
        """Return the solution of L x = b by conjugate gradients; x and b have no component along the trivial vector.

        The steps end where the residual of each column is ``tolerance`` times its length; their number grows with the
        square root of the condition number within parts, and each is one product for all columns. The component of b
        along whole parts is κ times that of the solution.
        """
        whole = self.within_parts(b)
        x, residual = np.zeros_like(b), b - whole
        direction, size = residual.copy(), column_dots(residual, residual)
        goal = column_dots(b, b) * tolerance**2
        for _ in range(_MOST_STEPS):
            if np.all(size <= goal):
                break
            image = (1 + self.coupling) * direction - self.adjacency @ direction
            image -= self.within_parts(image)
            step = column_ratios(size, column_dots(direction, image), size > goal)
            x += direction * step
            residual -= image * step
            size, before = column_dots(residual, residual), size
            direction = residual + direction * column_ratios(size, before, before > goal)
        else:
            warnings.warn("a graph that hardly holds together was solved for with less accuracy", RuntimeWarning, 2)
        return x + (whole - self._along(whole)) / self.coupling if self.coupling else x

    def within_parts(self, x: AnyArray) -> AnyArray:
        """Return the projection of columns onto the trivial vectors of all parts."""
        if not self.coupling:
            return self._along(x)
        gather, spread = self._part_projection
        within: AnyArray = spread @ (gather @ x)
        return within

    @cached_property
    def _part_projection(self) -> tuple[csr_array, csr_array]:
        weights = np.bincount(self.parts, self.degrees)
        entries = np.sqrt(self.degrees / weights[self.parts])
        gather = csr_array((entries, (self.parts, np.arange(len(entries)))), shape=(len(weights), len(entries)))
        return gather, csr_array(gather.T)

    def cost(self, vectors: Floats) -> Floats:
        """Return y'(I - D^-½ W D^-½) y for columns of length 1, without the coupling of parts."""
        cost: Floats = 1 - column_dots(vectors, self.adjacency @ vectors)
        return cost

    def _along(self, x: AnyArray) -> AnyArray:
        along: AnyArray = np.multiply.outer(self.trivial, self.trivial @ x)
        return along


def precision(laplacian: Laplacian) -> float:
    """Return the tolerance of the residual of vectors, which is larger for graphs of more than a million entries.

    >>> precision(Laplacian(csr_array(np.ones((2, 2)))))
    1e-12
    """
    return _ROUGH if laplacian.graph.nnz > _LARGE else _FINE


def least_cuts(laplacian: Laplacian, count: int, rng: np.random.Generator) -> Eigenvectors:
    """Return up to ``count`` non-trivial vectors with the smallest cost; their values are 1 minus the cost.

    In a graph with several parts, the first vectors separate one part each from the others, the heaviest part first.
    No vector is returned twice, so there may be fewer than ``count``.

    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> found = least_cuts(path, 1, np.random.default_rng(0))
    >>> np.abs(found.vectors[:, 0]).round(6).tolist(), found.converged
    ([0.57735, 0.0, 0.816497], True)
    """
    known = _part_vectors(laplacian, count)
    n, n_parts = len(laplacian.degrees), 1 + int(laplacian.parts.max())
    wanted = min(count - known.shape[1], n - n_parts)
    if wanted <= 0:
        return Eigenvectors(known, np.ones(known.shape[1]), True)
    pencil = Pencil(
        n,
        n - n_parts,
        times=lambda x: x + laplacian.adjacency @ x,  # I + A has no negative eigenvalue
        project=lambda x: x - laplacian.within_parts(x),
    )
    tolerance = precision(laplacian)
    found = leading_eigenvectors(pencil, wanted, rng, tolerance=tolerance, max_restarts=_RESTARTS)
    values = np.concatenate([np.ones(known.shape[1]), found.values - 1])
    return Eigenvectors(np.hstack([known, found.vectors]), values, found.converged)


def _part_vectors(laplacian: Laplacian, count: int) -> Floats:
    """Return up to ``count`` vectors of length 1, orthogonal to the trivial one, that separate one part each."""
    weights = np.bincount(laplacian.parts, laplacian.degrees)
    heaviest = np.argsort(-weights, kind="stable")[: min(count, len(weights) - 1)]
    vectors = laplacian.trivial[:, None] * (laplacian.parts[:, None] == heaviest)
    vectors -= np.outer(laplacian.trivial, laplacian.trivial @ vectors)
    lengths: Floats = vectors / np.linalg.norm(vectors, axis=0)
    return lengths
