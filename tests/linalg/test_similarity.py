"""Gaussian weights against the formula, nearest ones against a full sort, and what numbers of every size do to them."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmine.arrays import Bools, Floats
from graphmine.errors import SizeError
from graphmine.linalg import resources, similarity
from graphmine.linalg.similarity import gaussian, nearest_gaussian, standardise, total_deviation


def dense(points: Floats, sigma: float) -> Floats:
    """Return (5.13) as it is printed, without its diagonal."""
    weights: Floats = np.exp(-np.sum((points[:, None] - points[None]) ** 2, axis=2) / (2 * sigma**2))
    np.fill_diagonal(weights, 0.0)
    return weights


def among_nearest(points: Floats, neighbours: int) -> Bools:
    """Return which points are among the nearest of which, by sorting all of them; of equally far ones the first."""
    squares = np.sum((points[:, None] - points[None]) ** 2, axis=2)
    np.fill_diagonal(squares, np.inf)
    first = np.argsort(squares, axis=1, kind="stable")[:, :neighbours]
    chosen = np.zeros(squares.shape, dtype=np.bool_)
    np.put_along_axis(chosen, first, True, axis=1)
    np.fill_diagonal(chosen, False)
    return chosen


def drawn(n: int, width: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(n, width))


@pytest.mark.parametrize("room", [1, 50, 1 << 20])
def test_every_two_points_have_the_weight_of_the_formula(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "_ROOM", room)
    points = drawn(40, 5, seed=0)
    block = gaussian(points, 1.5)
    np.testing.assert_allclose(block.toarray(), dense(points, 1.5), rtol=1e-12)
    assert block.has_canonical_format
    assert (block.toarray() == block.toarray().T).all()


def test_weights_that_are_too_small_are_left_out() -> None:
    points = np.array([[0.0], [1.0], [1000.0], [1001.0]])
    for block in (gaussian(points, 1.0), nearest_gaussian(points, 1.0, 3)):
        assert block.nnz == 4
        assert np.all(block.data > 0)


@pytest.mark.parametrize("width", [1, 3, 40])
@pytest.mark.parametrize("neighbours", [1, 7, 59, 1000])
def test_the_nearest_points_have_the_same_weights(width: int, neighbours: int) -> None:
    points = drawn(60, width, seed=width)
    near = among_nearest(points, neighbours)
    expected = dense(points, 2.0) * (near | near.T)
    np.testing.assert_allclose(nearest_gaussian(points, 2.0, neighbours).toarray(), expected, rtol=1e-9)


@settings(max_examples=60)
@given(st.integers(2, 60), st.integers(1, 3), st.integers(1, 12), st.integers(1, 4), st.integers(0, 99))
def test_of_equally_far_points_the_first_are_nearest(n: int, width: int, neighbours: int, most: int, seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, most, size=(n, width)).astype(np.float64)
    near = among_nearest(points, min(neighbours, n - 1))
    block = nearest_gaussian(points, 5.0, neighbours)
    assert ((block.toarray() > 0) == (near | near.T)).all()
    stretched = nearest_gaussian(standardise(points), 5.0, neighbours)
    assert ((stretched.toarray() > 0) == (near | near.T)).all()


def test_points_that_are_all_equally_far_take_the_first() -> None:
    block = nearest_gaussian(np.eye(30), 1.0, 2).toarray() > 0
    assert block[0].all(where=np.arange(30) > 0)
    assert np.flatnonzero(block[20]).tolist() == [0, 1]


def test_many_points_that_are_the_same_cost_little() -> None:
    points = np.repeat([[0.0], [1.0], [5.0]], 20_000, axis=0)
    block = nearest_gaussian(points, 1.0, 3)
    assert block.nnz < 8 * len(points)
    assert np.flatnonzero(block[[30_000]].toarray().ravel()).tolist() == [20_000, 20_001, 20_002]


@pytest.mark.parametrize("size", [1e-140, 1e140])
def test_numbers_of_every_size_can_be_compared(size: float) -> None:
    points = drawn(12, 2, seed=3)
    deviation = total_deviation(points * size)
    assert deviation == pytest.approx(size * np.sqrt(points.var(axis=0).sum()))
    assert standardise(points * size).var(axis=0).sum() == pytest.approx(1)
    for made in (gaussian(points * size, deviation), nearest_gaussian(points * size, deviation, 11)):
        np.testing.assert_allclose(made.toarray(), dense(points, total_deviation(points)), rtol=1e-9)
    assert nearest_gaussian(points * 1e140, 1e-150, 3).nnz == gaussian(points * 1e140, 1e-150).nnz == 0


def test_what_does_not_fit_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available_memory", lambda: 10**6)
    with pytest.raises(SizeError, match=r"^the similarity of every two of 300 nodes would take .*; write ~knn instead"):
        gaussian(drawn(300, 2, seed=0), 1.0)
    assert nearest_gaussian(drawn(300, 2, seed=0), 1.0, 5).nnz
    with pytest.raises(SizeError, match=r"^the 299 nearest of each of 300 nodes would take .*; ask for fewer of them"):
        nearest_gaussian(drawn(300, 2, seed=0), 1.0, 1000)
