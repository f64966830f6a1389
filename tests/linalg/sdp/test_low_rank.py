"""The low-rank form: the same optimum as the printed program, proved, repeatable, and on large networks too."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.errors import DataError, ParameterError
from graphmine.linalg.sdp import low_rank
from graphmine.linalg.sdp.low_rank import lowrank_sdp
from graphmine.linalg.sdp.semidefinite import printed_sdp
from graphmine.linalg.sdp.surface import Surface
from graphmine.linalg.sdp.trust_region import minimise
from graphmine.linalg.star.cut_ratios import CutRatios, RelaxedSolution
from tests.linalg.random_blocks import SIZES, dense_forms, equal_weights, random_star, side_by_side

THETA = (1.0, 1.0)


def low(arms: list[csr_array], beta: Floats | None = None, seed: int = 0, rank: int | None = None) -> RelaxedSolution:
    weights = equal_weights(arms) if beta is None else beta
    return lowrank_sdp(arms, weights, THETA, rng=np.random.default_rng(seed), rank=rank)


def assert_same(found: RelaxedSolution, printed: RelaxedSolution) -> None:
    assert found.converged
    assert printed.converged
    assert found.value == pytest.approx(printed.value, abs=1e-6 * max(1.0, abs(printed.value)))


@pytest.mark.parametrize(("n_rows", "widths"), [*SIZES, (8, (9,))])
def test_value_and_embedding_are_those_of_the_printed_program(n_rows: int, widths: tuple[int, ...]) -> None:
    arms = random_star(n_rows, widths, 1)
    found, printed = low(arms), printed_sdp(arms, equal_weights(arms))
    assert_same(found, printed)
    np.testing.assert_allclose(found.embedding, printed.embedding, atol=1e-3 * np.abs(printed.embedding).max())


@pytest.mark.slow
@pytest.mark.parametrize("widths", [(66, 68), (50, 40, 44)])
def test_value_is_that_of_the_printed_program_on_two_hundred_nodes(widths: tuple[int, ...]) -> None:
    arms = random_star(200 - sum(widths), widths, 1)
    assert_same(low(arms), printed_sdp(arms, equal_weights(arms)))


@pytest.mark.parametrize("beta", [(0.0, 1.0), (1.0, 0.0), (0.001, 0.999)])
def test_a_block_may_count_for_nothing(beta: tuple[float, float]) -> None:
    arms = random_star(8, (3, 6), 1)
    assert_same(low(arms, np.array(beta)), printed_sdp(arms, np.array(beta)))


@pytest.mark.parametrize("n_parts", [2, 3])
def test_networks_in_parts(n_parts: int) -> None:
    arms = side_by_side(*(random_star(6 - part, (4, 5 - part), part) for part in range(n_parts)))
    assert_same(low(arms), printed_sdp(arms, equal_weights(arms)))


def test_constraints_are_met_as_well_as_rounding_allows() -> None:
    arms = random_star(66, (66, 68), 3)
    found = low(arms)
    _, weights = dense_forms(arms, equal_weights(arms))
    assert found.violation < 1e-12
    np.testing.assert_allclose(weights @ found.embedding / weights.sum(axis=1), 0.0, atol=1e-13)
    assert 2 * found.embedding.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_start_does_not_decide_where_it_ends(seed: int) -> None:
    first, other = low(random_star(20, (16, 21), 1), seed=0), low(random_star(20, (16, 21), 1), seed=seed + 1)
    assert other.value == pytest.approx(first.value, abs=1e-10)
    np.testing.assert_allclose(other.embedding, first.embedding, atol=1e-6 * np.abs(first.embedding).max())


def test_a_local_optimum_is_not_taken_for_the_optimum() -> None:
    """Two columns are stuck from this start; one more leads out."""
    arms = random_star(20, (16, 21), 1)
    stuck, free = low(arms, rank=2), low(arms)
    assert not stuck.converged
    assert free.converged
    assert stuck.value > free.value + 1e-3
    assert stuck.gap is not None
    assert stuck.gap >= stuck.value - free.value


def test_the_bound_on_what_is_left_holds_wherever_the_descent_is_stopped() -> None:
    arms = random_star(20, (16, 21), 1)
    ratios, best = CutRatios(arms, equal_weights(arms)), low(arms).value
    surface, rng = Surface.of(ratios, THETA), np.random.default_rng(0)
    start = surface.start(rng)
    assert start is not None
    point = surface.point(start)
    for _ in range(12):
        gap = low_rank._gap(float(np.linalg.norm(point.gradient)), low_rank._least(surface, point, rng), 2)
        assert point.value - gap <= best <= point.value + 1e-10
        point = minimise(surface, point, max_steps=2)


def test_derivatives_are_those_of_the_value() -> None:
    surface = Surface.of(CutRatios(random_star(8, (3, 6), 1), np.array([0.3, 0.7])), THETA)
    rng = np.random.default_rng(0)
    start = surface.start(rng)
    assert start is not None
    point = surface.point(start)
    way = surface.tangent(point, rng.standard_normal(start.shape))
    values = []
    for step in (-1e-3, 1e-3):
        place = surface.retract(start + step * way, point.normals)
        assert place is not None
        values.append(surface.point(place).value)
    slope, bend = 2 * np.sum(point.gradient * way), 2 * np.sum(way * surface.hessian_product(point, way))
    assert (values[1] - values[0]) / 2e-3 == pytest.approx(slope, rel=1e-3)
    assert (values[1] + values[0] - 2 * point.value) / 1e-6 == pytest.approx(bend, rel=1e-3)


@pytest.mark.parametrize("solver", [low, lambda arms: printed_sdp(arms, equal_weights(arms))])
def test_permuted_nodes_permute_the_embedding(solver: object) -> None:
    assert callable(solver)
    arms, rng = random_star(8, (3, 6), 2), np.random.default_rng(4)
    rows, first, second = (rng.permutation(size) for size in (8, 3, 6))
    there = np.concatenate([rows, 8 + first, 11 + second])
    plain = solver(arms).embedding
    moved = solver([csr_array(arms[0][rows][:, first]), csr_array(arms[1][rows][:, second])]).embedding
    np.testing.assert_allclose(moved, plain[there], atol=1e-4 * np.abs(plain).max())


@pytest.mark.parametrize("widths", [(4,), (4, 3)])
def test_a_network_without_structure_has_the_same_value(widths: tuple[int, ...]) -> None:
    arms = [csr_array(np.ones((5, width))) for width in widths]
    assert_same(low(arms), printed_sdp(arms, equal_weights(arms)))


def test_the_sign_of_the_bound_is_that_of_the_embedding() -> None:
    arms = random_star(8, (3, 6), 1)
    turned = lowrank_sdp(arms, equal_weights(arms), (-1.0, 1.0), rng=np.random.default_rng(0))
    np.testing.assert_allclose(turned.embedding, -low(arms).embedding, atol=1e-6)


def test_same_generator_same_bits_and_every_step_is_told() -> None:
    told: list[int] = []
    arms = random_star(20, (16, 21), 1)
    noted = lowrank_sdp(
        arms,
        equal_weights(arms),
        rng=np.random.default_rng(5),
        progress=lambda what, done, total=None: told.append(done),
    )
    assert np.array_equal(noted.embedding, low(arms, seed=5).embedding)
    assert told == list(range(1, len(told) + 1))
    assert told


@pytest.mark.parametrize(("side", "theta"), [(1, (1.0, 1.0)), (4, (1.0, 1.0))])
def test_a_network_without_any_solution_is_told_apart(side: int, theta: tuple[float, float]) -> None:
    with pytest.raises(DataError, match="keeps the bounds theta"):
        lowrank_sdp([csr_array(np.ones((side, side)))], np.ones(1), theta, rng=np.random.default_rng(0))


def test_bounds_beyond_the_network_have_no_solution() -> None:
    arms = random_star(8, (3, 6), 1)
    with pytest.raises(DataError, match="keeps the bounds theta"):
        lowrank_sdp(arms, equal_weights(arms), (1.0, 5000.0), rng=np.random.default_rng(0))
    with pytest.raises(ParameterError, match="theta must be"):
        lowrank_sdp(arms, equal_weights(arms), (0.0, 1.0), rng=np.random.default_rng(0))


def test_ten_thousand_nodes_are_solved_and_proved() -> None:
    rng = np.random.default_rng(0)
    fields, arms = rng.integers(2, size=3000), []
    for width in (1000, 6000):
        rows = np.repeat(np.arange(3000), 8)
        strayed = rng.random(len(rows)) < 0.3
        cols = 2 * rng.integers(width // 2, size=len(rows)) + np.where(
            strayed, rng.integers(2, size=len(rows)), fields[rows]
        )
        rows, cols = np.append(rows, rng.integers(3000, size=width)), np.append(cols, np.arange(width))
        arms.append(csr_array((np.ones(len(rows)), (rows, cols)), shape=(3000, width)))
    found = low(arms)
    assert found.converged
    assert found.violation < 1e-10


def test_the_result_is_of_plain_numbers_and_a_rank_below_two_is_none() -> None:
    arms = [csr_array(np.ones((5, 4)))]
    found = low(arms)
    assert (type(found.converged), type(found.gap)) == (bool, float)
    with pytest.raises(ParameterError, match="rank must be a whole number of at least 2, was 1"):
        low(arms, rank=1)
