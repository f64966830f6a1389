"""The experiment of Gao et al.: its tasks, and how its claims are judged."""

from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from graphmine.datasets.reuters import Story
from graphmine.exchange.load import load
from graphmine.experiments import Reproduction, TaskResult, reproduced
from graphmine.experiments.base import Spread
from graphmine.experiments.cbgc import _PLANTED, CBGC_STARS, _planted
from graphmine.experiments.star_measures import STAR_MEASURES, measured_star
from graphmine.experiments.star_networks import SIDE
from graphmine.job import Job
from graphmine.store import connect
from graphmine.verbs.mine import mine
from tests.datasets.made_archives import small_newsgroups

FARM = ("corn", "grain", "oilseed", "soybean", "sugar", "wheat")
MONEY = ("dlr", "interest", "money-fx", "money-supply", "yen")
BETAS = ("0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.8", "0.9", "1.0", "auto")
ALPHAS = ("1e-10", "0.01", "0.1", "1", "10", "100", "1e+10")
METHODS = [
    *(f"cbgc β={beta}" for beta in BETAS),
    *(f"cbgc (17) β={beta}" for beta in ("0.3", "0.5", "0.6", "0.9")),
    *(f"tsc α={alpha}" for alpha in ALPHAS),
    "loom",
    "cbgc β=0.5, 4 leaves",
]
LEFT_OUT = {
    *(f"cbgc β={beta}" for beta in ("0.2", "0.4", "0.8")),
    "cbgc (17) β=0.3",
    *(f"tsc α={alpha}" for alpha in ("0.1", "10", "100", "1e+10")),
}
QUICK_METHODS = [name for name in METHODS if name not in LEFT_OUT]
WANTED = "x1 x2 y1–y4 z1–z3 | x3 y5–y8 z4–z6"


