"""The printed semidefinite program by a factor of low rank, with nothing as large as the square of the network."""

from collections.abc import Sequence
from itertools import count
from math import inf, sqrt

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.checks import check_integer
from graphmine.linalg.lanczos import Eigenvectors, Pencil, leading_eigenvectors
from graphmine.linalg.sdp.surface import Surface, SurfacePoint
from graphmine.linalg.sdp.trust_region import minimise, norm
from graphmine.linalg.star.cut_ratios import CutRatios, RelaxedSolution, check_theta, no_solution
from graphmine.progress import Progress, silent

__all__ = ["lowrank_sdp"]


_DRAWS = 20
_SPECTRAL = 1e-9


def lowrank_sdp(
    arms: Sequence[csr_array],
    beta: Floats,
    theta: tuple[float, float] = (1.0, 1.0),
    *,
    rng: np.random.Generator,
    rank: int | None = None,
    tolerance: float = 1e-7,
    progress: Progress = silent,
) -> RelaxedSolution:
    """Return the embedding that the paper's problem (17) gives for blocks that share their rows.

    Parameters
    ----------
    arms, beta, theta
        As for `printed_sdp`.
    rng
        Gives the start, and so makes the result repeatable.
    rank
        The most columns that R may have; by default two more than any such program needs.
    tolerance
        It has converged when the value is proved to be so near the optimum, relative to the larger of 1 and the value.
    progress
        Told of every step.

    Notes
    -----
    Burer and Monteiro's W = R Rᵀ. R begins with two columns and goes down to where Newton's method ends. There the
    multipliers λ give S = Γ - Σ λᵢ Πᵢ / e'Πᵢe; where S is positive semidefinite on the changes that keep the sums, no W
    of any rank is better. A Lanczos process that knows nothing of the descent looks for the least eigenvalue m of S; a
    negative one comes with the direction in which one more column leads further down. So the end is not a local optimum
    but the optimum, or it is said not to have converged. With the gradient g left, and c² blocks, the value is at most
    g²/m, or 4 c (g - m c) where m < g/2c, above the optimum.

    A network without structure, such as one of all possible edges, has many optima, and which of them comes depends on
    the start.

    A product with the Laplacian costs O(nnz) for each of two or three columns; some hundred to a thousand are needed.
    688 nodes took 0.6 s, 10,000 took 3 s, or 21 s where the clusters are faint, and 100,000 took 15 s.

    References
    ----------
    S. Burer, R. Monteiro: A nonlinear programming algorithm for solving semidefinite programs via low-rank
    factorization. Math. Program. 2003. N. Boumal, V. Voroninski, A. Bandeira: The non-convex Burer–Monteiro approach
    works on smooth semidefinite programs. NeurIPS 2016.

    Examples
    --------
    >>> block = csr_array([[2.0, 1.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 3.0]])
    >>> found = lowrank_sdp([block], np.array([1.0]), rng=np.random.default_rng(0))
    >>> round(found.value, 6), found.converged
    (0.089257, True)
    """
    theta = check_theta(theta)
    ratios = CutRatios(arms, beta)
    surface, steps = Surface.of(ratios, theta), count(1)
    most = _bound(len(arms)) + 2 if rank is None else check_integer("rank", rank, least=2)
    point = _start(surface, theta, rng)
    while True:
        point = minimise(surface, point, on_step=lambda: progress("Newton steps", next(steps)))
        least = _least(surface, point, rng)
        gap = _gap(norm(point.gradient), least, len(arms))
        converged = gap <= tolerance * max(1.0, abs(point.value))
        lower = None if converged or point.place.shape[1] >= most else _escape(surface, point, least)
        if lower is None:
            break
        point = lower
    columns = point.place * ratios.scale[:, None]
    return RelaxedSolution(columns[:, 0], point.value, converged, _violation(columns, ratios, theta), gap)


def _bound(n_blocks: int) -> int:
    """Return the rank that some solution of (17) does not exceed: r(r + 1)/2 is at most the number of constraints.

    >>> [_bound(n_blocks) for n_blocks in (1, 2, 3, 4)]
    [2, 3, 3, 4]
    """
    return int((sqrt(8 * (2 * n_blocks + 3) + 1) - 1) / 2)


def _start(surface: Surface, theta: tuple[float, float], rng: np.random.Generator) -> SurfacePoint:
    """Return a point to begin at; drawing again helps on very small networks alone."""
    for _ in range(_DRAWS):
        place = surface.start(rng)
        if place is not None:
            return surface.point(place)
    raise no_solution(theta)


def _least(surface: Surface, point: SurfacePoint, rng: np.random.Generator) -> Eigenvectors:
    """Return the least eigenvalue of S, with its vector, on what is orthogonal to e."""
    top = 2 * float(surface.laplacian.diagonal().max()) + float(np.max(-point.multipliers @ surface.forms, initial=0.0))

    def within(x: Floats) -> Floats:
        kept: Floats = x - surface.e @ (surface.e.T @ x)
        return kept

    def times(x: Floats) -> Floats:
        # What rounding leaves of e would grow, as its own value lies beyond those that are sought.
        kept = within(x)
        return top * kept - surface.slack_product(point.multipliers, kept)

    pencil = Pencil(len(surface.e), len(surface.e) - 1, times, within)
    found = leading_eigenvectors(pencil, 1, rng, tolerance=_SPECTRAL, max_restarts=300)
    return found._replace(values=top - found.values - _SPECTRAL * top)


def _gap(gradient: float, least: Eigenvectors, n_blocks: int) -> float:
    """Return the most that a value can lie above the optimum."""
    if not least.converged:
        return inf
    m, c = float(least.values[0]), sqrt(n_blocks)
    return 4 * c * (gradient - m * c) if m < gradient / (2 * c) else gradient**2 / m


def _escape(surface: Surface, point: SurfacePoint, least: Eigenvectors) -> SurfacePoint | None:
    """Return a point below this one, with a column more; None where there is none."""
    if not least.converged or least.values[0] >= 0:
        return None
    wider = surface.point(np.column_stack([point.place, np.zeros(len(point.place))]))
    for length in 0.3 * 0.3 ** np.arange(8):
        change = np.zeros_like(wider.place)
        change[:, -1] = length * least.vectors[:, 0]
        place = surface.retract(wider.place + change, wider.normals)
        if place is not None and (lower := surface.point(place)).value < point.value:
            return lower
    return None


def _violation(columns: Floats, ratios: CutRatios, theta: tuple[float, float]) -> float:
    """Return the most by which a constraint of (17) is missed; W is positive semidefinite by its making."""
    missed = [
        *(ratios.shares @ np.sum(columns**2, axis=1) - 1),
        *(ratios.shares @ columns[:, 0]),
        2 * columns[:, 0].sum() - theta[0],
        np.sum(columns.sum(axis=0) ** 2) - theta[1],
    ]
    return float(np.abs(missed).max())
