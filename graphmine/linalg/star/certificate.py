"""A bound on the balanced eigenvalues of a star, found apart from the search for them."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from graphmine.arrays import Floats
from graphmine.linalg.metric import Metric
from graphmine.linalg.star.pencil import LinkForm, StarPencil, StarVectors

__all__ = ["Certificate", "certificate"]


_TOLERANCE = 1e-9
"""Residual of ARPACK's eigenvectors; the error of the values goes with its square."""

_NOTHING = 1e-12
"""Eigenvalues up to this are rounding: those of A are at most 1."""

_DENSE = 60
"""So many points are few enough to write the pencil out: ARPACK needs more of them than vectors."""


class Certificate(NamedTuple):
    """How far vectors and weights are from the best there is.

    Parameters
    ----------
    reached
        What the vectors reach: the least sum of eigenvalues is no less.
    bound
        What the weights leave possible: the least sum of eigenvalues is no more.
    balance
        Σ_j μ_j v_jᵀ P_i v_j over Σ_j μ_j, for each arm: all 1 in balance.
    """

    reached: float
    bound: float
    balance: Floats

    @property
    def gap(self) -> float:
        """What lies between; 0 where the vectors are the best, but for rounding."""
        return self.bound - self.reached


def certificate(
    pencil: StarPencil, weights: Floats, vectors: StarVectors, rng: np.random.Generator, *, count: int | None = None
) -> Certificate:
    """Return how far some vectors, and weights, are from the least sum of leading eigenvalues.

    Parameters
    ----------
    pencil
        The star.
    weights
        w in the simplex, no matter how it was found.
    vectors
        In parts, no matter how they were found.
    rng
        Gives the start of the search for the bound.
    count
        How many eigenvalues are added up, of those above 0: as many as there are vectors, where it is not given.

    Notes
    -----
    Let f(w) be the sum of the r largest eigenvalues of A v = μ P(w) v on centred vectors, of those above 0. At the
    weights given it is no less than the least f, and is found by ARPACK in the whole space, hub and spokes, from a
    start of its own. Let V be the eigenvectors with values above 0 among the vectors given, centred. Then
    g(w) = tr[(Vᵀ P(w) V)⁻¹ Vᵀ A V] is no more than f(w) for every w, and is convex; so

        f ≥ g(w) + min_i ∂g/∂w_i - Σ_i w_i ∂g/∂w_i = 2 g(w) - max_i Σ_j μ_j v_jᵀ P_i v_j

    everywhere, with v_j and μ_j the eigenpairs in V. Vectors that are not the leading ones, too few of them, or not in
    balance, leave a gap, whatever they were taken for.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.star.balance import balance_arms
    >>> from graphmine.linalg.star.pencil import PencilArm
    >>> one = csr_array([[3.0, 1.0], [2.0, 0.0], [0.0, 4.0], [1.0, 3.0]])
    >>> other = csr_array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    >>> pencil = StarPencil((PencilArm.of(one), PencilArm.of(other)), np.array([0.5, 0.5]))
    >>> rng = np.random.default_rng(0)
    >>> found = balance_arms(pencil, 1, rng)
    >>> abs(certificate(pencil, found.weights, found.vectors, rng).gap) < 1e-12
    True
    >>> wrong = tuple(rng.standard_normal(part.shape) for part in found.vectors)
    >>> certificate(pencil, found.weights, wrong, rng).gap > 0.1
    True
    """
    values, shares = _eigenvalues_among(pencil, weights, vectors)
    pulls, reached = shares @ values, float(values.sum())
    balance = pulls / reached if reached else np.ones(len(weights))
    bound = _bound(_FullPencil(pencil, weights), len(values), vectors[0].shape[1] if count is None else count, rng)
    return Certificate(2 * reached - float(pulls.max()), bound, balance)


def _bound(whole: "_FullPencil", n_found: int, count: int, rng: np.random.Generator) -> float:
    """Return the sum of so many of the largest eigenvalues, of those above 0; most of a star's are 0."""
    values = whole.leading(min(n_found + 1, count), rng)
    if len(values) < count and values[-1] > _NOTHING:  # there are more than were found
        values = whole.leading(count, rng)
    return float(np.maximum(values, 0.0).sum())