def _stories() -> Iterator[Story]:
    rng = np.random.default_rng(0)
    for number in range(330):
        side, own = (FARM, "abcdefgh") if number % 2 else (MONEY, "ijklmnop")
        topics = tuple(rng.choice(side, size=rng.integers(1, 3), replace=False).tolist())
        words = " ".join(f"word{letter}" for letter in rng.choice(list(own), size=12))
        yield Story(number, topics, "", words, "train")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    folder = tmp_path_factory.mktemp("data")
    small_newsgroups(folder, each=8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHMINE_DATA", str(folder))
        patch.setattr("graphmine.datasets.reuters.stories", _stories)
        patch.setattr("graphmine.experiments.cbgc._QUICK_EACH", 6)
        patch.setattr("graphmine.experiments.cbgc._QUICK_TERMS", 12)
        *_, last = reproduced(CBGC_STARS, quick=True)
    return last


def test_the_whole_experiment_has_all_methods_and_a_quick_one_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmine.datasets.newsgroups.read_messages", lambda groups: iter(()))
    monkeypatch.setattr("graphmine.datasets.reuters.stories", _stories)
    whole, quick = (CBGC_STARS.tasks(each)[2].jobs(3) for each in (False, True))
    assert list(whole) == METHODS
    assert list(quick) == QUICK_METHODS
    assert all(str(job.fitter) == str(whole[name].fitter) for name, job in quick.items())


@pytest.mark.slow
def test_all_tasks_are_mined_by_all_methods(done: Reproduction) -> None:
    assert [task.name for task in done.tasks] == [
        "Toy I", "Toy II", "five newsgroups", "planted", "planted, outliers", "Reuters",
    ]  # fmt: skip
    assert done.methods == QUICK_METHODS
    assert [task.sizes for task in done.tasks[:2]] == [
        {"Y": 8, "X": 3, "Z": 6, "links": 27},
        {"Y": 20, "X": 16, "Z": 21, "links": 645},
    ]
    newsgroups, planted, outliers, reuters = (task.sizes for task in done.tasks[2:])
    assert (newsgroups["Document"], newsgroups["Category"], newsgroups["Term"]) == (30, 5, 12)
    assert (planted["Document"], planted["Term"], outliers["Term"]) == (30, 12, 15)
    assert (reuters["Category"], reuters["Term"]) == (11, 12)
    for task in done.tasks:
        assert all(set(measures) == set(STAR_MEASURES) for measures in task.measures.values())
        assert all(len(found) == 1 for found in task.found.values())
    # The made-up stories of farms and of money have no word in common.
    assert done.tasks[5].mean("cbgc β=0.5", "split") == 1
    assert done.tasks[5].mean("cbgc β=0.5", "nmi") == pytest.approx(1)
    assert len(CBGC_STARS.verdicts(done)) == len(CBGC_STARS.claims)


@pytest.mark.slow
def test_the_first_toy_is_parted_as_the_paper_tells(done: Reproduction) -> None:
    assert done.tasks[5].found["cbgc β=0.5, 4 leaves"][0].count(" | ") == 3
    held = [verdict.holds for _, verdict in CBGC_STARS.verdicts(done)][:3]
    assert held == [True, True, True]


def _made_up(name: str, found: Mapping[str, str], figures: Mapping[str, Mapping[str, float]]) -> TaskResult:
    measures = {
        method: {each: Spread((figures.get(method, {}).get(each, 0.0),) * 2) for each in STAR_MEASURES}
        for method in METHODS
    }
    told = {method: (found.get(method, "x1–x3 | y1"),) * 2 for method in METHODS}
    return TaskResult(name, {}, {"links": 1}, dict.fromkeys(METHODS, "Fit()"), measures, told)


def paper_like() -> list[TaskResult]:
    """Return results as the paper describes its own."""
    together = {f"tsc α={alpha}": {"together": 1.0} for alpha in ALPHAS}
    toy_one = _made_up(
        "Toy I",
        {
            "cbgc β=0.0": "y1–y7 z1–z5 | y8 z6",
            "cbgc β=0.1": "x1–x3 y1–y7 z1–z5 | y8 z6",
            "cbgc β=0.3": WANTED,
            "cbgc β=0.9": "x1–x3 y1–y6 y8 z1–z5 | y7 z6",
            "cbgc β=1.0": "x1 x2 y1–y4 z1–z6 | x3 y5–y8",
        },
        {**together, "cbgc β=0.3": {"split": 1.0, "nmi": 1.0}},
    )
    toy_two = _made_up(
        "Toy II",
        {
            "cbgc β=0.0": "y01–y08 z01–z11 | y09–y20 z12–z21",
            "cbgc β=0.6": "x01–x07 y01–y10 z01–z11 | x08–x16 y11–y20 z12–z21",
            "cbgc β=1.0": "x01–x07 y01–y12 | x08–x16 y13–y20",
        },
        {},
    )
    apart = dict.fromkeys(("tsc α=1e-10", "tsc α=0.01"), "baseball hockey mideast misc | guns")
    texts = _made_up("five newsgroups", apart, {**together, "cbgc β=0.5": {"split": 1.0, "nmi": 0.9}})
    return [toy_one, toy_two, texts, *(_made_up(name, {}, {}) for name in ("planted", "outliers", "Reuters"))]


def test_all_claims_hold_of_results_like_the_papers() -> None:
    assert [claim.judge(paper_like()).holds for claim in CBGC_STARS.claims] == [True] * len(CBGC_STARS.claims)


@pytest.mark.parametrize(
    ("claim", "task", "method", "measure", "value"),
    [
        (0, 0, "tsc α=10", "together", 0.5),
        (1, 0, "cbgc β=0.3", "nmi", 0.9),
        (7, 2, "tsc α=0.01", "split", 0.5),
        (8, 2, "tsc α=1e+10", "together", 0.5),
        (10, 2, "cbgc β=0.5", "split", 0.5),
        (11, 2, "cbgc β=1.0", "split", 1.0),
        (12, 2, "tsc α=1", "nmi", 0.85),
    ],
)
def test_a_claim_that_the_figures_do_not_bear_does_not_hold(
    claim: int, task: int, method: str, measure: str, value: float
) -> None:
    tasks = paper_like()
    tasks[task].measures[method][measure] = Spread((value, value))  # type: ignore[index]  # they are dictionaries here
    assert not CBGC_STARS.claims[claim].judge(tasks).holds


@pytest.mark.parametrize(
    ("claim", "task", "method", "found"),
    [
        (2, 0, "cbgc β=0.1", WANTED),
        (3, 0, "cbgc β=0.9", WANTED),
        (4, 0, "cbgc β=1.0", WANTED),
        (5, 1, "cbgc β=0.0", "y01–y12 z01–z11 | y13–y20 z12–z21"),
        (6, 1, "cbgc β=0.6", "x01–x07 y01–y12 z01–z11 | x08–x16 y13–y20 z12–z21"),
        (9, 2, "tsc α=0.01", "baseball hockey guns mideast misc"),
    ],
)
def test_a_claim_that_the_partitions_do_not_bear_does_not_hold(claim: int, task: int, method: str, found: str) -> None:
    tasks = paper_like()
    tasks[task].found[method] = (found, found)  # type: ignore[index]  # they are dictionaries here
    assert not CBGC_STARS.claims[claim].judge(tasks).holds


@pytest.mark.slow
def test_outliers_mislead_one_graph_of_all_kinds_and_not_the_balanced_arms() -> None:
    together: list[float] = []
    split: list[float] = []
    for draw in range(5):
        with connect(":memory:") as store:
            load(store, _planted(30, 533, 3, draw))
            for method, param, measure, values in (
                ("tsc", {"alpha": 1.0}, "together", together),
                ("cbgc", {"beta": 0.5}, "split", split),
            ):
                job = Job(relation=_PLANTED, n_clusters=2, method=method, param=param, seed=draw)
                values.append(measured_star(store, mine(store, job), "Category", SIDE, ()).values[measure])
    assert together == [1.0] * 5
    assert sum(split) >= 4
