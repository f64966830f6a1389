"""The forms of a sum of cut ratios, against their definition."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.errors import ParameterError
from graphmine.linalg.star.cut_ratios import CutRatios, check_theta
from tests.linalg.random_blocks import SIZES, dense_forms, random_star


@pytest.mark.parametrize(("n_rows", "widths"), SIZES)
def test_forms_are_those_of_the_adjacency_matrices(n_rows: int, widths: tuple[int, ...]) -> None:
    arms, beta = random_star(n_rows, widths, 0), np.arange(1.0, len(widths) + 1)
    ratios = CutRatios(arms, beta)
    Gamma, weights = dense_forms(arms, beta)
    np.testing.assert_allclose(ratios.laplacian.toarray(), Gamma, atol=1e-15)
    np.testing.assert_allclose(ratios.shares, weights / weights.sum(axis=1, keepdims=True), atol=1e-15)
    units = np.diag(ratios.scale)
    np.testing.assert_allclose(ratios.even_laplacian.toarray(), units @ Gamma @ units, atol=1e-12)
    np.testing.assert_allclose(ratios.even_shares.mean(axis=0), 1.0)


@pytest.mark.parametrize(
    ("arms", "beta", "told"),
    [
        ([], [], "share their rows"),
        ([np.ones((2, 2)), np.ones((3, 2))], [0.5, 0.5], "share their rows"),
        ([np.ones((2, 2))], [0.5, 0.5], "a weight of at least 0 for each of 1"),
        ([np.ones((2, 2))], [-1.0], "a weight of at least 0"),
        ([np.array([[1.0, 0.0], [1.0, 0.0]])], [1.0], "no empty column"),
        ([np.array([[1.0, 1.0], [0.0, 0.0]])], [1.0], "no row that is empty"),
    ],
)
def test_what_is_no_star_is_refused(arms: list[np.ndarray], beta: list[float], told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        CutRatios([csr_array(dense) for dense in arms], np.array(beta))


@pytest.mark.parametrize(
    "theta", [(0, 1), (2.1, 1.0), (1.0, float("inf")), (float("nan"), 1), (1, -1), 1.0, "11", (1, 1, 1)]
)
def test_bounds_that_can_not_be_kept_are_refused(theta: object) -> None:
    with pytest.raises(ParameterError, match="theta must be two numbers"):
        check_theta(theta)
