"""What soft links that are partly wrong do to Loom; the figures stand in docs/methods.md. It takes minutes."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks import families, sets
from graphmine.methods import Loom
from graphmine.metrics import score
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Links, Star
from tests.real import there

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

Labels = NDArray[np.int64]

SEEDS = range(5)
SHARES = (0.0, 0.2, 0.3, 0.5, 1.0)
"""How many of the links are wrong."""


def real(read: Callable[[], tuple[Star, sets.Truth]], name: str, seed: int) -> tuple[Star, sets.Truth]:
    """Return a real network, which is the same for every seed."""
    there(name)
    return read()


NETWORKS: dict[str, families.Family] = {
    **{name: families.FAMILIES[name] for name in ("planted, noise .6", "power law, k = 5", "text-like, faint")},
    "cstr": partial(real, partial(sets.documents, "cstr"), "cstr"),
    "aminer, known authors": partial(real, partial(sets.aminer, known=True), "aminer_hetgnn"),
}


def pairs(truth: Labels, count: int, wrong: float, must: bool, rng: np.random.Generator) -> Labels:
    """Draw pairs of nodes, of one class for must-links and of two for others; a share of them the other way round."""
    drawn = rng.choice(np.flatnonzero(truth >= 0), (100 * count, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    n_wrong = round(wrong * count)
    return np.concatenate([drawn[same == must][: count - n_wrong], drawn[same != must][:n_wrong]])


def links(kind: str, truth: Labels, wrong: float, rng: np.random.Generator) -> Constraints:
    """Return a quarter as many must-links as nodes and as many cannot-links."""
    musts, cannots = (pairs(truth, len(truth) // 4, wrong, must, rng) for must in (True, False))
    drawn = Links.of_pairs(musts, rule=0) + Links.of_pairs(cannots, must=False, rule=1)
    return Constraints({kind: drawn}, rules=("together", "apart"))


def nmis(found: Clustering, kind: str, truth: Labels, constraints: Constraints) -> tuple[float, float]:
    """Return how well clusters agree with classes: of all nodes, and of those that no link names."""
    labels = found.labels[kind]
    known = [int(each) if each >= 0 else None for each in truth]
    free = ~constraints.touched(kind, len(labels))
    return score(labels, known).nmi, score(np.where(free, labels, UNPLACED), known).nmi


def fitted(star: Star, kind: str, truth: Labels, wrong: float | None, seed: int) -> tuple[float, ...]:
    """Return the agreement with the classes of all nodes and of the unlinked, and the mean trust of both rules."""
    drawn = np.random.default_rng(100 + seed)
    constraints = FREE if wrong is None else links(kind, truth, wrong, drawn)
    found = Loom(len(np.unique(truth[truth >= 0]))).fit(star, constraints, seed=seed)
    trust = [np.nan, np.nan]
    if wrong is not None:
        is_must, each = constraints.within[kind].must, found.trust[kind, kind]
        trust = [float(each[is_must].mean()), float(each[~is_must].mean())]
    return *nmis(found, kind, truth, constraints), *trust


@pytest.mark.parametrize("network", NETWORKS)
def test_links_help_as_far_as_they_are_right(network: str, capsys: pytest.CaptureFixture[str]) -> None:
    means: dict[float | None, NDArray[np.float64]] = {}
    for wrong in (None, *SHARES):
        rows = []
        for seed in SEEDS:
            star, classes = NETWORKS[network](seed)
            ((kind, truth),) = classes.items()
            rows.append(fitted(star, kind, truth, wrong, seed))
        means[wrong] = np.mean(rows, axis=0)
        with capsys.disabled():
            share = "no links" if wrong is None else f"{wrong:.0%} wrong"
            print(f"{network:<24} {share:<10} all, unlinked, trust: {np.round(means[wrong], 3)}", flush=True)
    none = means[None][0]
    for wrong in (0.0, 0.2, 0.3):
        assert means[wrong][0] > none
    assert means[1.0][0] >= none - 0.005
