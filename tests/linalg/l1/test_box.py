"""Quadratic programs over a box end where their optimality conditions hold, singular ones too."""

import numpy as np
import pytest

from graphmine.linalg.l1.box import BoxPrograms


@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_meets_its_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, rank = int(rng.integers(2, 40)), int(rng.integers(1, 40))
    factor = rng.standard_normal((p, rank))
    Q, c = factor @ factor.T, factor @ rng.standard_normal(rank)  # singular where the rank is below p
    bounds = rng.random(p) * 10 ** rng.uniform(-2, 1)
    found = BoxPrograms(Q).minimum(c, bounds, rng.standard_normal(p), tolerance=1e-11)
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
    programs = BoxPrograms(Q)
    best, rough = (programs.minimum(c, bounds, np.zeros(12), tolerance=1e-12, max_steps=steps) for steps in (200, 1))
    one, two = (0.5 * s @ Q @ s - c @ s for s in (best.s, rough.s))
    assert 1e-3 < two - one <= rough.gap


@pytest.mark.parametrize("seed", range(10))
def test_what_is_taken_off_the_matrix_is_as_if_it_had_never_been_there(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, rank = int(rng.integers(2, 40)), int(rng.integers(2, 40))
    factor = rng.standard_normal((p, rank))
    along = rng.standard_normal(rank)
    u = factor @ along / (1.1 * np.linalg.norm(along))
    Q, c, bounds = factor @ factor.T, factor @ rng.standard_normal(rank), rng.random(p)
    rest = Q - np.outer(u, u)
    one = BoxPrograms(Q).minimum(c, bounds, np.zeros(p), less=u, tolerance=1e-11)
    two = BoxPrograms(rest).minimum(c, bounds, np.zeros(p), tolerance=1e-11)
    assert max(one.gap, two.gap) <= 1e-11
    assert one.gap == pytest.approx(bounds @ np.abs(rest @ one.s - c) + one.s @ (rest @ one.s - c), abs=1e-13)
    values = [0.5 * s @ rest @ s - c @ s for s in (one.s, two.s)]
    assert values[0] == pytest.approx(values[1], abs=1e-10)


def test_one_program_after_another_ends_where_each_does_by_itself() -> None:
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((15, 9))
    Q, c = factor @ factor.T, factor @ rng.standard_normal(9)
    programs, s = BoxPrograms(Q), np.zeros(15)
    for scale in (1.0, 1.001, 1.002, 3.0):  # the same ones are free at first, and then others
        s, gap = programs.minimum(scale * c, np.full(15, 0.3), s, tolerance=1e-11)
        alone = BoxPrograms(Q).minimum(scale * c, np.full(15, 0.3), np.zeros(15), tolerance=1e-11)
        values = [0.5 * each @ Q @ each - scale * c @ each for each in (s, alone.s)]
        assert gap <= 1e-11
        assert values[0] == pytest.approx(values[1], abs=1e-10)
