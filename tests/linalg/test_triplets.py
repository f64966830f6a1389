"""Singular triplets: right, repeatable, complete where values repeat, honest where they do not converge."""

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array, random_array

from graphmine.linalg.triplets import Triplets, leading_triplets


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def sparse(n_rows: int, n_cols: int, seed: int, density: float = 0.2) -> csr_array:
    return csr_array(random_array((n_rows, n_cols), density=density, rng=rng(seed)))


def exact(block: csr_array) -> np.ndarray:
    return np.linalg.svd(block.toarray(), compute_uv=False)


def assert_triplets_of(block: csr_array, found: Triplets) -> None:
    count = len(found.values)
    np.testing.assert_allclose(found.left.T @ found.left, np.eye(count), atol=1e-10)
    np.testing.assert_allclose(found.right.T @ found.right, np.eye(count), atol=1e-10)
    np.testing.assert_allclose(block @ found.right, found.left * found.values, atol=1e-10)
    assert np.all(np.diff(found.values) <= 0)


@pytest.mark.parametrize("shape", [(40, 25), (25, 40), (30, 30)])
@pytest.mark.parametrize("count", [1, 6, 24, 25, 90])
def test_agrees_with_the_dense_decomposition(shape: tuple[int, int], count: int) -> None:
    block = sparse(*shape, seed=count)
    found = leading_triplets(block, count, rng())
    assert found.converged
    assert_triplets_of(block, found)
    np.testing.assert_allclose(found.values, exact(block)[:count], atol=1e-12)


@pytest.mark.parametrize(("parts", "count"), [(8, 3), (8, 8), (8, 16), (20, 20)])
def test_repeated_values_are_all_found(parts: int, count: int) -> None:
    block = csr_array(block_diag([sparse(20, 17, seed=1)] * parts))
    found = leading_triplets(block, count, rng())
    assert_triplets_of(block, found)
    np.testing.assert_allclose(found.values, exact(block)[:count], atol=1e-10)


def test_vectors_already_known_are_not_found_again() -> None:
    block = sparse(40, 25, seed=3)
    whole = leading_triplets(block, 5, rng())
    rest = leading_triplets(block, 3, rng(1), known=(whole.left[:, :2], whole.right[:, :2]))
    assert_triplets_of(block, rest)
    np.testing.assert_allclose(rest.left, whole.left[:, 2:], atol=1e-8)
    turned = leading_triplets(csr_array(block.T), 3, rng(1), known=(whole.right[:, :2], whole.left[:, :2]))
    np.testing.assert_allclose(np.abs(turned.right), np.abs(whole.left[:, 2:]), atol=1e-8)


def test_known_vectors_leave_only_what_is_left() -> None:
    block = sparse(9, 6, seed=3, density=0.9)
    whole = leading_triplets(block, 6, rng())
    rest = leading_triplets(block, 99, rng(), known=(whole.left[:, :2], whole.right[:, :2]))
    np.testing.assert_allclose(rest.values, whole.values[2:], atol=1e-12)


def test_same_generator_same_bits() -> None:
    block = csr_array(block_diag([np.ones((4, 3))] * 12))  # invariant subspaces, so that directions are drawn
    first, again = (leading_triplets(block, 5, rng(7)) for _ in range(2))
    assert np.array_equal(first.left, again.left)
    assert np.array_equal(first.right, again.right)


@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_the_largest_entry_of_a_left_vector_is_positive(shape: tuple[int, int]) -> None:
    left = leading_triplets(sparse(*shape, seed=5), 6, rng()).left
    assert np.all(left[np.abs(left).argmax(axis=0), np.arange(6)] > 0)


@pytest.mark.parametrize("block", [csr_array((30, 20)), csr_array(np.ones((30, 20))), csr_array(np.eye(20))])
def test_blocks_without_structure_converge(block: csr_array) -> None:
    found = leading_triplets(block, 4, rng())
    assert found.converged
    assert_triplets_of(block, found)
    np.testing.assert_allclose(found.values, exact(block)[: len(found.values)], atol=1e-10)


def test_no_triplets_can_be_asked_for() -> None:
    found = leading_triplets(sparse(7, 5, seed=0), 0, rng())
    assert found.left.shape == (7, 0)
    assert found.right.shape == (5, 0)


def test_what_has_converged_is_returned_when_it_stops_early() -> None:
    block = sparse(400, 300, seed=2, density=0.05)
    found = leading_triplets(block, 12, rng(), max_restarts=2)
    assert not found.converged
    assert len(found.values) < 12
    assert_triplets_of(block, found)
    nothing = leading_triplets(block, 12, rng(), max_restarts=1)
    assert not nothing.converged
    assert nothing.left.shape == (400, 0)


@pytest.mark.parametrize("shape", [(400, 300), (300, 400)])
def test_single_precision_serves_a_looser_tolerance(shape: tuple[int, int]) -> None:
    block = sparse(*shape, seed=4, density=0.05)
    found = leading_triplets(block, 5, rng(), tolerance=1e-5, dtype=np.float32)
    assert found.converged
    assert found.left.dtype == found.right.dtype == found.values.dtype == np.float64
    np.testing.assert_allclose(found.values, exact(block)[:5], rtol=1e-6)
    assert np.abs(found.values - exact(block)[:5]).max() > 1e-14  # it is not computed twice


def test_progress_is_told() -> None:
    calls: list[tuple[str, int, int | None]] = []
    leading_triplets(sparse(40, 25, seed=1), 3, rng(), progress=lambda *call: calls.append(call))
    assert calls[0] == ("singular vectors", 0, 3)
    assert calls[-1] == ("singular vectors", 3, 3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [3, 6, 12, 20, 31, 55])
@pytest.mark.parametrize("tolerance", [1e-12, 1e-4])
def test_bases_that_nearly_fill_the_space_hold_no_direction_twice(seed: int, count: int, tolerance: float) -> None:
    # One entry a row: parts of one column each, with values far apart and many alike, on only sixty columns.
    rng = np.random.default_rng(seed)
    cols = np.sort(np.minimum(rng.geometric(0.08, size=2000) - 1, 59))
    block = csr_array((np.full(2000, 0.1), cols, np.arange(2001)), shape=(2000, 60))
    expected = np.linalg.svd(block.toarray(), compute_uv=False)[:count]
    found = leading_triplets(block, count, rng, tolerance=tolerance)
    assert found.converged
    np.testing.assert_allclose(found.values, expected, rtol=1e-7, atol=1e-12)
