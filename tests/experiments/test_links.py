"""What soft links that are partly wrong do to Loom; the figures stand in docs/methods.md. It takes minutes."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from benchmarks import families, sets
from graphmine.arrays import Bools, Labels
from graphmine.methods.loom.loom import Loom
from graphmine.metrics import score
from graphmine.model import FREE, UNPLACED, Constraints, Links, Star
from tests.real import there

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]


SEEDS = range(5)
SHARES = (0.0, 0.2, 0.3, 0.5, 1.0, None)
"""How many of the links are wrong; None for as many as there are by chance."""


def real(read: Callable[[], tuple[Star, sets.Truth]], name: str, seed: int) -> tuple[Star, sets.Truth]:
    """Return a real network, which is the same for every seed."""
    there(name)
    return read()


NETWORKS: dict[str, families.Family] = {
    **{name: families.FAMILIES[name] for name in ("planted, noise .6", "power law, k = 5", "text-like, faint")},
    "cstr": partial(real, partial(sets.documents, "cstr"), "cstr"),
    "aminer, known authors": partial(real, partial(sets.aminer, known=True), "aminer_hetgnn"),
}


def pairs(truth: Labels, count: int, wrong: float | None, must: bool, rng: np.random.Generator) -> Labels:
    """Draw pairs of nodes, of one class for must-links and of two for others; a share of them the other way round."""
    drawn: Labels = rng.choice(np.flatnonzero(truth >= 0), (100 * count, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    if wrong is None:
        return np.asarray(drawn[:count], dtype=np.int64)
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    n_wrong = round(wrong * count)
    return np.concatenate([drawn[same == must][: count - n_wrong], drawn[same != must][:n_wrong]])


def links(kind: str, truth: Labels, wrong: float | None, rng: np.random.Generator) -> Constraints:
    """Return a quarter as many must-links as nodes and as many cannot-links."""
    musts, cannots = (pairs(truth, len(truth) // 4, wrong, must, rng) for must in (True, False))
    drawn = Links.of_pairs(musts, rule=0) + Links.of_pairs(cannots, must=False, rule=1)
    return Constraints({kind: drawn}, rules=("together", "apart"))


def nmi(labels: Labels, truth: Labels, chosen: Bools) -> float:
    """Return how well the clusters of some nodes agree with their classes, where these are known."""
    known = [int(each) if each >= 0 else None for each in truth]
    return score(np.where(chosen, labels, UNPLACED), known).nmi


def fitted(star: Star, kind: str, truth: Labels, wrong: float | None, seed: int) -> tuple[float, ...]:
    """Return the agreement with the classes, without links and with them, and the mean trust of both rules.

    The agreement is that of all nodes, then that of those which no link names.
    """
    constraints = links(kind, truth, wrong, np.random.default_rng(100 + seed))
    method = Loom(len(np.unique(truth[truth >= 0])))
    free, found = (method.fit(star, each, seed=seed) for each in (FREE, constraints))
    every, unlinked = np.ones(len(truth), dtype=np.bool_), ~constraints.touched(kind, len(truth))
    nmis = (nmi(each.labels[kind], truth, some) for some in (every, unlinked) for each in (free, found))
    is_must, trust = constraints.within[kind].must, found.trust[kind, kind]
    return *nmis, float(trust[is_must].mean()), float(trust[~is_must].mean())


@pytest.mark.parametrize("network", NETWORKS)
def test_links_help_as_far_as_they_are_right(network: str, capsys: pytest.CaptureFixture[str]) -> None:
    gains: dict[float | None, float] = {}
    for wrong in SHARES:
        rows = []
        for seed in SEEDS:
            star, classes = NETWORKS[network](seed)
            ((kind, truth),) = classes.items()
            rows.append(fitted(star, kind, truth, wrong, seed))
        free, found, others_free, others, must, cannot = np.mean(rows, axis=0)
        gains[wrong] = found - free
        share = "random" if wrong is None else f"{wrong:.0%} wrong"
        with capsys.disabled():
            print(
                f"{network:<22} {share:>10}: all {free:.3f} -> {found:.3f}, unlinked {others_free:.3f} -> "
                f"{others:.3f}, trust {must:.2f} {cannot:.2f}",
                flush=True,
            )
    assert min(gains[0.0], gains[0.2], gains[0.3]) > 0
    assert min(gains[1.0], gains[None]) >= -0.005
