"""Cuts that satisfy links to at least a given degree: L v = μ (Q - θ I) v with μ > 0 (Wang, Davidson).

`feasible_cuts` finds the leading vectors with sparse products only; `all_feasible_cuts` computes all of them densely,
as the authors' program does.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import eig
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.lanczos import Pencil, leading_eigenvectors
from graphmine.linalg.laplacian import Laplacian, precision
from graphmine.linalg.link_matrix import LinkMatrix
from graphmine.linalg.resources import check_memory

__all__ = ["FeasibleCuts", "LinkedCut", "all_feasible_cuts", "feasible_cuts", "link_values", "shifted_theta"]


_RESTARTS = 200

_VALUES = 1e-10
"""The residual of link values, relative to a bound on them."""

_SOLVING = 0.1
"""The tolerance of solves with L, relative to that of the vectors."""

_NEAR, _AWAY = 1e-6, 1e-3
"""How near θ may be to the value of the trivial vector, and by how much θ is then lowered."""

_SIDE = 1e-9
"""Entries up to this share of the largest magnitude are on neither side of a cut."""

_DENSE_MATRICES = 10
"""The number of dense n × n matrices that a generalised eigenvalue problem needs, workspace included."""

_TRIVIAL_COST = 1e-10
"""The authors' program takes vectors with costs up to this for the trivial one."""

_REAL = 1e-6
"""An eigenvalue is real if its imaginary part is at most this share of it."""


@dataclass(frozen=True, eq=False)
class LinkedCut:
    """A graph, and links between its vertices that a cut should satisfy.

    Parameters
    ----------
    laplacian
        L of the graph.
    links
        Q: positive between vertices that should be on the same side, negative between those that should not.

    Notes
    -----
    As L is that of v = D^½ x, Q is taken as D^-½ Q D^-½, of which v'Qv is how far v meets the links: two vertices add 2
    Q_ij x_i x_j to it. Sets of vertices are never written out as pairs; see `graphmine.linalg.link_matrix.LinkMatrix`.

    Examples
    --------
    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> ends = LinkMatrix(csr_array(np.array([[1.0], [0.0], [1.0]])), csr_array(np.array([[-1.0]])))
    >>> cut = LinkedCut(path, ends)
    >>> cut.met(np.array([[1.0], [0.0], [-1.0]])).round(6).tolist()  # the two ends are parted, as they should be
    [1.414214]
    """

    laplacian: Laplacian
    links: LinkMatrix

    @cached_property
    def normal(self) -> LinkMatrix:
        """D^-½ Q D^-½."""
        return self.links.scaled(self.laplacian.degrees**-0.5)

    def met(self, vectors: Floats) -> Floats:
        """Return v'Qv for each column."""
        met: Floats = np.einsum("ij,ij->j", vectors, self.normal @ vectors)
        return met

    def surplus(self, vectors: Floats, theta: float) -> Floats:
        """Return (Q - θ I) v."""
        surplus: Floats = self.normal @ vectors
        surplus -= theta * vectors
        return surplus


class FeasibleCuts(NamedTuple):
    """Generalised eigenvectors with μ > 0, as columns of length 1 in ascending order of their costs.

    Parameters
    ----------
    vectors
        v. Vectors whose entries all have the same sign cut nothing, and are left out.
    values
        μ.
    costs
        v'Lv.
    met
        v'Qv, which is above θ because v'Lv = μ v'(Q - θ I)v.
    converged
        Whether all requested vectors were found.
    """

    vectors: Floats
    values: Floats
    costs: Floats
    met: Floats
    converged: bool

    @classmethod
    def of(cls, cut: LinkedCut, vectors: Floats, values: Floats, converged: bool) -> "FeasibleCuts":
        """Return vectors of any length, normalised and in the order of their costs, without those of one sign."""
        vectors = vectors / np.abs(vectors).max(axis=0)
        two_sided = (vectors.max(axis=0) > _SIDE) & (vectors.min(axis=0) < -_SIDE)
        vectors = vectors[:, two_sided] / np.linalg.norm(vectors[:, two_sided], axis=0)
        costs = cut.laplacian.cost(vectors)
        # A cut between components of the graph costs nothing; among such cuts, the smaller μ comes first.
        order = np.lexsort((values[two_sided], np.where(costs <= 2 * cut.laplacian.coupling, 0.0, costs)))
        vectors = vectors[:, order]
        return cls(vectors, values[two_sided][order], costs[order], cut.met(vectors), converged)


def link_values(cut: LinkedCut, count: int, rng: np.random.Generator, *, sure: int = 1) -> Floats:
    """Return the largest eigenvalues of Q in descending order, which bound how well vectors can satisfy the links.

    Only the first ``sure`` of them are exact; the others may be too small where many are alike.

    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> ends = LinkMatrix(csr_array(np.array([[1.0], [0.0], [1.0]])), csr_array(np.array([[-1.0]])))
    >>> abs(link_values(LinkedCut(path, ends), 3, np.random.default_rng(0))).round(6).tolist()
    [0.707107, 0.0, 0.707107]
    """
    Q, n = cut.normal, len(cut.laplacian.degrees)
    touched = np.flatnonzero(np.diff(Q.incidence.indptr))
    Q = LinkMatrix(csr_array(Q.incidence[touched]), Q.strength)
    bound = float(LinkMatrix(Q.incidence, csr_array(abs(Q.strength))).row_sums.max(initial=0.0))
    if bound <= 0:
        return np.zeros(min(count, n))
    pencil = Pencil(len(touched), len(touched), lambda x: Q @ x + bound * x, lambda x: x)
    found = leading_eigenvectors(
        pencil, min(count, len(touched)), rng, tolerance=_VALUES, max_restarts=_RESTARTS, sure=sure
    )
    values = np.concatenate([found.values - bound, np.zeros(n - len(touched))])
    return -np.sort(-values)[:count]


