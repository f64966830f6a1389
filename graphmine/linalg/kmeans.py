"""k-means that gives the same labels for the same generator, whatever the machine is doing."""

import numpy as np

from graphmine.arrays import Floats, Floats32, Ints
from graphmine.linalg.lloyd import from_centers, from_starts
from graphmine.linalg.resources import one_thread

__all__ = ["kmeans"]


_GRID = 1e-9

_FEW = 1000
_MANY = 20_000
_DRAWN, _DRAWN_A_CLUSTER = 5000, 100
"""Of many points so many are drawn. Of 50,000 points in thirty clouds, three mixtures and five seeds each, 5,000 with
thirty starts gave sums of squares .8% above the best on average, 20,000 with ten starts .75%, in 1.05 to 1.4 the time.
"""


def kmeans(
    points: Floats,
    n_clusters: int,
    rng: np.random.Generator,
    *,
    n_starts: int | None = None,
    drawn: int | None = None,
    n_rounds: int = 300,
) -> Ints:
    """Return a cluster number for every point (a row), the best of several starts of Lloyd's algorithm.

    Points that differ by rounding alone count as one point, and where there are fewer distinct points than clusters,
    fewer clusters come back.

    Notes
    -----
    There are ten starts, or thirty for up to a thousand points, where they cost little and luck matters most; there
    points then move one at a time, after Hartigan, while that brings them together further. Of more
    points than are to be ``drawn`` the starts are made on so many, half of them drawn evenly and half by their squared
    distance from the mean, so that nothing far out is overlooked, and weighted by how likely they were not to be drawn
    (a lightweight coreset). The best of them goes on from there over all points, in single precision, for ``n_rounds``
    at the most. Unless told otherwise, up to 20,000 points are all taken, and of more 5,000, or a hundred a cluster,
    with a start a cluster, from ten to thirty.

    References
    ----------
    O. Bachem, M. Lucic, A. Krause: Scalable k-means clustering via lightweight coresets. KDD 2018.

    Examples
    --------
    >>> points = np.array([[0.0], [0.1], [5.0]])
    >>> labels = kmeans(points, 2, np.random.default_rng(0))
    >>> labels[0] == labels[1], labels[0] == labels[2]
    (np.True_, np.False_)
    >>> np.unique(kmeans(np.ones((4, 1)), 3, np.random.default_rng(0))).tolist()
    [0]
    """
    seed, n_clusters = int(rng.integers(2**31)), min(n_clusters, len(points))
    with one_thread():  # threads would add numbers in another order, which can move a point that lies between two
        if n_starts is None and len(points) <= _FEW:
            few = _snapped(points)
            return _improved(few, from_starts(few, n_clusters, seed, 30).labels)
        drawn = drawn or max(_MANY if len(points) <= _MANY else _DRAWN, _DRAWN_A_CLUSTER * n_clusters)
        if len(points) <= drawn:
            return from_starts(_snapped(points), n_clusters, seed, n_starts or 10).labels
        places = _snapped(points).astype(np.float32)
        some, weights = _coreset(places, drawn, rng)
        n_starts = n_starts or min(max(n_clusters, 10), 30)
        best = from_starts(places[some].astype(np.float64), n_clusters, seed, n_starts, weights)
        return from_centers(places, best.centers.astype(np.float32), n_rounds).labels


def _improved(points: Floats, labels: Ints) -> Ints:
    """Move the point that gains most to another cluster, while one gains clearly; none is left empty."""
    labels, rows = np.unique(labels, return_inverse=True)[1], np.arange(len(points))  # of few points some stay empty
    for _ in range(len(points)):
        member = np.eye(labels.max() + 1)[labels]
        sizes = member.sum(axis=0)
        squares = np.sum((points[:, None] - member.T @ points / sizes[:, None]) ** 2, axis=2)
        cost = squares * sizes / (sizes + 1)
        cost[rows, labels] = np.where(sizes[labels] > 1, squares[rows, labels] * sizes[labels], 0.0)
        cost[rows, labels] /= np.maximum(sizes[labels] - 1, 1)
        gain = cost[rows, labels] - cost.min(axis=1)
        best = int(gain.argmax())
        if gain[best] <= 1e-9 * squares[rows, labels].sum():
            break
        labels[best] = cost[best].argmin()
    return labels


def _coreset(points: Floats32, size: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Return points that stand for all of them, and how many each stands for."""
    away = points - points.mean(axis=0, dtype=np.float64).astype(np.float32)
    squares = np.einsum("ij,ij->i", away, away).astype(np.float64)
    chance = (1 + squares / max(squares.mean(), np.finfo(float).tiny)) / (2 * len(points))
    chance /= chance.sum()
    drawn = np.searchsorted(np.cumsum(chance), rng.random(size)).clip(max=len(points) - 1)
    return drawn, 1 / (size * chance[drawn])


def _snapped(points: Floats) -> Floats:
    """Round each coordinate to a billionth of its largest magnitude, so that rounding can not part equal points."""
    step = np.abs(points).max(axis=0, initial=0.0) * _GRID
    step[step == 0] = 1.0
    snapped: Floats = np.rint(points / step) * step
    return snapped
