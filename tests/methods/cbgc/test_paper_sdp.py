"""CBGC by the paper's own relaxation: both its solvers through the front, and what they refuse."""

import numpy as np
import pytest

import graphmine as gm
from graphmine import gallery
from graphmine.errors import ConstraintError, ParameterError, SizeError
from graphmine.linalg import resources
from graphmine.metrics import nmi
from graphmine.model import Constraints, Links, Star

SOLVERS = ("sdp", "lowrank")


def small() -> tuple[Star, dict[str, np.ndarray]]:
    return gallery.planted_star(16, (12, 6), n_clusters=2, degree=8, noise=0.05, seed=0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_planted_clusters_are_found_in_every_kind(solver: str) -> None:
    star, truth = small()
    found = gm.method("cbgc", n_clusters=2, solver=solver).fit(star, seed=0)
    assert found.converged
    for kind, labels in truth.items():
        assert nmi(labels, found.labels[kind]) == pytest.approx(1.0)


@pytest.mark.parametrize("beta", [0.1, 0.3, 0.9])
def test_both_solvers_agree_on_the_first_toy(beta: float) -> None:
    sdp, low = (
        gm.method("cbgc", n_clusters=2, beta=beta, solver=each).fit(gallery.toy_one()[0], seed=0) for each in SOLVERS
    )
    assert low.figures["relaxed cut"] == pytest.approx(sdp.figures["relaxed cut"], abs=1e-6)
    assert low.figures["gap"] <= 1e-7
    for kind, labels in sdp.labels.items():
        assert nmi(labels, low.labels[kind]) == pytest.approx(1.0)


@pytest.mark.parametrize(("beta", "lower"), [(0.4, True), (1.0, False)])
def test_the_value_is_not_that_of_eigenvectors_and_may_lie_on_either_side(beta: float, lower: bool) -> None:
    eigen, low = (
        gm.method("cbgc", n_clusters=2, beta=beta, solver=each).fit(gallery.toy_two()[0]).figures["relaxed cut"]
        for each in ("eigen", "lowrank")
    )
    assert (low < eigen - 1e-4) if lower else (low > eigen + 1e-4)


def test_an_arm_that_does_not_count_is_left_out() -> None:
    star, truth = small()
    found = gm.method("cbgc", n_clusters=2, solver="lowrank", beta=1.0).fit(star, seed=0)
    assert found.converged
    assert nmi(truth[star.centre.kind], found.labels[star.centre.kind]) == pytest.approx(1.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_links_and_prices_are_refused(solver: str) -> None:
    star, _ = small()
    links = Constraints(within={star.centre.kind: Links.of_pairs([(0, 1)])})
    with pytest.raises(ConstraintError, match=f"the solver {solver} takes no links"):
        gm.method("cbgc", n_clusters=2, solver=solver).fit(star, links)
    with pytest.raises(ParameterError, match=f"the solver {solver} takes no price"):
        gm.method("cbgc", n_clusters=2, solver=solver, price=1.0)


def test_bad_parameters_are_one_sentence() -> None:
    with pytest.raises(ParameterError, match="solver must be one of eigen, sdp, lowrank, was 'sdpa'"):
        gm.method("cbgc", n_clusters=2, solver="sdpa")
    with pytest.raises(ParameterError, match="theta must be two numbers"):
        gm.method("cbgc", n_clusters=2, theta=[3, 1])


def test_a_star_too_large_for_the_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available_memory", lambda: 1_000_000)
    with pytest.raises(SizeError, match="use the low-rank solver"):
        gm.method("cbgc", n_clusters=2, solver="sdp").fit(small()[0], seed=0)
