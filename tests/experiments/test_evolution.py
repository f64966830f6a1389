"""What memory is worth on networks that change, planted and real: the figures of docs/evolution.md."""

import os
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from graphmine.arrays import Bools, Labels
from graphmine.constraints.previous_labels import labels_before
from graphmine.exchange.load import load
from graphmine.exchange.rule_source import StoreSource
from graphmine.gallery import drifting
from graphmine.job import Job
from graphmine.metrics import nmi
from graphmine.model import UNPLACED, Nodes
from graphmine.store import Store, connect
from graphmine.verbs.evolve import MEMORY, evolve
from tests.real import aminer
from tests.snapshots import PUBLISHED, accuracy, papers, restlessness

pytestmark = pytest.mark.slow

METHODS = os.environ.get("GRAPHMINE_EVOLUTION_METHODS", "scm loom").split()
DRIFTS = (0.0, 0.1, 0.3, 1.0)
SEEDS = range(10, 15)
MEMORIES = (0, MEMORY)
SPARSE, DENSER = 2, 6  # papers an author in a snapshot


@pytest.mark.parametrize("method", METHODS)
def test_memory_against_refitting(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Accuracy and restlessness with and without memory, over drifts; a few papers a year, and more of them."""
    found = {}
    for degree in (SPARSE, DENSER):
        for drift in DRIFTS:
            both = [_compared(method, degree, drift, seed) for seed in SEEDS]
            found[degree, drift] = np.mean(both, axis=0)
            (refit, remembered) = found[degree, drift]
            with capsys.disabled():
                print(
                    f"\n{method} {degree} papers, drift {drift:.1f}: NMI {refit[0]:.3f} -> {remembered[0]:.3f}, "
                    f"changed without reason {refit[1]:.3f} -> {remembered[1]:.3f}, spread "
                    f"{np.std([one[1][0] - one[0][0] for one in both]):.3f}",
                    end="",
                )
    for drift in (0.0, 0.1, 0.3):
        refit, remembered = found[SPARSE, drift]
        # Loom judges its memory, and gains less by it where snapshots are sparse.
        assert remembered[0] > refit[0] + (0.05 if method == "scm" else 0.0)
        assert remembered[1] < (0.6 if method == "scm" else 1.0) * refit[1]
    for drift in DRIFTS:
        refit, remembered = found[DENSER, drift]
        assert remembered[0] > refit[0] - 0.01
    assert found[SPARSE, 1.0][1][0] > found[SPARSE, 1.0][0][0] - 0.03


@pytest.mark.parametrize("method", METHODS)
def test_memory_on_real_authors(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same on AMiner, year by year; the field of an author is one for all years."""
    with connect(":memory:") as store:
        load(store, aminer())
        nodes, field = StoreSource(store, {}).values("Author", "known_class", ())
        found = [[_real(store, method, memory, seed, nodes, field) for seed in range(5)] for memory in MEMORIES]
    refit, remembered = (np.mean(each, axis=0) for each in found)
    with capsys.disabled():
        print(f"\n{method} AMiner: NMI {refit[0]:.3f} -> {remembered[0]:.3f}", end=", ")
        print(f"changed {refit[1]:.3f} -> {remembered[1]:.3f}")
    assert remembered[0] > refit[0] + (0.03 if method == "scm" else 0.0)
    assert remembered[1] < refit[1]


def _real(store: Store, method: str, memory: float, seed: int, nodes: Nodes, field: pa.Array) -> tuple[float, float]:
    """Return the mean NMI of authors with their fields from the second year on, and the share that changed number."""
    job = Job(relation="Author-WROTE->Paper-IN->Venue", n_clusters=4, method=method, seed=seed)
    stages = evolve(store, job, "Paper.year", until=9, memory=memory).stages  # there is little of the tenth year
    labels = [labels_before(nodes, *stage.labels["Author"]) for stage in stages]
    known = np.asarray(field.is_valid())
    changed = [
        np.mean(one[both] != two[both]) for one, two in pairwise(labels) if (both := _both(one, two, known)).any()
    ]
    return float(np.mean([nmi(each, field.to_pylist()) for each in labels[1:]])), float(np.mean(changed))


def _both(one: Labels, two: Labels, known: Bools) -> Bools:
    found: Bools = known & (one != UNPLACED) & (two != UNPLACED)
    return found


def _compared(method: str, degree: int, drift: float, seed: int) -> list[tuple[float, float]]:
    """Return accuracy and restlessness of refitting alone, and of fits that remember."""
    snapshots = drifting(6, 400, 40, n_clusters=4, degree=degree, noise=0.25, drift=drift, away=0.2, seed=seed)
    job = Job(relation=PUBLISHED, n_clusters=4, method=method)
    with connect(":memory:") as store:
        load(store, papers(snapshots))
        stages = [evolve(store, job, "Paper.year", memory=memory).stages for memory in MEMORIES]
    return [(accuracy(each, snapshots), restlessness(each, snapshots)) for each in stages]
