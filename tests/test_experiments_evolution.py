"""What memory is worth on planted networks that drift: the figures of docs/evolution.md."""

import os

import numpy as np
import pytest

from graphmine.exchange.load import load
from graphmine.gallery import drifting
from graphmine.job import Job
from graphmine.store import connect
from graphmine.verbs import evolve
from tests.drifting import PUBLISHED, accuracy, papers, restlessness

pytestmark = pytest.mark.slow

METHODS = os.environ.get("GRAPHMINE_EVOLUTION_METHODS", "scm").split()
DRIFTS = (0.0, 0.1, 0.3, 1.0)
SEEDS = range(10, 15)
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
        assert remembered[0] > refit[0] + 0.05
        assert remembered[1] < 0.6 * refit[1]
    for drift in DRIFTS:
        refit, remembered = found[DENSER, drift]
        assert remembered[0] > refit[0] - 0.01
    assert found[SPARSE, 1.0][1][0] > found[SPARSE, 1.0][0][0] - 0.03


def _compared(method: str, degree: int, drift: float, seed: int) -> list[tuple[float, float]]:
    """Return accuracy and restlessness of refitting alone, and of fits that remember."""
    snapshots = drifting(6, 400, 40, n_clusters=4, degree=degree, noise=0.25, drift=drift, away=0.2, seed=seed)
    job = Job(relation=PUBLISHED, n_clusters=4, method=method)
    with connect(":memory:") as store:
        load(store, papers(snapshots))
        stages = [evolve(store, job, "Paper.year", memory=memory).stages for memory in (0, 0.5)]
    return [(accuracy(each, snapshots), restlessness(each, snapshots)) for each in stages]
