"""k-means that gives the same labels for the same generator, whatever the machine is doing."""

import warnings

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

__all__ = ["kmeans"]

_GRID = 1e-9


def kmeans(points: NDArray[np.float64], n_clusters: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a cluster number for every point (a row), the best of ten starts of Lloyd's algorithm.

    Points that differ by rounding alone count as one point, and where there are fewer distinct points than clusters,
    fewer clusters come back.

    Examples
    --------
    >>> points = np.array([[0.0], [0.1], [5.0]])
    >>> labels = kmeans(points, 2, np.random.default_rng(0))
    >>> labels[0] == labels[1], labels[0] == labels[2]
    (np.True_, np.False_)
    >>> np.unique(kmeans(np.ones((4, 1)), 3, np.random.default_rng(0))).tolist()
    [0]
    """
    # Importing scikit-learn takes longer than most of what does not need it.
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    model = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    # Threads add up their share of a centre in the order they finish, which can move a point that lies between two.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = model.fit_predict(_snapped(points))
    return np.asarray(labels, dtype=np.int64)


def _snapped(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round each coordinate to a billionth of its largest magnitude, so that rounding can not part equal points."""
    step = np.abs(points).max(axis=0, initial=0.0) * _GRID
    step[step == 0] = 1.0
    snapped: NDArray[np.float64] = np.rint(points / step) * step
    return snapped
