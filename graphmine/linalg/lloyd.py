"""Lloyd's algorithm, from starts by k-means++ or from given centers.

The labels are those of ``sklearn.cluster.KMeans``, down to the order in which numbers are added. Importing scikit-learn
takes longer than most fits, so that only the tests do it.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import get_blas_funcs

from graphmine.arrays import AnyArray, Floats, Ints

__all__ = ["Found", "from_centers", "from_starts"]

_CHUNK = 256
"""How many points are multiplied at a time; another number would change the last digits of some distances."""
_MOST_ROUNDS = 300
_TOLERANCE = 1e-4


class Found(NamedTuple):
    """A cluster number for each point, the centers of the clusters, and the sum of squared distances from them."""

    labels: Ints
    centers: AnyArray
    inertia: float


def from_starts(points: Floats, n_clusters: int, seed: int, n_starts: int, weights: Floats | None = None) -> Found:
    """Return the best clusters that Lloyd's algorithm makes of several starts by k-means++.

    Examples
    --------
    >>> from_starts(np.array([[0.0], [1.0], [5.0]]), 2, seed=0, n_starts=3).inertia
    0.5
    """
    centered, mean, tolerance = _prepared(points)
    weights = np.ones(len(points)) if weights is None else weights
    rng, best = np.random.RandomState(seed), None
    for _ in range(n_starts):
        start = _plus_plus(centered, weights, n_clusters, rng)
        found = _lloyd(centered, weights, start, _MOST_ROUNDS, tolerance)
        # Rounding alone can make the same clusters look better.
        if best is None or (found.inertia < best.inertia and not _same(found.labels, best.labels)):
            best = found
    assert best is not None
    return best._replace(centers=best.centers + mean)


def from_centers(points: AnyArray, centers: AnyArray, n_rounds: int) -> Found:
    """Return the clusters that Lloyd's algorithm makes of given centers, in the precision of the points.

    Examples
    --------
    >>> from_centers(np.array([[0.0], [1.0], [5.0]]), np.array([[0.0], [1.0]]), n_rounds=9).centers.tolist()
    [[0.5], [5.0]]
    """
    centered, mean, tolerance = _prepared(points)
    found = _lloyd(centered, np.ones(len(points), dtype=points.dtype), centers - mean, n_rounds, tolerance)
    return found._replace(centers=found.centers + mean)


def _prepared(points: AnyArray) -> tuple[AnyArray, AnyArray, float]:
    """Return the points around their mean, the mean, and how little centers move in the end."""
    points = np.ascontiguousarray(points)
    mean = points.mean(axis=0)
    if not np.isfinite(mean).all():
        raise ValueError("points must be finite numbers")
    return points - mean, mean, np.var(points, axis=0).mean() * _TOLERANCE


def _plus_plus(points: Floats, weights: Floats, n_clusters: int, rng: np.random.RandomState) -> Floats:
    """Return points drawn by their squared distance from those drawn before; the best of a few is kept each time.

    References
    ----------
    D. Arthur, S. Vassilvitskii: k-means++: the advantages of careful seeding. SODA 2007.
    """
    n_tries = 2 + int(np.log(n_clusters))
    squares = _squares(points)
    drawn = [rng.choice(len(points), p=weights / weights.sum())]
    closest = _distances(points[drawn], points, squares)
    spread = closest @ weights
    for _ in range(1, n_clusters):
        at = rng.uniform(size=n_tries) * spread
        tries = np.searchsorted(np.cumsum(weights * closest), at).clip(max=len(points) - 1)
        distances = np.minimum(closest, _distances(points[tries], points, squares))
        spreads = distances @ weights[:, None]
        best = spreads.argmin()
        drawn.append(tries[best])
        spread, closest = spreads[best], distances[best]
    return points[drawn]


def _distances(some: Floats, points: Floats, squares: Floats) -> Floats:
    """Return the squared distance of some points from every point, whose squares are known."""
    distances: Floats = -2 * (some @ points.T)
    distances += _squares(some)[:, None]
    distances += squares
    return np.maximum(distances, 0, out=distances)


def _squares(points: AnyArray) -> AnyArray:
    """Return the squared length of each point."""
    squares: AnyArray = np.einsum("ij,ij->i", points, points)
    return squares


def _lloyd(points: AnyArray, weights: AnyArray, centers: AnyArray, n_rounds: int, tolerance: float) -> Found:
    """Give points to their nearest center and move centers to the mean of their points, until little changes."""
    weighted = np.ascontiguousarray((points * weights[:, None]).T)
    labels, settled = np.full(len(points), -1), False
    for _ in range(n_rounds):
        before, labels = labels, _nearest(points, centers)
        sums, sizes = _sums(weighted, weights, labels, len(centers))
        if not sizes.all():
            _fill_empty(sums, sizes, points, weights, centers, labels)
        means = _means(sums, sizes)
        shift, centers = np.sqrt(_apart(means, centers)), means
        settled = np.array_equal(labels, before)
        if settled or (shift**2).sum() <= tolerance:
            break
    if not settled:
        labels = _nearest(points, centers)
    inertia = np.cumsum(_apart(points, centers[labels]) * weights)[-1]
    return Found(labels, centers, float(inertia))


def _nearest(points: AnyArray, centers: AnyArray) -> Ints:
    """Return which center is nearest to each point, by ``|c|² - 2 c·x``."""
    (multiply,) = get_blas_funcs(("gemm",), (points,))
    squares, labels = _squares(centers), np.empty(len(points), dtype=np.int64)
    buffer = np.empty((min(_CHUNK, len(points)), len(centers)), points.dtype)
    for begin in range(0, len(points), _CHUNK):
        some = points[begin : begin + _CHUNK]
        distances = buffer[: len(some)]
        distances[:] = squares
        multiply(-2.0, centers.T, some.T, 1.0, distances.T, trans_a=1, overwrite_c=1)
        distances.argmin(axis=1, out=labels[begin : begin + _CHUNK])
    return labels


def _sums(weighted: AnyArray, weights: AnyArray, labels: Ints, n_clusters: int) -> tuple[AnyArray, AnyArray]:
    """Return the sum of each cluster's points, of which there is a column for each, and of their weights."""
    sums, sizes = np.zeros((len(weighted), n_clusters), weights.dtype), np.zeros(n_clusters, weights.dtype)
    np.add.at(sizes, labels, weights)
    for row, coordinates in zip(sums, weighted, strict=True):
        np.add.at(row, labels, coordinates)
    return np.ascontiguousarray(sums.T), sizes


