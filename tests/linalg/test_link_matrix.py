"""Bonds, their metric and its solves, against matrices written out in full."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array, random_array

from graphmine.arrays import Floats
from graphmine.linalg.link_matrix import CoupledBlock, LinkMatrix, connected_parts, limiting_factors
from graphmine.linalg.metric import Metric, gram_schmidt
from graphmine.linalg.triplets import leading_triplets


def random_bonds(n: int, n_sets: int, seed: int, *, negative: bool = False) -> LinkMatrix:
    """Return bonds of points and of sets that overlap, with all sorts of strengths."""
    rng = np.random.default_rng(seed)
    sets = (rng.random((n, n_sets)) < 0.4).astype(float)
    incidence = np.hstack([np.eye(n), sets])
    strength = random_array((n + n_sets, n + n_sets), density=0.15, rng=rng).toarray()
    strength += strength.T
    strength[np.arange(n), np.arange(n)] = 0.0
    strength[n:, n:] += np.diag(rng.uniform(0.1, 2.0, n_sets))
    if negative:
        strength *= np.where(rng.random(strength.shape[0]) < 0.2, -1, 1)
        strength = (strength + strength.T) / 2
    return LinkMatrix(csr_array(incidence), csr_array(strength))


def dense(bonds: LinkMatrix) -> Floats:
    C: Floats = bonds.incidence.toarray() @ bonds.strength.toarray() @ bonds.incidence.toarray().T
    np.fill_diagonal(C, 0.0)
    return C


@settings(deadline=None, max_examples=50)
@given(n=st.integers(1, 12), n_sets=st.integers(0, 5), seed=st.integers(0, 10_000), negative=st.booleans())
def test_bonds_are_the_matrix_without_its_diagonal(n: int, n_sets: int, seed: int, negative: bool) -> None:
    bonds = random_bonds(n, n_sets, seed, negative=negative)
    C = dense(bonds)
    np.testing.assert_allclose(bonds @ np.eye(n), C, atol=1e-12)
    x = np.arange(float(n))
    np.testing.assert_allclose(bonds @ x, C @ x, atol=1e-10)
    np.testing.assert_allclose(bonds.row_sums, C.sum(axis=1), atol=1e-12)
    scale = np.linspace(0.0, 2.0, n)
    np.testing.assert_allclose(bonds.scaled(scale) @ np.eye(n), scale[:, None] * C * scale, atol=1e-12)
    np.testing.assert_allclose(bonds @ np.eye(n), C, atol=1e-12)  # what was scaled is as it was


def test_many_overlaps_are_summed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = random_bonds(30, 12, seed=1)
    monkeypatch.setattr("graphmine.linalg.link_matrix._PAIRS_AT_ONCE", 100)
    assert np.array_equal(random_bonds(30, 12, seed=1).diagonal, whole.diagonal)
    assert whole.diagonal.max() > 1


@pytest.mark.parametrize("seed", range(4))
def test_parts_are_those_networkx_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = csr_array(np.triu(rng.random((20, 20)) < 0.03, 1).astype(float))
    sets = (rng.random((20, 6)) < 0.15).astype(float)
    sets[:, 0] = 0.0  # a set of nobody, bonded with others, joins nobody
    strength = np.zeros((6, 6))
    strength[0, 1] = strength[1, 0] = strength[0, 2] = strength[2, 0] = 1.0
    strength[3, 4] = strength[4, 3] = strength[5, 5] = 1.0
    bonds = LinkMatrix(csr_array(sets), csr_array(strength))
    graph = nx.from_numpy_array(edges.toarray() + dense(bonds))
    n_parts, parts = connected_parts(edges, bonds)
    expected = list(nx.connected_components(graph))
    assert n_parts == len(expected)
    assert all(len(set(parts[list(part)].tolist())) == 1 for part in expected)


@settings(deadline=None, max_examples=50)
@given(n=st.integers(2, 12), seed=st.integers(0, 10_000), low=st.floats(0.0, 0.5))
def test_tempered_bonds_keep_within_their_limits(n: int, seed: int, low: float) -> None:
    bonds = random_bonds(n, 3, seed)
    most = np.random.default_rng(seed).uniform(low, 5.0, n)
    most[0] = 0.0
    factors = limiting_factors(bonds, most)
    assert np.all((factors >= 0) & (factors <= 1))
    assert np.all(bonds.scaled(factors).row_sums <= most * (1 + 1e-9) + 1e-12)
    within = bonds.row_sums <= most
    assert np.all(factors[within & (most > 0)] == 1.0)


def test_tempering_leaves_as_much_as_it_may() -> None:
    sets = csr_array(np.kron(np.eye(2), np.ones((50, 1))))
    bonds = LinkMatrix(sets, csr_array(np.array([[0.0, 1.0], [1.0, 0.0]])))
    most = np.full(100, 2.0)
    np.testing.assert_allclose(bonds.scaled(limiting_factors(bonds, most)).row_sums, most)


def tree_bonds(n: int, rng: np.random.Generator) -> LinkMatrix:
    """Return pairs, one of them of a point with itself under two names, and sets that overlap."""
    incidence = np.hstack([np.eye(n), np.zeros((n, 3))])
    incidence[:5, n] = incidence[3:12, n + 1] = incidence[0, n + 2] = 1.0
    incidence[7, 7] = 0.5
    strength = np.diag(rng.uniform(0.5, 30.0, n + 2), 1)[: n + 3, : n + 3]
    strength[n - 1 :, :] = strength[:, n:] = 0.0
    strength[0, n + 2] = 4.0
    strength = strength + strength.T
    strength[n, n], strength[n + 1, n + 1] = 2.0, 0.7
    return LinkMatrix(csr_array(incidence), csr_array(strength))


def random_metric(n: int, seed: int, sort: str) -> Metric:
    rng = np.random.default_rng(seed)
    free = rng.uniform(0.01, 5.0, n)
    if sort == "disjoint":
        members = np.zeros((n, 4))
        members[np.arange(n), np.arange(n) % 4] = 1.0
        members[: n // 4] = 0.0
        free[n // 2 :: 3] = 0.0
        return Metric(free, LinkMatrix(csr_array(members), csr_array(np.diag([1.0, 30.0, 1e4, 0.2]))))
    if sort == "tree":
        return Metric(np.where(np.arange(n) % 3, 0.0, free), tree_bonds(n, rng))
    bonds = random_bonds(n, 5, seed)
    if sort == "repelling":
        push = random_bonds(n, 2, seed + 1)
        push = push.scaled(limiting_factors(push, 0.45 * free))
        incidence = csr_array(np.hstack([bonds.incidence.toarray(), push.incidence.toarray()]))
        strength = np.zeros((incidence.shape[1], incidence.shape[1]))
        m = bonds.strength.shape[0]
        strength[:m, :m], strength[m:, m:] = bonds.strength.toarray(), -push.strength.toarray()
        bonds = LinkMatrix(incidence, csr_array(strength))
    return Metric(free, bonds)


def dense_metric(metric: Metric) -> Floats:
    assert metric.bonds is not None
    C = dense(metric.bonds)
    M = np.diag(metric.free + C.sum(axis=1)) - C
    scaled: Floats = metric.scale[:, None] * M * metric.scale
    return scaled


SORTS = ["disjoint", "tree", "overlapping", "repelling"]


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("seed", range(5))
def test_metrics_multiply_and_solve(sort: str, seed: int) -> None:
    metric = random_metric(25, seed, sort)
    M = dense_metric(metric)
    assert np.linalg.eigvalsh(M).min() > 0
    b = np.random.default_rng(seed).standard_normal((25, 3))
    np.testing.assert_allclose(np.diag(M), 1.0)
    np.testing.assert_allclose(metric @ b, M @ b, atol=1e-11)
    # The accuracy that the condition of the matrix allows.
    allowed = 1e-14 * np.linalg.cond(M) * np.abs(np.linalg.solve(M, b)).max()
    np.testing.assert_allclose(metric.solve(b), np.linalg.solve(M, b), atol=allowed)
    np.testing.assert_allclose(metric.solve(b[:, 0]), metric.solve(b)[:, 0], atol=allowed)
    np.testing.assert_allclose(metric.norms(b), np.sqrt(np.diag(b.T @ M @ b)), atol=1e-10)


def test_disjoint_sets_are_solved_for_without_cancellation() -> None:
    n, weight = 1000, 1e6
    free = np.full(n, 1e-3)
    metric = Metric(free, LinkMatrix(csr_array(np.ones((n, 1))), csr_array(np.array([[weight]]))))
    # M 1 = free, whatever the weight; a formula that subtracts would have lost all its digits at a ratio of 1e12.
    found = metric.solve(metric.scale * free) * metric.scale
    np.testing.assert_allclose(found, 1.0, rtol=1e-12)


def chain(n: int) -> Metric:
    links = np.arange(n - 1)
    ends = np.concatenate([links, links + 1]), np.concatenate([links + 1, links])
    free = np.zeros(n)
    free[0] = 1.0
    return Metric(free, LinkMatrix(eye(n), csr_array((np.ones(2 * n - 2), ends), shape=(n, n))))


def eye(n: int) -> csr_array:
    return csr_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))


def test_long_chains_are_solved_for_at_once() -> None:
    metric = chain(100_000)
    found = metric.solve(metric.scale * metric.free) * metric.scale
    np.testing.assert_allclose(found, 1.0, atol=1e-6)  # the condition number is 1e10


def test_factors_and_conjugate_gradients_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    b = np.random.default_rng(0).standard_normal((25, 2))
    by_factors = random_metric(25, 3, "tree")
    monkeypatch.setattr("graphmine.linalg.metric_factors._MOST_CYCLES", -1)
    by_steps = random_metric(25, 3, "tree")
    assert by_factors._linked_part.factors is not None
    assert by_steps._linked_part.factors is None
    np.testing.assert_allclose(by_factors.solve(b), by_steps.solve(b), rtol=1e-9)


@pytest.mark.parametrize("sort", SORTS)
def test_single_precision_is_kept(sort: str) -> None:
    metric, b = random_metric(25, 1, sort), np.random.default_rng(0).standard_normal((25, 3))
    for product, exact in (
        (metric @ b.astype(np.float32), metric @ b),
        (metric.solve(b.astype(np.float32), 1e-6), metric.solve(b)),
    ):
        assert product.dtype == np.float32
        condition = np.linalg.cond(dense_metric(metric))
        np.testing.assert_allclose(product, exact, atol=1e-6 * condition * np.abs(exact).max())


def test_points_without_bonds_stay_as_they_are() -> None:
    pair = LinkMatrix(csr_array(np.array([[0.0], [1.0], [1.0]])), csr_array(np.array([[2.0]])))
    metric = Metric(np.array([5.0, 1.0, 3.0]), pair)
    assert metric.touched.tolist() == [1, 2]
    b = np.array([0.1, 0.2, 0.3])
    assert metric.solve(b)[0] == (metric @ b)[0] == 0.1


def test_zero_right_hand_sides_have_zero_solutions() -> None:
    metric = random_metric(25, 0, "overlapping")
    b = np.zeros((25, 2))
    b[3, 1] = 1.0
    assert not metric.solve(b)[:, 0].any()
    assert np.all(np.isfinite(metric.solve(b)))


def test_a_solve_that_does_not_arrive_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmine.linalg.metric_factors._MOST_STEPS", 0)
    with pytest.warns(RuntimeWarning, match="solved for with less than full accuracy"):
        random_metric(25, 0, "overlapping").solve(np.ones(25))


@pytest.mark.parametrize("sort", SORTS)
def test_gram_schmidt_is_orthonormal_in_the_metric(sort: str) -> None:
    metric = random_metric(25, 1, sort)
    columns = np.random.default_rng(0).standard_normal((25, 5))
    columns[:, 3] = columns[:, 0] - columns[:, 1]
    Q, R = gram_schmidt(columns, metric)
    np.testing.assert_allclose(Q @ R, columns, atol=1e-10)
    np.testing.assert_allclose(Q.T @ (metric @ Q), np.diag([1.0, 1.0, 1.0, 0.0, 1.0]), atol=1e-10)


def random_coupled(n_rows: int, n_cols: int, seed: int) -> CoupledBlock:
    rng = np.random.default_rng(seed)
    return CoupledBlock(
        csr_array(random_array((n_rows, n_cols), density=0.3, rng=rng)),
        csr_array(random_array((n_rows, 4), density=0.4, rng=rng)),
        csr_array(random_array((4, 3), density=0.6, rng=rng)),
        csr_array(random_array((n_cols, 3), density=0.4, rng=rng)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_coupled_blocks_are_a_sum(seed: int) -> None:
    coupled = random_coupled(8, 6, seed)
    expected = coupled.block.toarray() + (coupled.left @ coupled.strength @ coupled.right.T).toarray()
    rows, cols = np.arange(8.0), np.arange(6.0)
    np.testing.assert_allclose(coupled @ np.eye(6), expected)
    np.testing.assert_allclose(coupled.T @ np.eye(8), expected.T)
    np.testing.assert_allclose(coupled.scaled(rows, cols) @ np.eye(6), rows[:, None] * expected * cols)


@pytest.mark.parametrize("shape", [(25, 18), (18, 25), (25, 25)])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("count", [1, 4, 17, 30])
def test_triplets_in_metrics_are_those_of_square_roots(shape: tuple[int, int], sort: str, count: int) -> None:
    block = random_coupled(*shape, seed=count)
    metrics = random_metric(shape[0], 2, sort), random_metric(shape[1], 3, sort)
    found = leading_triplets(block, count, np.random.default_rng(0), metrics=metrics)
    roots = []
    for metric in metrics:
        values, vectors = np.linalg.eigh(dense_metric(metric))
        roots.append((vectors / np.sqrt(values)) @ vectors.T)
    dense_block = block @ np.eye(shape[1])
    expected = np.linalg.svd(roots[0] @ dense_block @ roots[1], compute_uv=False)
    wanted = min(count, *shape)
    assert found.converged
    np.testing.assert_allclose(found.values, expected[:wanted], rtol=1e-9, atol=1e-9 * expected[0])
    for metric, vectors in zip(metrics, (found.left, found.right), strict=True):
        lengths = np.diag(np.where(found.values > 1e-9 * expected[0], 1.0, np.nan))
        product = vectors.T @ (metric @ vectors)
        kept = ~np.isnan(np.diag(lengths))
        np.testing.assert_allclose(product[np.ix_(kept, kept)], np.eye(kept.sum()), atol=1e-8)
    np.testing.assert_allclose(
        dense_block @ found.right, (metrics[0] @ found.left) * found.values, atol=1e-8 * expected[0]
    )