def _eigenvalues_among(pencil: StarPencil, weights: Floats, vectors: StarVectors) -> tuple[Floats, Floats]:
    """Return the eigenvalues above 0 among some vectors, and vᵀ P_i v of their eigenvectors: one row for each arm."""
    v = pencil.centred(vectors)
    image, norms = pencil.times(v), pencil.norms(v)
    product = sum((one.T @ other for one, other in zip(v, image, strict=True)), np.zeros((1, 1)))
    try:
        values, turn = eigh((product + product.T) / 2, np.tensordot(weights, norms, 1))
    except LinAlgError:  # vectors that depend on each other say nothing
        return np.empty(0), np.empty((len(weights), 0))
    turn, values = turn[:, values > 0], values[values > 0]
    return values, np.einsum("qj,iqp,pj->ij", turn, norms, turn)


class _FullPencil:
    """A star's pencil at some weights, on the hub and the spokes together."""

    def __init__(self, pencil: StarPencil, weights: Floats) -> None:
        self.pencil, self.weights, self.size = pencil, weights, sum(pencil.sizes)
        self.hub = LinkForm.combined([arm.hub for arm in pencil.arms], weights)
        self.means = np.zeros((self.size, len(pencil.arms)))
        ends = np.cumsum(pencil.sizes)
        for number, arm in enumerate(pencil.arms):
            self.means[: pencil.n_hub, number] = arm.hub_sums
            self.means[ends[number] : ends[number + 1], number] = arm.spoke_sums
        self.dual = self.solve(self.means)
        self.inner = np.linalg.inv(self.means.T @ self.dual)

    def leading(self, count: int, rng: np.random.Generator) -> Floats:
        """Return the largest eigenvalues; infinity where they are not found, as no bound is a bound as well."""
        try:
            return self._written_out(count) if self.size <= _DENSE else self._by_arpack(count, rng)
        except (ArpackNoConvergence, LinAlgError):
            return np.full(count, np.inf)

    def _written_out(self, count: int) -> Floats:
        whole = np.eye(self.size)
        P = self.norm(whole)
        values: Floats = eigh(self.times(whole), (P + P.T) / 2, eigvals_only=True)[::-1][:count]
        return values

    def _by_arpack(self, count: int, rng: np.random.Generator) -> Floats:
        # ARPACK's tolerance is relative to the values, and some may be 0: it is given A + P, whose values are 1 more.
        A, metric, solve = (
            LinearOperator((self.size, self.size), matvec=each, dtype=np.float64)
            for each in (lambda v: self.times(v) + self.norm(v), self.norm, self.solve)
        )
        start = self.project(rng.standard_normal(self.size))
        found = eigsh(A, count, M=metric, Minv=solve, which="LA", v0=start, tol=_TOLERANCE, return_eigenvectors=False)
        values: Floats = found[::-1] - 1
        return values

    def times(self, v: Floats) -> Floats:
        """Return the product with A, of what is centred of v."""
        image: Floats = np.concatenate(self.pencil.times(self.pencil.split(self.project(v))))
        return image - self.means @ (self.inner @ (self.dual.T @ image))

    def norm(self, v: Floats) -> Floats:
        """Return the product with P(w)."""
        y, *z = self.pencil.split(v)
        spokes = (w * arm.times_spoke(each) for w, arm, each in zip(self.weights, self.pencil.arms, z, strict=True))
        return np.concatenate([_unscaled(self.hub, y), *spokes])

    def solve(self, v: Floats) -> Floats:
        """Return P(w)⁻¹ v."""
        y, *z = self.pencil.split(v)
        scale = self.hub.scale if y.ndim == 1 else self.hub.scale[:, None]
        spokes = (arm.solve_spoke(each) / w for w, arm, each in zip(self.weights, self.pencil.arms, z, strict=True))
        return np.concatenate([self.hub.solve(scale * y) * scale, *spokes])

    def project(self, v: Floats) -> Floats:
        """Return what is centred of v."""
        centred: Floats = v - self.dual @ (self.inner @ (self.means.T @ v))
        return centred


def _unscaled(metric: Metric, x: Floats) -> Floats:
    scale = metric.scale if x.ndim == 1 else metric.scale[:, None]
    product: Floats = (metric @ (x / scale)) / scale
    return product
