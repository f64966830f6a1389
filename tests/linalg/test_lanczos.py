"""Block Lanczos: complete, repeatable, in any metric, in either precision."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array

from graphmine.linalg.lanczos import Pencil, exceeds, leading_eigenvectors, may_hide
from graphmine.linalg.link_matrix import LinkMatrix
from graphmine.linalg.metric import Metric


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def pencil(G: np.ndarray, metric: Metric | None = None, dtype: type = np.float64) -> Pencil:
    G = G.astype(dtype)
    return Pencil(len(G), len(G), lambda x: G @ x, lambda x: x, metric, np.dtype(dtype))


def gram(n: int, seed: int) -> np.ndarray:
    B = rng(seed).standard_normal((n + 20, n))
    return np.asarray(B.T @ B)


def in_groups(n: int) -> Metric:
    members = np.zeros((n, 3))
    members[np.arange(n), np.arange(n) % 3] = 1.0
    return Metric(rng(5).uniform(0.5, 2.0, n), LinkMatrix(csr_array(members), csr_array(np.diag([1.0, 0.1, 3.0]))))


@pytest.mark.parametrize("count", [1, 5, 39, 40])
@pytest.mark.parametrize("bonded", [False, True])
def test_agrees_with_the_dense_problem(count: int, bonded: bool) -> None:
    G, metric = gram(40, count), in_groups(40) if bonded else None
    found = leading_eigenvectors(pencil(G, metric), count, rng(), tolerance=1e-12, max_restarts=200)
    M = np.eye(40) if metric is None else metric @ np.eye(40)
    assert found.converged
    np.testing.assert_allclose(found.values, eigh(G, M, eigvals_only=True)[::-1][:count], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.vectors.T @ M @ found.vectors, np.eye(count), atol=1e-10)
    np.testing.assert_allclose(G @ found.vectors, M @ found.vectors * found.values, atol=1e-8)


def test_the_tolerance_is_that_of_the_residual() -> None:
    G = gram(200, 3)
    for tolerance in (1e-2, 1e-4, 1e-8):
        found = leading_eigenvectors(pencil(G), 6, rng(), tolerance=tolerance, max_restarts=200)
        residuals = np.linalg.norm(G @ found.vectors - found.vectors * found.values, axis=0) / found.values
        assert residuals.max() <= 1.1 * tolerance


def test_single_precision_reaches_what_it_can() -> None:
    G = gram(200, 3)
    found = leading_eigenvectors(pencil(G, dtype=np.float32), 6, rng(), tolerance=1e-4, max_restarts=200)
    assert found.vectors.dtype == np.float32
    assert found.converged
    np.testing.assert_allclose(found.values, np.linalg.eigvalsh(G)[::-1][:6], rtol=1e-5)


def test_as_many_equal_values_are_found_as_a_block_has_vectors() -> None:
    G = np.diag(np.append(np.full(4, 2.0), np.linspace(1.0, 0.0, 96)))
    found = leading_eigenvectors(pencil(G), 5, rng(), tolerance=1e-10, max_restarts=100)
    np.testing.assert_allclose(found.values, [2.0, 2.0, 2.0, 2.0, 1.0], atol=1e-9)
    assert may_hide(found.values, 1e-10)


def test_values_above_a_bar_are_noticed() -> None:
    G = np.diag(np.append(1.3, np.linspace(1.0, 0.0, 4999)))
    assert all(exceeds(pencil(G), 1.2, rng(seed)) for seed in range(5))
    assert not any(exceeds(pencil(G), 1.4, rng(seed)) for seed in range(5))


def test_same_generator_same_bits() -> None:
    first, again = (
        leading_eigenvectors(pencil(gram(60, 1)), 7, rng(3), tolerance=1e-9, max_restarts=50) for _ in range(2)
    )
    assert np.array_equal(first.vectors, again.vectors)
