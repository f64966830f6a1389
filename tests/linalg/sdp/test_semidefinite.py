"""The printed program: its constraints counted apart, what it refuses, and that its units change nothing."""

import importlib
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.errors import DataError, GraphmineError, ParameterError, SizeError
from graphmine.linalg import resources
from graphmine.linalg.resources import available_memory
from graphmine.linalg.sdp import semidefinite
from graphmine.linalg.sdp.semidefinite import printed_sdp
from tests.linalg.random_blocks import SIZES, dense_forms, equal_weights, random_star

cp: Any = importlib.import_module("cvxpy")  # half of its functions are untyped

THETA = (1.0, 1.0)


def as_printed(arms: list[csr_array], beta: Floats, theta: tuple[float, float]) -> tuple[Floats, float]:
    """Return W and the value, every line of (17) with the very matrices that the paper prints."""
    Gamma, weights = dense_forms(arms, beta)
    size = len(Gamma)
    W = cp.Variable((size + 1, size + 1), PSD=True)

    def form(corner: float, edge: Floats, inside: Floats) -> Any:
        return cp.sum(cp.multiply(np.block([[np.array([[corner]]), edge[None]], [edge[:, None], inside]]), W))

    none, nothing, e = np.zeros(size), np.zeros((size, size)), np.ones(size)
    lines = [form(-diagonal.sum(), none, np.diag(diagonal)) == 0 for diagonal in weights]
    lines += [form(0.0, diagonal / 2, nothing) == 0 for diagonal in weights]
    lines += [form(1.0, none, nothing) == 1, form(0.0, e, nothing) == theta[0]]
    lines += [form(0.0, none, np.ones((size, size))) == theta[1]]
    program = cp.Problem(cp.Minimize(form(0.0, none, Gamma)), lines)
    program.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return np.asarray(W.value), float(program.value)


@pytest.mark.parametrize("theta", [(1.0, 1.0), (-2.0, 10.0)])
@pytest.mark.parametrize(("n_rows", "widths"), [(8, (3, 6)), (8, (9,)), (6, (4, 3, 4))])
def test_it_is_the_problem_that_the_paper_prints(
    n_rows: int, widths: tuple[int, ...], theta: tuple[float, float]
) -> None:
    arms = random_star(n_rows, widths, 1)
    W, value = as_printed(arms, equal_weights(arms), theta)
    found = printed_sdp(arms, equal_weights(arms), theta)
    assert found.converged
    assert found.value == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(found.embedding, W[1:, 0], atol=1e-3 * np.abs(W[1:, 0]).max())


@pytest.mark.parametrize(("n_rows", "widths"), SIZES)
def test_the_embedding_is_balanced_in_every_block_and_has_its_sum(n_rows: int, widths: tuple[int, ...]) -> None:
    arms = random_star(n_rows, widths, 2)
    found = printed_sdp(arms, equal_weights(arms), THETA)
    _, weights = dense_forms(arms, equal_weights(arms))
    assert found.converged
    assert found.violation <= 1e-6
    np.testing.assert_allclose(weights @ found.embedding / weights.sum(axis=1), 0.0, atol=1e-7)
    assert 2 * found.embedding.sum() == pytest.approx(1.0, abs=1e-6)


def test_too_few_steps_are_no_convergence_and_are_seen_in_the_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semidefinite, "_SMALL", 0)
    arms = random_star(8, (3, 6), 1)
    short, long = (printed_sdp(arms, equal_weights(arms), max_steps=steps) for steps in (50, 20_000))
    assert not short.converged
    assert long.converged
    assert long.violation < 1e-6
    assert short.violation > 1e-3


def test_both_solvers_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    arms = random_star(8, (3, 6), 1)
    clarabel = printed_sdp(arms, equal_weights(arms))
    monkeypatch.setattr(semidefinite, "_SMALL", 0)
    assert printed_sdp(arms, equal_weights(arms)).value == pytest.approx(clarabel.value, abs=1e-8)


def test_what_does_not_fit_in_memory_is_refused_before_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available_memory", lambda: 1_000_000)
    told = r"the semidefinite program of 17 nodes would take about 0\.00168 GB of memory, and 0\.001 GB are available"
    arms = random_star(8, (3, 6), 1)
    with pytest.raises(SizeError, match=told) as caught:
        printed_sdp(arms, equal_weights(arms))
    assert caught.value.exit_code == 4
    assert isinstance(caught.value, GraphmineError)


def test_a_vast_program_is_refused_on_every_machine() -> None:
    vast = csr_array((np.ones(100_000), (np.arange(100_000), np.arange(100_000) % 7)), shape=(100_000, 7))
    assert available_memory() < 1e13
    with pytest.raises(SizeError, match="use the low-rank solver or a smaller network"):
        printed_sdp([vast], np.ones(1))


@pytest.mark.parametrize("n_nodes", [1, 4])
def test_a_network_without_any_solution_is_told_apart(n_nodes: int) -> None:
    with pytest.raises(DataError, match="keeps the bounds theta"):
        printed_sdp([csr_array(np.ones((n_nodes, n_nodes)))], np.ones(1))


def test_bad_bounds_are_refused() -> None:
    with pytest.raises(ParameterError, match="theta must be"):
        printed_sdp(random_star(8, (3, 6), 1), np.full(2, 0.5), (4.0, 1.0))
