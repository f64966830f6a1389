"""Quadratic programs over a box end where their optimality conditions hold, singular ones too."""

import numpy as np
import pytest

from graphmine.linalg.box import box_minimum


@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_meets_its_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, rank = int(rng.integers(2, 40)), int(rng.integers(1, 40))
    factor = rng.standard_normal((p, rank))
    Q, c = factor @ factor.T, factor @ rng.standard_normal(rank)  # singular where the rank is below p
    bounds = rng.random(p) * 10 ** rng.uniform(-2, 1)
    found = box_minimum(Q, c, bounds, rng.standard_normal(p), tolerance=1e-11)
    gradient = Q @ found.s - c
    assert np.all(np.abs(found.s) <= bounds)
    assert found.gap <= 1e-11
    assert found.gap == pytest.approx(bounds @ np.abs(gradient) + found.s @ gradient, abs=1e-14)
    inside = np.abs(found.s) < bounds * (1 - 1e-9)
    assert np.all(np.abs(gradient[inside]) <= 1e-6)


def test_the_gap_bounds_what_is_missed() -> None:
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((12, 12))
    Q, c, bounds = factor @ factor.T, 5 * rng.standard_normal(12), np.ones(12)
    best, rough = (box_minimum(Q, c, bounds, np.zeros(12), tolerance=1e-12, max_steps=steps) for steps in (200, 1))
    one, two = (0.5 * s @ Q @ s - c @ s for s in (best.s, rough.s))
    assert 1e-3 < two - one <= rough.gap