def shifted_theta(cut: LinkedCut, theta: float, scale: float) -> float:
    """Return θ, or a slightly smaller value where the trivial vector t has t'Qt ≈ θ and would disturb the problem.

    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> cut = LinkedCut(path, LinkMatrix(csr_array((3, 0)), csr_array((0, 0))))
    >>> shifted_theta(cut, 0.0, 1.0), shifted_theta(cut, -0.5, 1.0)
    (-0.001, -0.5)
    """
    trivial = cut.laplacian.trivial
    image = cut.surplus(trivial[:, None], theta)[:, 0]
    near = abs(float(trivial @ image)) <= _NEAR * max(float(np.linalg.norm(image)), scale)
    return theta - _AWAY * scale if near else theta


def feasible_cuts(
    cut: LinkedCut, theta: float, count: int, rng: np.random.Generator, *, sure: int | None = None
) -> FeasibleCuts:
    """Return the vectors of the ``count`` smallest μ > 0, or all of them if there are fewer.

    Parameters
    ----------
    cut
        The graph and its links.
    theta
        What v'Qv is to be above, for v of length 1: less than the largest of `link_values`.
    count
        How many to look for. There are as many as Q has eigenvalues above θ, less one where the trivial vector t has
        t'Qt > θ.
    rng
        Gives the start.
    sure
        The number of vectors, those of the smallest μ, that must be exact; the others are feasible too. None for all.

    Notes
    -----
    With N = Q - θ I every such v is orthogonal to Nt, and is y - t (t'Ny) / (t'Nt) for a y that is orthogonal to t.
    For these, L is positive definite, so that (N - Nt t'N / t'Nt) y = τ L y with τ = 1 / μ is an ordinary symmetric
    problem, whatever the signs of N, and the largest τ belong to the smallest μ. It is solved by
    `graphmine.linalg.lanczos`, with conjugate gradients for L: no factors, and nothing but products with the graph and
    the links. A block of four vectors costs as many products as the root of L's condition. |θ| is added to all τ on the
    way, so that small ones are not asked to be more exact than the rest of the spectrum lets them be.

    Examples
    --------
    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> ends = LinkMatrix(csr_array(np.array([[1.0], [0.0], [1.0]])), csr_array(np.array([[-1.0]])))
    >>> found = feasible_cuts(LinkedCut(path, ends), 0.3, 1, np.random.default_rng(0))
    >>> found.costs.round(6).tolist(), bool(found.met[0] > 0.3)
    ([0.953109], True)
    """
    laplacian, n = cut.laplacian, len(cut.laplacian.degrees)
    trivial = laplacian.trivial
    image = cut.surplus(trivial[:, None], theta)[:, 0]
    across = image / float(trivial @ image)
    tolerance = precision(laplacian)
    pencil = Pencil(
        n,
        n - 1,
        times=lambda y: cut.surplus(y, theta) - np.outer(image, across @ y) + abs(theta) * (laplacian @ y),
        project=lambda y: y - np.outer(trivial, trivial @ y),
        metric=laplacian,
        solving=_SOLVING * tolerance,
    )
    found = leading_eigenvectors(pencil, min(count, n - 1), rng, tolerance=tolerance, max_restarts=_RESTARTS, sure=sure)
    vectors = found.vectors - np.outer(trivial, across @ found.vectors)
    inverse = found.values - abs(theta)
    positive = inverse > 0
    return FeasibleCuts.of(cut, vectors[:, positive], 1 / inverse[positive], found.converged)


def all_feasible_cuts(cut: LinkedCut, theta: float) -> FeasibleCuts:
    """Return every vector with μ > 0, in O(n³) time and O(n²) memory; refuse graphs that are too large for that.

    >>> path = Laplacian(csr_array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    >>> ends = LinkMatrix(csr_array(np.array([[1.0], [0.0], [1.0]])), csr_array(np.array([[-1.0]])))
    >>> all_feasible_cuts(LinkedCut(path, ends), 0.3).costs.round(6).tolist()
    [0.953109]
    """
    n = len(cut.laplacian.degrees)
    check_memory(f"all vectors of {n} vertices", 8.0 * _DENSE_MATRICES * n * n, "use the sparse solver")
    unit = np.eye(n)
    L, N = cut.laplacian @ unit, cut.surplus(unit, theta)
    values, vectors = eig(L, N)
    real = np.isfinite(values) & (abs(values.imag) <= _REAL * abs(values))
    values, vectors = values[real].real, vectors[:, real].real
    lengths = np.einsum("ij,ij->j", vectors, vectors)
    cost, surplus = (np.einsum("ij,ij->j", vectors, each @ vectors) for each in (L, N))
    kept = (values > 0) & (surplus > 0) & (cost > _TRIVIAL_COST * lengths)
    return FeasibleCuts.of(cut, vectors[:, kept], values[kept], True)