def _fill_empty(
    sums: AnyArray, sizes: AnyArray, points: AnyArray, weights: AnyArray, centers: AnyArray, labels: Ints
) -> None:
    """Move the points that are farthest from their centers to the clusters that have none."""
    distances = ((points - centers[labels]) ** 2).sum(axis=1)
    if distances.max() == 0:  # there are fewer distinct points than clusters
        return
    empty = np.flatnonzero(sizes == 0)
    farthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
    for cluster, point in zip(empty, farthest, strict=True):
        left, weight = labels[point], weights[point]
        sums[left] -= points[point] * weight
        sums[cluster] = points[point] * weight
        sizes[cluster] = weight
        sizes[left] -= weight


def _means(sums: AnyArray, sizes: AnyArray) -> AnyArray:
    """Return the mean of each cluster, from sums that become means one by one; an empty one is put to the largest."""
    if (sizes > 0).all():
        means: AnyArray = sums * (1 / sizes)[:, None]
        return means
    largest = sizes.argmax()
    for cluster, size in enumerate(sizes):
        if size > 0:
            sums[cluster] *= 1 / size
        else:
            sums[cluster] = sums[largest]
    return sums


def _apart(points: AnyArray, others: AnyArray) -> AnyArray:
    """Return the squared distance of each point from its other, four coordinates added at a time."""
    squares = ((points - others) ** 2).T
    whole = len(squares) - len(squares) % 4
    total = np.zeros(len(points), points.dtype)
    for at in range(0, whole, 4):
        total += squares[at] + squares[at + 1] + squares[at + 2] + squares[at + 3]
    for row in squares[whole:]:
        total += row
    return total


def _same(labels: Ints, others: Ints) -> bool:
    """Tell whether all points of a cluster are in one of the others."""
    pairs = np.unique(labels * (others.max() + 1) + others)
    return len(pairs) == len(np.unique(labels))
