"""k-means: repeatable, and at peace with fewer points than clusters."""

import numpy as np
import pytest

from graphmine.linalg.kmeans import kmeans


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(5))
def test_separated_clouds_are_found(seed: int) -> None:
    truth = np.repeat(np.arange(4), 25)
    points = 10.0 * np.eye(4)[truth] + rng(seed).standard_normal((100, 4))
    labels = kmeans(points, 4, rng(seed))
    assert len(set(zip(labels.tolist(), truth.tolist(), strict=True))) == 4
    assert labels.dtype == np.int64


def test_same_generator_same_labels_on_points_without_clusters() -> None:
    points = rng().standard_normal((5000, 6))
    first = kmeans(points, 9, rng(3))
    assert all(np.array_equal(first, kmeans(points, 9, rng(3))) for _ in range(3))
    assert not np.array_equal(first, kmeans(points, 9, rng(4)))


def test_rounding_does_not_part_equal_points() -> None:
    points = np.repeat([[1.0, 2.0], [3.0, 0.0]], 20, axis=0)
    points += 1e-15 * rng().standard_normal(points.shape)
    labels = kmeans(points, 5, rng())
    assert len(np.unique(labels)) == 2
    assert len(np.unique(labels[:20])) == 1


def test_the_points_are_left_alone() -> None:
    points = rng().standard_normal((30, 2))
    before = points.copy()
    kmeans(points, 3, rng())
    assert np.array_equal(points, before)


def test_many_points_are_clustered_from_a_few_of_them() -> None:
    truth = rng(1).integers(6, size=30_000)
    truth[:3] = 6  # a cluster so small that an even draw would overlook it
    points = 10.0 * np.eye(7)[truth] + rng(2).standard_normal((30_000, 7))
    points[:3] = 200.0
    points[3:6] = points[6]
    truth[3:6] = truth[6]
    labels = kmeans(points, 7, rng())
    assert len(set(zip(labels.tolist(), truth.tolist(), strict=True))) == 7
    assert np.array_equal(labels, kmeans(points, 7, rng()))


def test_a_draw_of_many_points_loses_little_beside_all_of_them() -> None:
    truth = rng(1).integers(30, size=25_000)
    points = 1.5 * rng(2).standard_normal((30, 8))[truth] + 0.7 * rng(3).standard_normal((25_000, 8))
    all_of_them, some, too_few = (
        np.mean([_spread(points, kmeans(points, 30, rng(seed), drawn=drawn)) for seed in range(2)])
        for drawn in (len(points), None, 300)
    )
    assert some < 1.01 * all_of_them < too_few


def _spread(points: np.ndarray, labels: np.ndarray) -> float:
    """Return the sum of squared distances of points from the mean of their cluster."""
    means = np.array([points[labels == label].mean(axis=0) for label in range(labels.max() + 1)])
    return float(np.sum((points - means[labels]) ** 2))


def test_many_equal_points_have_few_clusters() -> None:
    points = np.repeat([[1.0, 2.0], [3.0, 0.0]], 15_000, axis=0)
    points += 1e-15 * rng().standard_normal(points.shape)
    labels = kmeans(points, 5, rng())
    assert len(np.unique(labels)) == 2
    assert len(np.unique(labels[:15_000])) == 1


def test_points_of_very_different_size_leave_no_cluster_empty() -> None:
    points = np.diag(10.0 ** np.arange(0, 120, 12))
    labels = kmeans(points, 9, rng())
    assert np.unique(labels).tolist() == list(range(labels.max() + 1))
