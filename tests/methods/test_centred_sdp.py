"""The reference of CBGC against its own dual, searched by hand, and against what a relaxation must be."""

import numpy as np
import pytest

from graphmine.linalg.star.balance import balance_arms
from tests.linalg.random_blocks import SIZES, equal_weights, random_star
from tests.linalg.star.random_stars import least_sum_by_hand, pencil_of, written_out
from tests.methods.centred_sdp import centred_sdp


@pytest.mark.parametrize(("n_rows", "widths"), [(8, (9,)), *SIZES])
def test_the_program_and_its_dual_have_one_value(n_rows: int, widths: tuple[int, ...]) -> None:
    arms = random_star(n_rows, widths, 1)
    beta = equal_weights(arms).tolist()
    assert centred_sdp(arms, beta).value == pytest.approx(1 - least_sum_by_hand(arms, beta, 1), abs=1e-8)


@pytest.mark.parametrize("beta", [(0.1, 0.9), (0.7, 0.3)])
def test_the_value_follows_the_weights_of_the_arms(beta: tuple[float, float]) -> None:
    arms = random_star(8, (3, 6), 2)
    assert centred_sdp(arms, beta).value == pytest.approx(1 - least_sum_by_hand(arms, beta, 1), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("widths", [(66, 68), (50, 40, 44)])
def test_the_program_and_its_dual_have_one_value_on_two_hundred_nodes(widths: tuple[int, ...]) -> None:
    arms = random_star(200 - sum(widths), widths, 1)
    beta = equal_weights(arms).tolist()
    assert centred_sdp(arms, beta).value == pytest.approx(1 - least_sum_by_hand(arms, beta, 1), abs=1e-8)


@pytest.mark.parametrize(("n_rows", "widths"), [*SIZES, pytest.param(66, (66, 68), marks=pytest.mark.slow)])
def test_eigenvectors_in_balance_reach_the_value(n_rows: int, widths: tuple[int, ...]) -> None:
    arms = random_star(n_rows, widths, 1)
    beta = equal_weights(arms).tolist()
    found = balance_arms(pencil_of(arms, beta), 1, np.random.default_rng(0), tolerance=1e-10)
    assert 1 - found.values[0] == pytest.approx(centred_sdp(arms, beta).value, abs=1e-7)


@pytest.mark.parametrize(("n_rows", "widths"), SIZES)
def test_omega_is_feasible_and_has_the_value(n_rows: int, widths: tuple[int, ...]) -> None:
    arms = random_star(n_rows, widths, 3)
    beta = equal_weights(arms)
    found, (A, P) = centred_sdp(arms, beta.tolist()), written_out(arms, beta.tolist())
    assert np.sum((np.tensordot(beta, P, 1) - A) * found.Omega) == pytest.approx(found.value, abs=1e-7)
    np.testing.assert_allclose(np.sum(P * found.Omega, axis=(1, 2)), 1.0, atol=1e-7)
    values = np.linalg.eigvalsh(found.Omega)
    assert values[0] > -1e-7 * values[-1]


@pytest.mark.parametrize("seed", range(3))
def test_two_arms_leave_nothing_to_relax(seed: int) -> None:
    """Ω is of rank one, so that its vector solves problem (12) itself."""
    arms = random_star(8, (3, 6), seed)
    values = np.linalg.eigvalsh(centred_sdp(arms, equal_weights(arms).tolist()).Omega)
    assert values[-2] < 1e-4 * values[-1]
