"""L1 with links of which a share is wrong: what λ is chosen, what it is worth to nodes without links, what is doubted.

``scripts/test -m slow tests/test_experiments_l1.py -s`` prints the table of docs/benchmarks.md.
"""

from typing import NamedTuple

import numpy as np
import pytest

from graphmine import metrics
from graphmine.constraints.doubtful import doubts
from graphmine.methods.l1 import L1
from graphmine.model import UNPLACED
from tests.misled import LARGER, NETWORKS, told

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SEEDS = range(50, 60)
WRONG = (0.0, 0.1, 0.2, 0.3, 0.4, 1.0)
LARGER_LINKS, LARGER_SEEDS = 1000, range(3)


class Fit(NamedTuple):
    """λ, NMI without links and with them on all nodes and on those no link names, precision and recall of doubts."""

    lam: float
    free: float
    all: float
    free_unnamed: float
    unnamed: float
    precision: float
    recall: float


def fitted(network: str, wrong: float, seed: int) -> Fit:
    star, truths = NETWORKS[network](seed)
    kind = star.centre.kind
    truth, known = truths[kind], told(truths[kind], kind, wrong, seed)
    alone = L1(2).fit(star, seed=0).labels[kind]
    found = L1(2, lam="auto").fit(star, known, seed=0)
    named = known.touched(kind, len(truth))
    scores = [
        metrics.nmi(np.where(named, UNPLACED, each) if hidden else each, truth)
        for hidden in (False, True)
        for each in (alone, found.labels[kind])
    ]
    lam = next(row["lambda"] for row in found.tried if row["chosen"])
    # What is doubted is asked of the usual λ: at 0 and .01 hardly any link is met exactly.
    judged = L1(2).fit(star, known, seed=0)
    doubted = doubts(known, judged, {each.kind: each for each in star.kinds}, below=0.5, truth=truths)
    shares = (np.nan if each is None else each for each in (doubted.precision, doubted.recall))
    return Fit(*(lam, *scores, *shares))


@pytest.mark.parametrize("network", NETWORKS)
def test_links_that_are_partly_wrong_do_no_harm_to_other_nodes(
    network: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in WRONG:
        fits = [fitted(network, wrong, seed) for seed in SEEDS]
        mean = Fit(*np.mean(fits, axis=0))
        lams = " ".join(f"{fit.lam:g}" for fit in fits)
        worst = min(fit.unnamed - fit.free_unnamed for fit in fits)
        with capsys.disabled():
            print(
                f"| {network} | {wrong:.0%} | {mean.free:.3f} | {mean.all:.3f} | {mean.free_unnamed:.3f} | "
                f"{mean.unnamed:.3f} | {worst:+.3f} | {lams} | {mean.precision:.2f} | {mean.recall:.2f} |",
                flush=True,
            )
        assert worst >= -0.02


@pytest.mark.parametrize("wrong", WRONG[:-1])
@pytest.mark.parametrize("network", LARGER)
def test_in_larger_networks_no_one_loses(network: str, wrong: float, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a thousand unnamed nodes some move by chance too, but they weigh less than in networks of a few hundred."""
    rows = []
    for seed in LARGER_SEEDS:
        star, truths = LARGER[network](seed)
        kind = star.centre.kind
        known = told(truths[kind], kind, wrong, seed, LARGER_LINKS)
        found = L1(2, lam="auto", solver="firstorder").fit(star, known, seed=0)
        alone = L1(2, solver="firstorder").fit(star, seed=0)
        named = known.touched(kind, len(truths[kind]))
        rows.append([
            metrics.nmi(np.where(named, UNPLACED, each.labels[kind]), truths[kind]) for each in (alone, found)
        ])
    free, auto = np.mean(rows, axis=0)
    worst = min(after - before for before, after in rows)
    with capsys.disabled():
        print(f"| {network} | {wrong:.0%} | {free:.3f} | {auto:.3f} | {worst:+.3f} |", flush=True)
    assert worst >= -0.02
