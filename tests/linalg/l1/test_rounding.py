"""From vectors to partitions: values, thresholds and moves against brute force."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.linalg.l1.cut import PenalisedCut
from graphmine.linalg.l1.rounding import best_halves, move_vertices, partition_value
from tests.linalg.l1.random_cuts import drawn, start_of


def dense_value(cut: PenalisedCut, labels: np.ndarray, k: int) -> float:
    graph, degrees, value = cut.graph.toarray(), cut.degrees, 0.0
    for a in range(k):
        own = labels == a
        value += 0.5 * graph[own][:, ~own].sum() / degrees[own].sum() if own.any() else np.inf
    for (one, two), alike, bound in zip(cut.ends, cut.alike, cut.bounds, strict=True):
        value += 2 / np.sqrt(degrees.sum()) * bound * ((labels[one] == labels[two]) != alike)
    return float(value)


@pytest.mark.parametrize("seed", range(10))
def test_the_value_of_a_partition_is_its_formula(seed: int) -> None:
    cut, k = drawn(15, 9, seed), 2 + seed % 3
    labels = np.random.default_rng(seed).integers(k, size=15)
    assert partition_value(cut, labels, k) == pytest.approx(dense_value(cut, labels, k))


def test_two_clusters_of_one_weight_have_the_objective_of_their_vector() -> None:
    cut = drawn(8, 6, 0)
    twice = PenalisedCut(csr_array(np.kron(np.eye(2), cut.graph.toarray())), *_twice(cut))
    labels = np.repeat([0, 1], 8)
    y = twice.trivial * np.where(labels == 0, 1.0, -1.0)
    assert partition_value(twice, labels, 2) == pytest.approx(twice.value(y))


def _twice(cut: PenalisedCut) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ends = np.concatenate([cut.ends, cut.ends + 8, cut.ends + np.array([0, 8])])
    return ends, np.tile(cut.alike, 3), np.tile(cut.bounds, 3)


@pytest.mark.parametrize("seed", range(10))
def test_no_threshold_is_better(seed: int) -> None:
    cut = drawn(20, 12, seed, lam=0.4)
    x = np.random.default_rng(seed).standard_normal(20)
    labels = best_halves(cut, x)
    assert labels is not None
    values = [dense_value(cut, (x > each).astype(np.int64), 2) for each in np.sort(x)[:-1]]
    assert dense_value(cut, labels, 2) == pytest.approx(min(values))


def test_equal_entries_are_not_parted() -> None:
    cut = drawn(6, 2, 0)
    assert best_halves(cut, np.full(6, 0.3)) is None
    x = np.array([0.1, 0.1, 0.1, 0.9, 0.9, 0.9]) + 1e-13 * np.arange(6)
    labels = best_halves(cut, x)
    assert labels is not None
    assert labels.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("k", [2, 3])
def test_no_single_move_is_left_that_would_gain(seed: int, k: int) -> None:
    cut = drawn(14, 10, seed, lam=0.4)
    first = np.random.default_rng(seed).permutation(np.arange(14) % k)
    labels = move_vertices(cut, first, k)
    value = dense_value(cut, labels, k)
    assert value <= dense_value(cut, first, k)
    for vertex, cluster in product(range(14), range(k)):
        moved = labels.copy()
        moved[vertex] = cluster
        assert dense_value(cut, moved, k) >= value - 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_small_graphs_are_cut_nearly_as_well_as_they_can_be(seed: int) -> None:
    cut = drawn(10, 4, seed)
    labels = best_halves(cut, start_of(cut) * cut.degrees**-0.5)
    assert labels is not None
    best = min(dense_value(cut, np.array([0, *each]), 2) for each in product((0, 1), repeat=9) if any(each))
    assert best <= dense_value(cut, move_vertices(cut, labels, 2), 2) + 1e-12 <= 1.1 * best + 1e-12
