"""How alike points are: Gaussian weights between every two of them, or between each and its nearest ones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.clock import importing
from graphmine.linalg.resources import check_memory

__all__ = ["fill_missing", "gaussian", "nearest_gaussian", "standardise", "total_deviation"]


_ROOM = 1 << 20  # about so many numbers are looked at together
_TIED = 1e-6  # squared distances nearer to each other than this, as a share, may be a tie


def fill_missing(points: Floats) -> Floats:
    """Return points with the mean of the others where a coordinate is NaN.

    >>> fill_missing(np.array([[1.0], [np.nan], [3.0]])).ravel().tolist()
    [1.0, 2.0, 3.0]
    """
    return np.where(np.isnan(points), np.nanmean(points, axis=0), points)


def standardise(points: Floats) -> Floats:
    """Return points moved and stretched as a whole, so that the mean is 0 and the total variance 1, if there is any.

    >>> standardise(np.array([[1.0], [3.0]])).ravel().tolist()
    [-1.0, 1.0]
    """
    moved: Floats = (points - points.mean(axis=0)) / (total_deviation(points) or 1.0)
    return moved


def total_deviation(points: Floats) -> float:
    """Return the root of the total variance: of the mean square of the distance from the mean.

    >>> total_deviation(np.array([[0.0, 0.0], [6.0, 8.0]]))
    5.0
    """
    moved = points - points.mean(axis=0)
    largest = np.abs(moved).max(initial=0.0)
    if not largest:
        return 0.0
    return float(largest * math.sqrt(np.sum((moved / largest) ** 2) / len(points)))  # squares alone may overflow


def gaussian(points: Floats, sigma: float) -> csr_array:
    """Return the similarity of every two points, exp(-‖xᵢ - xⱼ‖² / 2σ²), with nothing on the diagonal.

    Weights too small for a float are left out. Distances are those of differences, coordinate by coordinate: the block
    is symmetric to the last bit, and points that are near each other lose no digits.

    >>> gaussian(np.array([[0.0], [1.0], [90.0]]), sigma=1).toarray().round(3).tolist()
    [[0.0, 0.607, 0.0], [0.607, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    with importing():
        from scipy.spatial.distance import cdist

    n = len(points)
    integer = np.int32 if n * n < 2**31 else np.int64
    check_memory(
        f"the similarity of every two of {n} nodes",
        2 * n * n * (8.0 + np.dtype(integer).itemsize),  # whoever takes it for a graph looks at its transpose, too
        "write ~knn instead of ~rbf: it takes the nearest nodes only",
    )
    scaled = points / (math.sqrt(2) * sigma)
    data, indices, starts = np.empty(n * (n - 1)), np.empty(n * (n - 1), integer), np.zeros(n + 1, integer)
    filled_to = 0
    for part in _parts(n, n):
        weights = np.exp(-cdist(scaled[part], scaled, "sqeuclidean"))
        weights[np.arange(len(weights)), np.arange(part.start, part.stop)] = 0.0  # no point is its own neighbour
        rows, cols = np.nonzero(weights)
        new = slice(filled_to, filled_to + len(cols))
        data[new], indices[new] = weights[rows, cols], cols
        starts[part.start + 1 : part.stop + 1] = filled_to + np.cumsum(np.bincount(rows, minlength=len(weights)))
        filled_to = new.stop
    return csr_array((data[:filled_to], indices[:filled_to], starts), shape=(n, n))


def nearest_gaussian(points: Floats, sigma: float, neighbours: int) -> csr_array:
    """Return the weights of `gaussian` between two points where one is among the nearest of the other.

    Of points that are equally far, the first ones are the nearest. Distances are compared in single precision, so that
    rounding does not tell ties apart.

    >>> nearest_gaussian(np.array([[0.0], [1.0], [2.0], [9.0]]), sigma=10, neighbours=1).toarray().round(3).tolist()
    [[0.0, 0.995, 0.0, 0.0], [0.995, 0.0, 0.995, 0.0], [0.0, 0.995, 0.0, 0.783], [0.0, 0.0, 0.783, 0.0]]
    """
    n = len(points)
    neighbours = min(neighbours, n - 1)
    check_memory(
        f"the {neighbours} nearest of each of {n} nodes", 60.0 * n * neighbours, "ask for fewer of them with neighbours"
    )
    deviation = total_deviation(points)
    distances, found = _nearest(standardise(points), neighbours)
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(-((distances * (deviation / sigma)) ** 2) / 2)
    starts = np.arange(0, n * neighbours + 1, neighbours)
    directed = csr_array((weights.ravel(), found.ravel(), starts), shape=(n, n))
    block = csr_array(directed.maximum(directed.T))
    block.eliminate_zeros()
    block.sort_indices()
    return block


def _nearest(points: Floats, neighbours: int) -> tuple[Floats, Ints]:
    """Return how far the nearest of each point are, and which these are, nearest first."""
    found = _Distinct.of(points)
    distances, nearest = (each[found.group] for each in found.nearest(neighbours + 1))
    kept = nearest != np.arange(len(points))[:, None]
    kept[kept.all(axis=1), -1] = False  # a point that has so many equal ones before it is not among them itself
    shape = (len(points), neighbours)
    return distances[kept].reshape(shape), nearest[kept].reshape(shape)


@dataclass(frozen=True, eq=False)
class _Distinct:
    """Points with those that are the same taken together: whole numbers make thousands of them, all equally near."""

    points: Floats
    group: Ints  # which of the distinct points each point is
    members: Ints  # the points of each, in order
    starts: Ints
    sizes: Ints

    @classmethod
    def of(cls, points: Floats) -> "_Distinct":
        distinct, group = np.unique(points, axis=0, return_inverse=True)
        group = group.ravel()
        sizes = np.bincount(group)
        return cls(distinct, group, np.argsort(group, kind="stable"), np.cumsum(sizes) - sizes, sizes)

    def nearest(self, count: int) -> tuple[Floats, Ints]:
        """Return how far the first so many points are from each distinct one, and which; it is itself among them."""
        with importing():
            from sklearn.neighbors import NearestNeighbors

        search = NearestNeighbors().fit(self.points)
        distances = np.empty((len(self.points), count))
        nearest = np.empty((len(self.points), count), dtype=np.int64)
        left, asked = np.arange(len(self.points)), count + 1
        while len(left):
            asked = min(asked, len(self.points))
            missed = []
            for part in _parts(len(left), asked * (self.points.shape[1] + count)):
                rows = left[part]
                far, found = search.kneighbors(self.points[rows], asked)
                distances[rows], nearest[rows] = self._first(rows, found, count)
                if asked < len(self.points):  # one that was not found may be as near as the last that counts
                    missed.append(rows[far[:, -1] ** 2 <= far[:, count - 1] ** 2 * (1 + _TIED) + _TIED**2])
            left, asked = np.concatenate(missed) if missed else left[:0], 2 * asked
        return distances, nearest

    def _first(self, rows: Ints, found: Ints, count: int) -> tuple[Floats, Ints]:
        """Return the first points of the distinct ones found, by distance and then by number."""
        squares = np.sum((self.points[rows][:, None, :] - self.points[found]) ** 2, axis=2).ravel()
        each = np.minimum(self.sizes[found], count).ravel()  # more of the same point never count
        ends = np.cumsum(each)
        offset = np.arange(ends[-1]) - np.repeat(ends - each, each)
        point = self.members[np.repeat(self.starts[found.ravel()], each) + offset]
        square = np.repeat(squares, each)
        row = np.repeat(np.repeat(np.arange(len(rows)), found.shape[1]), each)
        order = np.lexsort((point, square.astype(np.float32), row))
        first = order[np.searchsorted(row, np.arange(len(rows)))[:, None] + np.arange(count)]
        return np.sqrt(square[first]), point[first]


def _parts(rows: int, width: int) -> Iterator[slice]:
    """Cut rows of so many numbers into parts that there is room for."""
    step = max(1, _ROOM // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))
