"""The weights of a star's arms under which its leading vectors are in balance, and these vectors."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr
from scipy.optimize import minimize, root
from scipy.sparse import csc_array, diags_array
from scipy.sparse.linalg import splu
from scipy.special import softmax

from graphmine.arrays import Floats
from graphmine.linalg.star.hub_basis import HubBasis, Leading
from graphmine.linalg.star.pencil import LinkForm, StarPencil, StarVectors

__all__ = ["Balance", "balance_arms", "room_for"]


_ROOM = 20
"""The basis has room for so many vectors beside twice those that are looked for."""

_MORE = 3
"""So many vectors beside the wanted ones start the search."""

_SHRUNK = 0.1
"""The weights are looked for anew whenever the residual has shrunk to so much of what it was."""

_COARSE, _FINE = 1e-5, 1e-12
"""How far the pulls of two arms may be apart: at first, and where they are to be equal."""

_FAR = 23.0
"""The logarithm of the ratio of the largest weight to any is at most this: no arm that counts weighs nothing."""


_LEAST = 1e-8
"""Beside what it costs the hub to differ, smaller values than this would be lost in rounding."""


class Balance(NamedTuple):
    """Weights in balance, and what they lead to.

    Parameters
    ----------
    weights
        w, in the simplex.
    values
        The leading eigenvalues in descending order; one more than vectors, if there is one.
    vectors
        Of the first of them, in parts: the hub's, then those of each spoke.
    trace
        The sum of the values that belong to vectors, whenever weights were found.
    residual
        How far the vectors are from being eigenvectors, relative to their values.
    """

    weights: Floats
    values: Floats
    vectors: StarVectors
    trace: tuple[float, ...]
    residual: float


def balance_arms(
    pencil: StarPencil,
    count: int,
    rng: np.random.Generator,
    *,
    basis: HubBasis | None = None,
    tolerance: float = 1e-9,
    max_steps: int = 1000,
    told: Callable[[float], None] = lambda _: None,
) -> Balance:
    """Return the weights w for which the sum of the leading eigenvalues of A v = μ P(w) v is least, and the vectors.

    Parameters
    ----------
    pencil
        The star.
    count
        How many eigenvalues are added up, at least 1; fewer where the star has fewer positive ones.
    rng
        Gives the start, and so makes the result repeatable.
    basis
        One to go on from, of the same star; it is changed.
    tolerance
        The residual of the vectors, relative to their values. The error of the sum goes with its square.
    max_steps
        After so many the best so far is returned; its residual says how good it is.
    told
        Called with the residual, whenever weights were found.

    Notes
    -----
    A subspace method for the optimisation of eigenvalues. The basis is extended by the residuals of leading vectors, as
    in Davidson's method, and cut back when it is full; w is looked for within the basis, where that costs next to
    nothing. The sum within a basis is at most that of the whole space, for every w, so that the trace rises to the
    least sum, but for what is lost when the basis is cut back. The spokes are eliminated: a vector costs one product
    with each block and one with its transpose, and memory for itself and its images.

    References
    ----------
    F. Kangal, K. Meerbergen, E. Mengi, W. Michiels: A subspace method for large-scale eigenvalue optimization. SIAM J.
    Matrix Anal. Appl. 2018.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.star.pencil import PencilArm
    >>> one = csr_array([[3.0, 1.0], [2.0, 0.0], [0.0, 4.0], [1.0, 3.0]])
    >>> other = csr_array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    >>> pencil = StarPencil((PencilArm.of(one), PencilArm.of(other)), np.array([0.5, 0.5]))
    >>> found = balance_arms(pencil, 1, np.random.default_rng(0))
    >>> found.weights.round(6).tolist(), pencil.norms(found.vectors).round(9).ravel().tolist()
    ([0.535983, 0.464017], [1.0, 1.0])
    """
    n_wanted = count + 1
    basis = basis or HubBasis(pencil, room_for(count))
    if basis.width < n_wanted + _MORE:
        basis.extend(rng.standard_normal((pencil.n_hub, n_wanted + _MORE)))
    search = _Search(pencil, basis, count, _weights(np.log(pencil.beta[:-1]) - np.log(pencil.beta[-1])))
    mark, trace = np.inf, []
    for _ in range(max_steps):
        if search.worst <= max(_SHRUNK * mark, tolerance):
            mark = search.worst
            search.find_weights()
            trace.append(float(search.found.values[:count].sum()))
            told(search.worst)
        if search.worst <= tolerance or not search.extend_basis(tolerance, rng):
            break
    return search.result(tuple(trace))


def room_for(count: int) -> int:
    """Return how many vectors a basis should have room for where so many are looked for.

    >>> room_for(1)
    24
    """
    return 2 * (count + 1) + _ROOM


class _Search:
    """Where a search is: the weights, and the leading vectors within the basis."""

    def __init__(self, pencil: StarPencil, basis: HubBasis, count: int, weights: Floats) -> None:
        self.pencil, self.basis, self.count, self.weights = pencil, basis, count, weights
        self._correct = _Corrector(pencil, weights)
        self._update()

    @property
    def worst(self) -> float:
        """The largest residual of the vectors asked for."""
        return float(self.residuals[: self.count].max(initial=0.0))

    def find_weights(self) -> None:
        """Find the weights anew."""
        self.weights = least_sum(self._leading, self.count, self.weights)
        self._correct = _Corrector(self.pencil, self.weights)
        self._update()

    def extend_basis(self, tolerance: float, rng: np.random.Generator) -> bool:
        """Add what is missing to the basis; return whether there was anything."""
        basis = self.basis
        if basis.width + len(self.residuals) > basis.room < self.pencil.n_hub:
            kept = basis.leading(self.pencil.beta, self.weights, max(basis.room // 2, self.count + 2)).vectors
            basis.restart(np.asarray(qr(kept, mode="economic")[0], dtype=np.float64))
        missing = self.steps[:, self.residuals > tolerance] / basis.scale[:, None]
        if not basis.extend(missing) and not basis.extend(rng.standard_normal((self.pencil.n_hub, self.count + 1))):
            return False
        self._update()
        return True

    def result(self, trace: tuple[float, ...]) -> Balance:
        """Return what was found."""
        found, weights, beta = self.found, self.weights, self.pencil.beta
        first = Leading(found.values[: self.count], found.vectors[:, : self.count], found.shares[:, : self.count])
        vectors = self.basis.spread(beta, weights, first)
        if self.pencil.apart is None:
            # Points that weigh next to nothing are lost in the rounding of the basis, but follow from their neighbours.
            hub = self._correct(self.basis.driven(beta, weights, first), first.values)
            vectors = self.pencil.centred((hub, *vectors[1:]))
        return Balance(weights, found.values, vectors, trace, self.worst)

    def _leading(self, weights: Floats) -> Leading:
        return self.basis.leading(self.pencil.beta, weights, self.count + 1)

    def _update(self) -> None:
        self.found = self._leading(self.weights)
        rest = self.basis.residuals(self.pencil.beta, self.weights, self.found)
        self.steps = self._correct(rest, self.found.values)
        self.residuals = np.sqrt(np.maximum(np.sum(rest * self.steps, axis=0), 0.0) / self.found.values)


class _Corrector:
    """What to add to vectors for what is missing of eigenvectors, at some weights: (μ Σ w_i H_i + K)⁻¹ of it."""

    def __init__(self, pencil: StarPencil, weights: Floats) -> None:
        self._apart, hubs = pencil.apart, [arm.hub for arm in pencil.arms]
        self._metric = LinkForm.combined(hubs, weights)

    def __call__(self, rest: Floats, values: Floats) -> Floats:
        if self._apart is not None and len(values):
            matrix = csc_array(diags_array(max(values[0], _LEAST) * self._metric.diagonal) + self._apart)
            steps: Floats = splu(matrix, permc_spec="NATURAL", options={"SymmetricMode": True}).solve(rest)
            return steps
        scale = self._metric.scale[:, None]
        return self._metric.solve(scale * rest) * scale / values


def least_sum(leading: Callable[[Floats], Leading], count: int, start: Floats) -> Floats:
    """Return the weights, in the simplex, under which the sum of so many leading eigenvalues is least.

    The sum is convex in w, and its derivative by w_i is -Σ_j μ_j v_jᵀ P_i v_j, the pull of arm i. At the least sum
    all pulls are equal, and equal to it. As the sum is flat there, it is the pulls that are made equal in the end.
    """

    def sum_and_gradient(logs: Floats) -> tuple[float, Floats]:
        weights = _weights(logs)
        values, _, shares = leading(weights)
        total, pulls = float(values[:count].sum()), shares[:, :count] @ values[:count]
        return total, (weights * (total - pulls))[:-1]  # Σ w_i pull_i is the sum itself

    def gradient(logs: Floats) -> Floats:
        return sum_and_gradient(logs)[1]

    if len(start) == 1:
        return start
    least = minimize(
        sum_and_gradient, np.log(start[:-1] / start[-1]), jac=True, method="BFGS", options={"gtol": _COARSE}
    )
    equal = root(gradient, least.x, tol=_FINE)
    best = min((least.x, equal.x), key=lambda logs: float(np.abs(gradient(logs)).max()))
    return _weights(best)


def _weights(logs: Floats) -> Floats:
    """Return weights by the logarithms of their ratios to the last.

    >>> _weights(np.array([900.0, -900.0])).round(9).tolist()
    [1.0, 0.0, 0.0]
    >>> _weights(np.array([900.0, -900.0])).min() > 1e-11
    np.True_
    """
    every = np.append(logs, 0.0)
    weights: Floats = softmax(np.maximum(every - every.max(), -_FAR))
    return weights
