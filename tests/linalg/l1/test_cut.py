"""Penalised cuts: their steps go down, end where cvxpy's do, and their gaps are true."""

from collections.abc import Callable
from time import process_time

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.sparse import block_diag, csr_array
from sklearn.datasets import load_breast_cancer, load_wine

from graphmine.errors import SizeError
from graphmine.linalg.l1.cut import DAMPING, CutPoint, InnerSolution, InnerSolver, PenalisedCut, inner_gap, l1_cut
from graphmine.linalg.l1.dual import BoxDual
from graphmine.linalg.l1.first_order import FirstOrder
from graphmine.linalg.l1.reference import Reference
from graphmine.linalg.l1.start import free_cut
from tests.linalg.l1.random_cuts import drawn, similarity, start_of

Made = Callable[[PenalisedCut], InnerSolver]

every_solver = pytest.mark.parametrize("made", [BoxDual, FirstOrder, Reference])


def labelled(load: Callable[..., tuple[np.ndarray, np.ndarray]], share: float, lam: float) -> PenalisedCut:
    """Return a set's first two classes as a graph, with random pairs among a share of its points."""
    points, classes = load(return_X_y=True)
    points, classes = points[classes < 2], classes[classes < 2]
    rng, n = np.random.default_rng(0), int(np.count_nonzero(classes < 2))
    known = rng.choice(n, int(share * n), replace=False)
    one, two = np.triu_indices(len(known), 1)
    chosen = rng.choice(len(one), n // 4, replace=False)
    ends = np.stack([known[one[chosen]], known[two[chosen]]], axis=1)
    graph = similarity(points)
    bounds = np.full(len(ends), lam * np.sqrt(graph.sum()) / n)
    return PenalisedCut(graph, ends, classes[ends[:, 0]] == classes[ends[:, 1]], bounds)


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("lam", [0.02, 0.2])
def test_the_dual_ends_where_cvxpy_does(
    load: Callable[..., tuple[np.ndarray, np.ndarray]], lam: float, capsys: pytest.CaptureFixture[str]
) -> None:
    cut, seconds = labelled(load, 0.3, lam), []
    found = []
    for made in (BoxDual, Reference):
        started = process_time()
        found.append(l1_cut(cut, start_of(cut), made(cut)))
        seconds.append(process_time() - started)
    dual, reference = found
    with capsys.disabled():
        print(f" {load.__name__}, λ {lam}: cvxpy takes {seconds[1] / seconds[0]:.0f} times as long")
    assert dual.converged
    assert dual.trace[-1] == pytest.approx(reference.trace[-1], abs=1e-7)
    assert dual.gap <= 1e-8 * dual.trace[-1]
    assert 0 < np.count_nonzero(dual.z) < len(dual.z)
    assert np.count_nonzero((dual.z != 0) != (reference.z != 0)) <= 1


@every_solver
@pytest.mark.parametrize("seed", range(4))
def test_every_step_goes_down(made: Made, seed: int) -> None:
    cut = drawn(25, 12, seed)
    start = cut.feasible(np.random.default_rng(seed).standard_normal(25))
    found = l1_cut(cut, start, made(cut))
    assert found.converged
    assert found.trace[0] == pytest.approx(cut.value(start))
    assert np.all(np.diff(found.trace) < 0)
    assert found.trace[-1] < found.trace[0] - 1e-3
    assert found.x @ (cut.degrees * found.x) == pytest.approx(1)
    assert cut.degrees @ found.x == pytest.approx(0, abs=1e-8)


@every_solver
def test_a_path_of_bounds_ends_where_single_fits_do(made: Made) -> None:
    whole = drawn(25, 12, 3, lam=0.2)
    first = whole.with_bounds(0.01 * whole.bounds)
    y, solve, dual = start_of(whole), made(first), None
    for factor in (0.0, 0.1, 0.3, 1.0, 5.0):
        cut = whole.with_bounds(factor * whole.bounds)
        warm = l1_cut(cut, y, solve.with_bounds(cut), dual=dual)
        anew = PenalisedCut(whole.graph, whole.ends, whole.alike, factor * whole.bounds)
        cold = l1_cut(anew, y, made(anew))
        assert warm.trace[-1] == pytest.approx(cold.trace[-1], abs=1e-6)
        assert np.all(np.abs(warm.dual) <= cut.bounds * (1 + 1e-12))
        y, dual = cut.feasible(warm.x * np.sqrt(cut.degrees)), warm.dual
    assert np.count_nonzero(warm.z) < np.count_nonzero(whole.rows @ start_of(whole))


@every_solver
def test_bounds_of_nothing_leave_the_free_vector(made: Made) -> None:
    cut = drawn(25, 12, 0)
    none, start = cut.with_bounds(np.zeros(12)), start_of(cut)
    found = l1_cut(none, start, made(cut).with_bounds(none), dual=cut.bounds)
    assert found.converged
    assert found.trace[-1] == pytest.approx((1 - np.linalg.eigvalsh(cut.adjacency.toarray())[-2]) / 2, abs=1e-9)
    assert abs(found.x @ (np.sqrt(cut.degrees) * start)) == pytest.approx(1, abs=1e-6)
    assert not found.dual.any()


def test_other_bounds_share_what_does_not_depend_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = drawn(25, 12, 0)
    other, solve = cut.with_bounds(2 * cut.bounds), BoxDual(cut)
    assert other.adjacency is cut.adjacency
    assert other.rows is cut.rows
    monkeypatch.delattr("graphmine.linalg.l1.dual._dense")  # no factor is made again
    one, two = (l1_cut(each, start_of(cut), solve.with_bounds(each)) for each in (cut, other))
    assert one.trace[-1] < two.trace[-1]
    first = solve(cut.point(start_of(cut)), np.zeros(12), 1e-12)  # the first solver is what it was
    assert first.gap <= 1e-12
    assert np.all(np.abs(first.dual) <= cut.bounds * (1 + 1e-12))


def inner_value(cut: PenalisedCut, y: np.ndarray, damping: float = DAMPING) -> float:
    return cut.value(y) + damping * float(y @ y)


@pytest.mark.parametrize("seed", range(8))
def test_a_solution_is_feasible_and_its_gap_is_true(seed: int) -> None:
    cut = drawn(20, 10, seed, lam=0.5)
    y = cut.feasible(np.random.default_rng(seed).standard_normal(20))
    solvers = BoxDual(cut, shift=0.0), FirstOrder(cut)
    exact, rough = (solve(cut.point(y), np.zeros(10), 1e-12) for solve in solvers)
    for found in (exact, rough):
        assert y @ found.point.y == pytest.approx(1)
        assert cut.trivial @ found.point.y == pytest.approx(0, abs=1e-10)
        assert np.all(np.abs(found.dual) <= cut.bounds * (1 + 1e-12))
    assert 0 <= exact.gap + 1e-15 <= 1e-12
    assert inner_value(cut, rough.point.y) < inner_value(cut, y)  # one step is not the solution, but on the way to it
    # No other feasible point is lower by more than the gap, be it a random one or the other solver's.
    rng = np.random.default_rng(seed)
    least = inner_value(cut, exact.point.y)
    assert inner_value(cut, rough.point.y) - rough.gap <= least
    for size in (1e-4, 1e-2, 1.0):
        step = rng.standard_normal(20)
        step -= cut.trivial * (cut.trivial @ step) + y * (y @ step)
        assert inner_value(cut, exact.point.y + size * step) >= least - exact.gap - 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_a_shifted_problem_has_a_true_gap_and_a_step_down(seed: int) -> None:
    cut, rng = drawn(20, 10, seed, lam=0.5), np.random.default_rng(seed)
    here, solve = cut.point(cut.feasible(rng.standard_normal(20))), BoxDual(cut)
    assert solve.damping < -0.01
    exact, rough = (solve(here, np.zeros(10), enough) for enough in (1e-12, 1e-2))
    least = inner_value(cut, exact.point.y, solve.damping)
    assert exact.gap <= 1e-12
    assert -1e-14 <= inner_value(cut, rough.point.y, solve.damping) - least <= rough.gap + 1e-12
    for size in (1e-4, 1e-2, 1.0):
        step = rng.standard_normal(20)
        step -= cut.trivial * (cut.trivial @ step) + here.y * (here.y @ step)
        other = exact.point.y + size * step
        assert inner_value(cut, other, solve.damping) >= least - exact.gap - 1e-12
        wrong, curvature = cut.bounds * rng.uniform(-1, 1, 10), solve._factor.curvature
        gap = inner_gap(cut, here.y, cut.point(other), wrong, damping=solve.damping, curvature=curvature)
        assert inner_value(cut, other, solve.damping) - least <= gap + 1e-12
    assert cut.value(cut.feasible(exact.point.y)) < cut.value(here.y)


def curvature_of(cut: PenalisedCut, damping: float) -> float:
    """Return the least curvature of an inner problem among vectors orthogonal to the trivial one."""
    H = (1 + 2 * damping) * np.eye(len(cut.degrees)) - cut.adjacency.toarray() + 3 * np.outer(cut.trivial, cut.trivial)
    return float(np.linalg.eigvalsh(H)[0])


@pytest.mark.parametrize("guess", [0.0, 0.5, 0.95, 1.0])  # from too bold a shift to none
@pytest.mark.parametrize("seed", range(4))
def test_a_shift_leaves_the_curvature_that_is_reckoned_with(
    seed: int, guess: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = drawn(30, 15, seed, lam=0.3)
    plain = l1_cut(cut, start_of(cut), BoxDual(cut, shift=0.0))
    monkeypatch.setattr("graphmine.linalg.l1.dual._leading", lambda *_: guess)
    solve = BoxDual(cut)
    assert DAMPING <= solve._factor.curvature <= curvature_of(cut, solve.damping) + 1e-12
    found = l1_cut(cut, start_of(cut), solve)
    assert found.converged
    assert np.all(np.diff(found.trace) < 0)
    assert found.trace[-1] == pytest.approx(plain.trace[-1], abs=1e-8)


def test_a_shift_saves_outer_steps_on_similarities() -> None:
    cut = labelled(load_wine, 0.3, 0.2)
    plain, shifted = (l1_cut(cut, start_of(cut), BoxDual(cut, shift=shift)) for shift in (0.0, 0.8))
    assert len(shifted.trace) < 0.7 * len(plain.trace)
    assert shifted.trace[-1] == pytest.approx(plain.trace[-1], abs=1e-9)


def test_a_graph_in_parts_is_not_shifted_by_much() -> None:
    graph = csr_array(block_diag([drawn(9, 1, 0).graph, drawn(5, 1, 1).graph], format="csr"))
    cut = PenalisedCut(graph, np.array([[0, 1], [2, 10]]), np.array([True, True]), np.full(2, 0.1))
    solve = BoxDual(cut)
    assert solve._factor.curvature <= curvature_of(cut, solve.damping) + 1e-12
    assert l1_cut(cut, free_cut(cut, np.random.default_rng(0)).y, solve).converged


@pytest.mark.parametrize("seed", range(8))
def test_first_order_steps_come_as_near_as_they_say(seed: int) -> None:
    cut = drawn(40, 30, seed, lam=0.3)
    dual, rough = (l1_cut(cut, start_of(cut), made(cut)) for made in (BoxDual, FirstOrder))
    assert rough.converged
    assert rough.gap <= 1e-8 * rough.trace[-1]
    assert rough.trace[-1] == pytest.approx(dual.trace[-1], abs=1e-7)


def tied(n: int, size: int) -> PenalisedCut:
    """Return a random graph with stars of pairs, whose duals are slow to find."""
    cut, rng = drawn(n, 1, 0), np.random.default_rng(1)
    groups = rng.permutation(n)[: n // size * size].reshape(-1, size)
    ends = np.concatenate([np.stack([np.full(size - 1, group[0]), group[1:]], axis=1) for group in groups])
    return PenalisedCut(cut.graph, ends, np.ones(len(ends), dtype=np.bool_), np.full(len(ends), 0.3))


@pytest.mark.parametrize("made", [BoxDual, FirstOrder])
def test_long_strides_keep_the_vector_feasible_and_its_objective_true(made: Made) -> None:
    cut = tied(120, 30)
    found = l1_cut(cut, start_of(cut), made(cut), tolerance=1e-12)
    assert found.converged
    assert np.all(np.diff(found.trace) < 0)
    assert found.trace[-1] == pytest.approx(cut.value(found.x * np.sqrt(cut.degrees)), abs=1e-12)
    assert found.x @ (cut.degrees * found.x) == pytest.approx(1, abs=1e-12)
    assert cut.degrees @ found.x == pytest.approx(0, abs=1e-9)


def test_points_have_the_images_that_products_give() -> None:
    cut, rng = drawn(20, 6, 0), np.random.default_rng(0)
    one, two = (cut.point(rng.standard_normal(20)) for _ in range(2))
    found = one.towards(two, 5.0)
    assert np.allclose(found.y * np.linalg.norm(one.y + 5 * (two.y - one.y)), one.y + 5 * (two.y - one.y))
    assert np.allclose(found.image, cut.adjacency @ found.y, atol=1e-14)
    assert np.allclose(found.z, cut.rows @ found.y, atol=1e-14)
    assert found.error == pytest.approx(9 / np.linalg.norm(one.y + 5 * (two.y - one.y)))


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_bounds_what_cvxpy_finds_and_tells_a_wrong_dual(seed: int) -> None:
    cut, rng = drawn(20, 10, seed, lam=0.5), np.random.default_rng(seed)
    here = cut.point(cut.feasible(rng.standard_normal(20)))
    exact = Reference(cut)(here, np.zeros(10), 0.0)
    least = inner_value(cut, exact.point.y)
    rough = FirstOrder(cut)(here, np.zeros(10), 1e-3)
    for point, dual in (
        (rough.point, rough.dual),
        (rough.point, cut.bounds * rng.uniform(-1, 1, 10)),
        (here, exact.dual),
        (exact.point, -exact.dual),
    ):
        assert inner_value(cut, point.y) - least <= inner_gap(cut, here.y, point, dual) + 1e-10
    assert exact.gap <= 1e-8
    assert inner_gap(cut, here.y, exact.point, -exact.dual) > 1e-3


def test_steps_that_are_too_few_are_not_said_to_have_converged() -> None:
    cut = drawn(40, 30, 0, lam=0.3)
    found = l1_cut(cut, start_of(cut), FirstOrder(cut), max_steps=3)
    assert not found.converged
    assert found.gap > 1e-8


class Vain(BoxDual):
    """Brings nothing, and says that it might be far from the best."""

    def __call__(self, here: CutPoint, dual: np.ndarray, enough: float) -> InnerSolution:
        """Return the start."""
        return InnerSolution(here, dual, 1.0)


def test_a_solver_that_brings_nothing_ends_without_having_converged() -> None:
    cut = drawn(10, 4, 0)
    found = l1_cut(cut, start_of(cut), Vain(cut))
    assert not found.converged
    assert found.gap == 1.0
    assert len(found.trace) == 1


@every_solver
def test_the_same_start_ends_at_the_same_vector(made: Made) -> None:
    cut = drawn(25, 12, 5)
    one, two = (l1_cut(cut, start_of(cut), made(cut)) for _ in range(2))
    assert np.array_equal(one.x, two.x)
    assert one.trace == two.trace


def test_dense_and_sparse_factors_solve_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = drawn(60, 25, 2, lam=0.3)
    here, dual = cut.point(start_of(cut)), np.zeros(25)
    dense = BoxDual(cut, shift=0.0)(here, dual, 1e-13)
    monkeypatch.setattr("graphmine.linalg.l1.dual._FEW", 0)
    monkeypatch.setattr("graphmine.linalg.l1.dual._FULL", 1.0)
    monkeypatch.delattr("graphmine.linalg.l1.dual._dense")
    sparse = BoxDual(cut)(here, dual, 1e-13)
    assert np.allclose(dense.point.y, sparse.point.y, atol=1e-9)
    assert np.allclose(dense.dual, sparse.dual, atol=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_tiny_graphs_have_no_better_vector(seed: int) -> None:
    cut = drawn(3, 2, seed, lam=0.6)
    basis = np.linalg.svd(cut.trivial[None])[2][1:]  # the feasible vectors are a circle

    def at(angle: float) -> np.ndarray:
        return np.asarray(basis.T @ [np.cos(angle), np.sin(angle)])

    angles, width = np.linspace(0, np.pi, 2001, retstep=True)
    near = min(angles, key=lambda angle: cut.value(at(angle)))
    bounds, (along, across) = (near - width, near + width), (cut.rows @ basis.T).T
    smooth = minimize_scalar(lambda angle: cut.value(at(angle)), bounds=bounds, method="bounded").fun
    least = min(smooth, *(cut.value(at(angle)) for angle in np.arctan2(-along, across)))  # pairs that are met
    solve = BoxDual(cut)
    found = min(l1_cut(cut, at(angle), solve).trace[-1] for angle in angles[::100])
    assert found == pytest.approx(least, abs=1e-8)


def test_without_pairs_it_is_the_second_eigenvector() -> None:
    cut = PenalisedCut.free(drawn(20, 1, 0).graph)
    found = l1_cut(cut, cut.feasible(np.arange(20.0)), BoxDual(cut))
    assert found.converged
    assert found.trace[-1] == pytest.approx((1 - np.linalg.eigvalsh(cut.adjacency.toarray())[-2]) / 2, abs=1e-9)


def test_products_with_pairs_are_those_of_their_rows() -> None:
    cut, rng = drawn(20, 30, 0), np.random.default_rng(0)
    y, columns, dual = rng.standard_normal(20), rng.standard_normal((20, 4)), rng.standard_normal(30)
    assert np.allclose(cut.pair_values(y), cut.rows @ y, atol=1e-14)
    assert np.allclose(cut.pair_values(columns), cut.rows @ columns, atol=1e-14)
    assert np.allclose(cut.pair_forces(dual), cut.rows.T @ dual, atol=1e-14)


def test_without_bounds_it_is_the_second_eigenvector() -> None:
    cut = drawn(30, 8, 0, lam=1e-12)
    found = l1_cut(cut, cut.feasible(np.random.default_rng(0).standard_normal(30)), BoxDual(cut), tolerance=1e-14)
    assert found.trace[-1] == pytest.approx((1 - np.linalg.eigvalsh(cut.adjacency.toarray())[-2]) / 2, abs=1e-9)


def test_with_large_bounds_all_pairs_that_can_be_met_are() -> None:
    cut = drawn(30, 8, 1, lam=100.0)
    found = l1_cut(cut, start_of(cut), BoxDual(cut))
    assert not found.z.any()
    signs = np.where(cut.alike, -1.0, 1.0)
    assert np.allclose(signs * found.x[cut.ends[:, 0]] + found.x[cut.ends[:, 1]], 0, atol=1e-9)


def test_pairs_that_contradict_each_other_are_never_all_met() -> None:
    graph = drawn(12, 1, 0).graph
    both = PenalisedCut(graph, np.array([[0, 5], [0, 5]]), np.array([True, False]), np.array([0.4, 0.1]))
    found = l1_cut(both, start_of(both), BoxDual(both))
    assert found.z[0] == 0  # the heavier one
    assert found.converged


def test_a_graph_in_parts_has_its_heaviest_part_for_a_start() -> None:
    one, two = drawn(9, 1, 0).graph, drawn(5, 1, 1).graph
    cut = PenalisedCut.free(csr_array(block_diag([two, one], format="csr")))
    start = free_cut(cut, np.random.default_rng(0))
    assert start.likeness == 1
    assert start.y @ start.y == pytest.approx(1)
    assert start.y @ cut.trivial == pytest.approx(0, abs=1e-12)
    assert len(np.unique(np.sign(start.y[:5]))) == len(np.unique(np.sign(start.y[5:]))) == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_start_is_the_second_eigenvector(seed: int) -> None:
    cut = PenalisedCut.free(drawn(30, 1, seed).graph)
    start = free_cut(cut, np.random.default_rng(seed))
    assert start.likeness == pytest.approx(np.linalg.eigvalsh(cut.adjacency.toarray())[-2])
    assert abs(start.y @ start_of(cut)) == pytest.approx(1)


def test_a_large_graph_has_nearly_the_same_start(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = PenalisedCut.free(drawn(30, 1, 0).graph)
    monkeypatch.setattr("graphmine.linalg.l1.start._LARGE", 0)
    one, two = (free_cut(cut, np.random.default_rng(0)) for _ in range(2))
    assert one.converged
    assert np.array_equal(one.y, two.y)
    assert one.y @ cut.trivial == pytest.approx(0, abs=1e-12)
    assert abs(one.y @ start_of(cut)) == pytest.approx(1, abs=1e-6)


@every_solver
def test_constant_features_leave_it_to_the_pairs(made: Made) -> None:
    graph = similarity(np.ones((10, 3)))
    assert np.allclose(graph.toarray(), 1 - np.eye(10))
    cut = PenalisedCut(graph, np.array([[0, 1], [0, 2]]), np.array([True, False]), np.full(2, 0.5))
    found = l1_cut(cut, cut.feasible(np.arange(10.0)), made(cut))
    assert np.all(np.isfinite(found.x))
    assert not found.z.any()


def test_a_dual_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmine.linalg.resources.available_memory", lambda: 1000)
    with pytest.raises(
        SizeError, match=r"^the dual of 5 pairs would take .* use the first-order solver or fewer links$"
    ):
        BoxDual(drawn(10, 5, 0))
