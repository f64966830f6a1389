"""Loom's soft passes: what is heard without its echo finds more in faint networks, whatever they begin with."""

from functools import partial

import numpy as np
import pytest

from benchmarks import families
from graphmine import gallery, metrics
from graphmine.methods.base import generator
from graphmine.methods.loom import loom, refinement
from graphmine.methods.loom.belief_propagation import BeliefPropagation
from graphmine.methods.loom.loom import Loom
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import FREE, Star

SPARSE = partial(families.blocks, 1500, 1500, 3, 5, 0.45, tail=3.5)
SEEDS = range(4)


def found(seed: int) -> float:
    star, truth = SPARSE(seed)
    return metrics.nmi(Loom(3).fit(star, seed=seed).labels["Author"], truth["Author"])


def test_hearing_without_the_echo_finds_more(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = np.mean([found(seed) for seed in SEEDS])
    monkeypatch.setattr(refinement, "_MESSAGES", 0)
    assert heard > np.mean([found(seed) for seed in SEEDS]) + 0.01


def test_where_it_began_is_forgotten() -> None:
    gaps = []
    for seed in SEEDS:
        star, truth = SPARSE(seed)
        begun = loom.refined(star, 3, truth, seed=seed).labels["Author"]
        gaps.append(metrics.nmi(begun, truth["Author"]) - found(seed))
    assert np.mean(gaps) < 0.02


def test_a_unit_hears_all_its_relations() -> None:
    star, truth = gallery.planted_star(60, (40, 30), n_clusters=3, degree=6, noise=0.3, seed=0)
    labels = [truth[units.kind] for units in star.kinds]
    alone = []
    for place, arm in enumerate(star.arms):
        graph = UnitGraph.of(Star((arm,)), FREE, generator(0))
        alone.append(BeliefPropagation(graph, [labels[0], labels[1 + place]], 3, [(1000.0, 300.0)]).fit(0))
    graph = UnitGraph.of(Star(star.arms, weights=(1.0, 0.5)), FREE, generator(0))
    both = BeliefPropagation(graph, labels, 3, [(1000.0, 300.0)] * 2).fit(0)
    np.testing.assert_allclose(both, alone[0] + 0.5 * alone[1], rtol=1e-4, atol=1e-4)
