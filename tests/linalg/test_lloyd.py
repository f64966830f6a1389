"""Lloyd's algorithm: the labels of scikit-learn, whatever the points are like."""

import warnings

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from graphmine.arrays import AnyArray
from graphmine.linalg.lloyd import Found, from_centers, from_starts
from graphmine.linalg.resources import one_thread


def points_of(seed: int) -> tuple[AnyArray, int]:
    """Return points of all sorts: spread evenly, in clouds, of length one, many times the same, whole numbers."""
    rng = np.random.default_rng(seed)
    n_points, n_axes, n_clusters = int(rng.integers(5, 700)), int(rng.integers(1, 12)), int(rng.integers(1, 9))
    points = rng.standard_normal((n_points, n_axes))
    match seed % 5:
        case 0:
            points += 5 * rng.standard_normal((3, n_axes))[rng.integers(3, size=n_points)]
        case 1:
            points /= np.linalg.norm(points, axis=1)[:, None]
        case 2:
            points = points[rng.integers(min(n_clusters, n_points), size=n_points)]  # fewer points than clusters
        case 3:
            points = np.rint(points)
    return points, min(n_clusters, n_points)


def of_sklearn(points: AnyArray, model: KMeans, weights: AnyArray | None = None) -> Found:
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(points, sample_weight=weights)
    return Found(model.labels_.astype(np.int64), model.cluster_centers_, float(model.inertia_))


def assert_same(ours: Found, theirs: Found) -> None:
    assert np.array_equal(ours.labels, theirs.labels)
    assert ours.labels.dtype == np.int64
    assert ours.centers.dtype == theirs.centers.dtype
    np.testing.assert_allclose(ours.centers, theirs.centers, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("seed", range(25))
def test_labels_are_those_of_scikit_learn(seed: int) -> None:
    points, n_clusters = points_of(seed)
    with one_thread():
        ours = from_starts(points, n_clusters, seed, 4)
    theirs = of_sklearn(points, KMeans(n_clusters, n_init=4, random_state=seed))
    assert_same(ours, theirs)
    assert ours.inertia == pytest.approx(theirs.inertia)


@pytest.mark.parametrize("seed", range(10))
def test_labels_of_weighted_points_are_those_of_scikit_learn(seed: int) -> None:
    points, n_clusters = points_of(seed)
    weights = np.random.default_rng(seed).uniform(0.1, 9.0, len(points))
    with one_thread():
        ours = from_starts(points, n_clusters, seed, 2, weights)
    assert_same(ours, of_sklearn(points, KMeans(n_clusters, n_init=2, random_state=seed), weights))


@pytest.mark.parametrize("seed", range(10))
def test_labels_from_centers_in_single_precision_are_those_of_scikit_learn(seed: int) -> None:
    points, n_clusters = points_of(seed)
    points = points.astype(np.float32)
    centers = np.random.default_rng(seed).choice(points, n_clusters)
    with one_thread():
        ours = from_centers(points, centers, 3)
    assert_same(ours, of_sklearn(points, KMeans(n_clusters, n_init=1, max_iter=3, init=centers)))


def test_an_empty_cluster_gets_the_point_that_is_farthest_from_its_center() -> None:
    points = np.array([[0.0], [1.0], [2.0], [30.0]])
    found = from_centers(points, np.array([[1.0], [500.0]]), 1)
    assert found.labels.tolist() == [0, 0, 0, 1]
    assert found.centers.tolist() == [[1.0], [30.0]]


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_points_that_are_no_numbers_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        from_starts(np.array([[0.0], [wrong], [2.0]]), 2, 0, 1)
