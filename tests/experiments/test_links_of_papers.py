"""Experiments on real networks whose figures stand in the documents; they take minutes and need the data."""

from collections.abc import Iterator

import numpy as np
import pytest

from graphmine.exchange.load import load
from graphmine.exchange.rule_source import StoreSource
from graphmine.job import Job, PreviewJob
from graphmine.methods.loom.loom import Loom
from graphmine.methods.spectral.sco import SCO
from graphmine.metrics import nmi, score
from graphmine.model import UNPLACED
from graphmine.store import Store, connect
from graphmine.verbs.constrain import preview
from graphmine.verbs.mine import mine
from tests.real import aminer, documents

pytestmark = pytest.mark.slow

VENUES = "Author-WROTE->Paper-IN->Venue"
COAUTHORS = "must Author-WROTE->Paper<-WROTE-Author"


@pytest.fixture(scope="module")
def authors() -> Iterator[Store]:
    with connect(":memory:") as store:
        load(store, aminer())
        yield store


def test_hard_links_of_coauthors_lower_the_score(authors: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures of docs/constraints.md: what links agree with, and what they do to the score."""
    rules = {"any": COAUTHORS, "3 papers": f"{COAUTHORS} >= 3"}
    seen = preview(authors, PreviewJob(VENUES, constrain=list(rules.values())), truth="known_class").preview
    truth = [effect.truth for effect in seen.effects]
    fits: dict[str, list[str]] = {"none": []}
    for how in ("", "; hard"):
        fits |= {f"{how} {name}": [f"{rule}{how}"] for name, rule in rules.items()}
    scores = {name: _nmi(authors, rules) for name, rules in fits.items()}
    with capsys.disabled():
        print(f"\nagreement with the field: {truth}, largest groups: {[each.largest[0] for each in seen.effects]}")
        print(
            "\n".join(f"{name:<16} all {all_:.3f}  unconstrained {free:.3f}" for name, (all_, free) in scores.items())
        )
    assert all(each is not None and 0.85 < each < 0.95 for each in truth)
    assert scores["; hard any"][0] < scores["none"][0] - 0.3
    assert scores["; hard 3 papers"][0] < scores["none"][0] - 0.03
    assert scores["; hard 3 papers"][0] < scores[" 3 papers"][0] - 0.03


@pytest.fixture(scope="module")
def witnesses(authors: Store) -> dict[str, tuple[float, float]]:
    """Return the scores of Loom with co-authors of the papers that the relation counts, discounted and not."""
    fits: dict[str, list[str]] = {"none": []}
    for least in ("", " >= 3"):
        fits |= {f"{how}{least}": [f"{COAUTHORS}{least}; {how}"] for how in ("independent", "repeats")}
    seeds = {name: [_nmi(authors, rules, "loom", seed) for seed in range(5)] for name, rules in fits.items()}
    return {name: tuple(np.mean(each, 0).tolist()) for name, each in seeds.items()}


def test_links_that_repeat_the_relation_do_loom_no_harm(
    witnesses: dict[str, tuple[float, float]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures of docs/methods.md."""
    with capsys.disabled():
        for name, (all_, free) in witnesses.items():
            print(f"\n{name:<18} all {all_:.3f}  unconstrained {free:.3f}", end="")
    for least in ("", " >= 3"):
        assert witnesses[f"repeats{least}"][0] > witnesses["none"][0] - 0.03  # the spread over seeds is .05


@pytest.mark.parametrize(
    "least",
    [
        "",
        pytest.param(" >= 3", marks=pytest.mark.xfail(strict=True, reason="it is .784, and .795 if it counts twice")),
    ],
)
def test_to_discount_them_is_better(witnesses: dict[str, tuple[float, float]], least: str) -> None:
    assert witnesses[f"repeats{least}"][0] > witnesses[f"independent{least}"][0]


def _nmi(store: Store, rules: list[str], method: str = "scm", seed: int = 0) -> tuple[float, float]:
    """Return how well authors' clusters agree with their fields: all of them, and those that no rule names."""
    mined = mine(store, Job(relation=VENUES, n_clusters=4, method=method, constrain=rules, seed=seed))
    labels = mined.clustering.labels["Author"]
    nodes, values = StoreSource(store, {}).values("Author", "known_class", ())
    assert nodes == mined.star.nodes("Author")
    free = ~mined.constraints.touched("Author", len(labels))
    known = values.to_pylist()
    return score(labels, known).nmi, score(np.where(free, labels, UNPLACED), known).nmi


@pytest.mark.parametrize(("name", "least"), [("classic3", 0.95), ("cstr", 0.76)])
def test_loom_finds_the_classes_of_documents(name: str, least: float, capsys: pytest.CaptureFixture[str]) -> None:
    star, classes = documents(name)
    k = len(np.unique(classes))
    found = {
        method: [nmi(method(k).fit(star, seed=seed).labels["Document"], classes) for seed in range(5)]
        for method in (Loom, SCO)
    }
    with capsys.disabled():
        print(f"\n{name}: " + ", ".join(f"{each.__name__} {np.round(nmis, 3)}" for each, nmis in found.items()))
    assert min(found[Loom]) >= least
    assert min(found[Loom]) > max(found[SCO])
