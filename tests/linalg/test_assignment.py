"""The assignment problem: the solutions of scipy, whichever of several as good it takes."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from graphmine.arrays import Floats
from graphmine.linalg.assignment import assignment


def costs_of(seed: int) -> Floats:
    """Return costs of any shape: all different, few different whole numbers, zeros between others, or all the same."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 9, size=2))
    match seed % 4:
        case 0:
            return rng.standard_normal(shape)
        case 1:
            return rng.integers(4, size=shape).astype(np.float64)
        case 2:
            return rng.integers(3, size=shape) * rng.random(shape)
        case _:
            return np.full(shape, rng.random())


def test_solutions_are_those_of_scipy() -> None:
    for seed in range(400):
        costs = costs_of(seed)
        before = costs.copy()
        for ours, theirs in zip(assignment(costs), linear_sum_assignment(costs), strict=True):
            assert ours.tolist() == theirs.tolist(), seed
        assert np.array_equal(costs, before)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_is_matched_with_nothing(shape: tuple[int, int]) -> None:
    assert [side.tolist() for side in assignment(np.zeros(shape))] == [[], []]


def test_many_rows_are_matched_as_by_scipy() -> None:
    costs = np.random.default_rng(0).random((150, 200))
    assert assignment(costs)[1].tolist() == linear_sum_assignment(costs)[1].tolist()
