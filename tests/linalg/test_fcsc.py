"""Cuts that meet links by so much: the sparse way finds what the paper's does, and all that it finds is feasible."""

import numpy as np
import pytest
from scipy.linalg import eigvalsh
from scipy.sparse import block_diag, csr_array

from graphmine.errors import SizeError
from graphmine.linalg.fcsc import LinkedCut, all_feasible_cuts, feasible_cuts, link_values, shifted_theta
from graphmine.linalg.laplacian import Laplacian, least_cuts
from graphmine.linalg.link_matrix import LinkMatrix
from graphmine.linalg.resources import available_memory


def some_graph(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return the weights of a random graph in one part."""
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 4 / n), 1)
    W[np.arange(n - 1), np.arange(1, n)] += rng.random(n - 1) + 0.1
    return W + W.T


def some_links(rng: np.random.Generator, n: int, count: int) -> np.ndarray:
    """Return Q of random pairs, of either sign and any weight."""
    Q = np.zeros((n, n))
    for _ in range(count):
        i, j = rng.choice(n, 2, replace=False)
        Q[i, j] = Q[j, i] = rng.choice([-1.0, 1.0]) * (0.2 + rng.random())
    return Q


def linked(W: np.ndarray, Q: np.ndarray) -> LinkedCut:
    return LinkedCut(Laplacian(csr_array(W)), LinkMatrix(csr_array(np.eye(len(W))), csr_array(Q)))


def normalised(W: np.ndarray, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scale = np.outer(W.sum(axis=1), W.sum(axis=1)) ** -0.5
    return np.eye(len(W)) - W * scale, Q * scale


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("share", [0.99, 0.5, 0.1, -0.2, -0.9, -3.0])  # at -1 one μ may be infinite
def test_the_sparse_way_finds_what_the_dense_one_does(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 30))
    W, Q = some_graph(rng, n), some_links(rng, n, int(rng.integers(1, n)))
    L, normal = normalised(W, Q)
    cut, theta = linked(W, Q), share * eigvalsh(normal).max()
    every = all_feasible_cuts(cut, theta)
    trivial = cut.laplacian.trivial
    there = np.count_nonzero(eigvalsh(normal) > theta) - (trivial @ normal @ trivial > theta)
    found = feasible_cuts(cut, theta, there, rng)
    assert found.converged
    assert len(found.values) == len(every.values) <= there
    assert np.sort(found.values) == pytest.approx(np.sort(every.values), rel=1e-6)
    assert found.costs == pytest.approx(every.costs, rel=1e-6)
    v = found.vectors
    assert np.linalg.norm(v, axis=0) == pytest.approx(1)
    assert np.abs(np.sum(v * every.vectors, axis=0)) == pytest.approx(1, abs=1e-6)
    assert np.sum(v * (normal @ v), axis=0) == pytest.approx(found.met)
    assert np.all(found.met > theta)
    residual = L @ v - (normal @ v - theta * v) * found.values
    assert np.abs(residual).max() <= 1e-7 * (1 + np.abs(found.values).max())


@pytest.mark.parametrize("seed", range(10))
def test_of_many_the_first_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W, Q = some_graph(rng, 60), some_links(rng, 60, 40)
    theta = -eigvalsh(normalised(W, Q)[1]).max()
    cut = linked(W, Q)
    found, every = feasible_cuts(cut, theta, 5, rng), all_feasible_cuts(cut, theta)
    assert np.sort(found.values) == pytest.approx(np.sort(every.values)[:5], rel=1e-6)


def test_a_graph_in_parts_is_told_by_them_where_links_agree() -> None:
    rng = np.random.default_rng(0)
    W = block_diag([some_graph(rng, 7), some_graph(rng, 9)]).toarray()
    Q = np.zeros_like(W)
    Q[2, 10] = Q[10, 2] = -1.0
    cut = linked(W, Q)
    theta = -float(link_values(cut, 1, rng)[0])
    for found in (feasible_cuts(cut, theta, 3, rng), all_feasible_cuts(cut, theta)):
        assert found.costs[0] == pytest.approx(0, abs=1e-6)
        assert np.array_equal(found.vectors[:, 0] > 0, (np.arange(16) < 7) == (found.vectors[0, 0] > 0))


@pytest.mark.parametrize("seed", range(10))
def test_link_values_are_those_of_the_matrix_of_links(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W, Q = some_graph(rng, 40), some_links(rng, 40, 30)
    expected = np.sort(eigvalsh(normalised(W, Q)[1]))[::-1]
    assert link_values(linked(W, Q), 6, rng, sure=6) == pytest.approx(expected[:6], rel=1e-8)
    assert link_values(linked(W, Q), 60, rng, sure=60) == pytest.approx(expected, abs=1e-8)


def test_links_that_cancel_out_ask_for_nothing() -> None:
    W = some_graph(np.random.default_rng(0), 9)
    cut = linked(W, np.zeros((9, 9)))
    assert link_values(cut, 3, np.random.default_rng(0)).tolist() == [0.0, 0.0, 0.0]


def test_a_demand_that_the_trivial_vector_meets_exactly_gives_way() -> None:
    W, Q = np.ones((4, 4)) - np.eye(4), np.zeros((4, 4))
    Q[0, 1] = Q[1, 0] = 1.0
    Q[2, 3] = Q[3, 2] = -1.0
    cut = linked(W, Q)
    assert shifted_theta(cut, 0.0, 1.0) < 0
    assert shifted_theta(cut, 0.1, 1.0) == 0.1


@pytest.mark.parametrize("seed", range(5))
def test_the_least_cuts_are_those_of_a_dense_decomposition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W = some_graph(rng, 30)
    L, _ = normalised(W, W)
    found = least_cuts(Laplacian(csr_array(W)), 4, rng)
    assert 1 - found.values == pytest.approx(eigvalsh(L)[1:5])
    assert np.linalg.norm(L @ found.vectors - found.vectors * (1 - found.values), axis=0) == pytest.approx(0, abs=1e-9)


def test_parts_come_before_what_is_cut_and_each_once() -> None:
    rng = np.random.default_rng(0)
    W = block_diag([some_graph(rng, 5), 3 * some_graph(rng, 6), some_graph(rng, 3)]).toarray()
    laplacian = Laplacian(csr_array(W))
    assert least_cuts(laplacian, 1, rng).vectors.shape == (14, 1)
    found = least_cuts(laplacian, 4, rng)
    assert found.values[:2].tolist() == [1.0, 1.0]
    assert np.linalg.matrix_rank(np.column_stack([laplacian.trivial, found.vectors])) == 5
    assert np.ptp((found.vectors[:, :2] / laplacian.trivial[:, None])[5:11], axis=0) == pytest.approx(0)
    assert least_cuts(laplacian, 99, rng).vectors.shape == (14, 13)


@pytest.mark.parametrize("seed", range(5))
def test_solves_are_those_of_the_pseudo_inverse(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W = some_graph(rng, 20)
    b = rng.standard_normal((20, 3))
    expected = np.linalg.pinv(normalised(W, W)[0], rcond=1e-10) @ b
    assert Laplacian(csr_array(W)).solve(b, 1e-13) == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def test_what_does_not_fit_in_memory_is_refused() -> None:
    n = 1 + int((available_memory() / 8) ** 0.5)
    graph = csr_array((np.ones(n), (np.arange(n), np.roll(np.arange(n), 1))), shape=(n, n))
    nothing = LinkMatrix(csr_array((n, 0)), csr_array((0, 0)))
    with pytest.raises(SizeError, match=r"^all vectors of \d+ vertices would take about .*; use the sparse solver$"):
        all_feasible_cuts(LinkedCut(Laplacian(csr_array(graph + graph.T)), nothing), 0.0)
