"""The experiment of Shi, Fan and Yu: its networks, its rules, and how its claims are judged."""

from pathlib import Path

import numpy as np
import pytest

from graphmine.datasets import newsgroups
from graphmine.errors import DataError
from graphmine.experiments import EXPERIMENTS, TaskResult
from graphmine.experiments.newsgroup_tasks import TaskSizes, drawn_network, topic_of
from tests.datasets.made_archives import small_newsgroups
from tests.experiments.planted import made_up

SCM = EXPERIMENTS["scm"]
METHODS = ("infor-co", "s-co", "row-only", "lcm", "vcm", "scm", "loom")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("data")
    small_newsgroups(folder, each=10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHMINE_DATA", str(folder))
        return dict(newsgroups.read_messages())


def test_documents_are_drawn_evenly_and_are_no_pages(texts: dict[str, str]) -> None:
    network = drawn_network(texts, ["comp", "rec", "talk"], TaskSizes(31, 20, 0.1, 3), seed=1)
    documents, pages = network.nodes["Document"].to_pydict(), network.nodes["Page"].to_pydict()
    assert np.unique(documents["topic"], return_counts=True)[1].tolist() == [11, 10, 10]
    assert all(topic_of(each) == topic for each, topic in zip(documents["id"], documents["topic"], strict=True))
    assert len(network.nodes["Word"]) == 20
    assert not set(documents["id"]) & set(pages["id"])
    assert np.unique(pages["draw"], return_counts=True)[1].tolist() == [13, 13, 13]  # a tenth of 130
    assert {topic_of(each) for each in pages["id"]} == {"comp", "rec", "talk"}


def test_counts_are_those_of_the_texts(texts: dict[str, str]) -> None:
    network = drawn_network(texts, ["comp", "rec"], TaskSizes(20, 15, 0.1, 2), seed=0)
    words = set(network.nodes["Word"]["text"].to_pylist())
    for edges in network.relationships:
        links = edges.table.to_pylist()
        assert links
        assert all(texts[each["source"]].split().count(each["target"]) == each["count"] for each in links)
        sources = {each["source"] for each in links}
        found = sum(len(words & set(texts[name].split())) for name in sources)
        assert found == len(links)


def test_too_few_messages_are_one_sentence(texts: dict[str, str]) -> None:
    with pytest.raises(DataError, match=r"^there are 40 messages of sci, and 50 are needed; get the set anew$"):
        drawn_network(texts, ["comp", "sci"], TaskSizes(100, 15, 0.1, 2), seed=0)


def test_tasks_are_those_of_table_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_newsgroups(tmp_path, each=2)
    tasks = SCM.tasks(False)
    assert len(tasks) == SCM.n_tasks
    assert [task.name for task in tasks][::3] == ["1 Comp vs. Rec", "4 Rec vs. Sci", "7 Comp vs. Rec vs. Sci vs. Talk"]
    assert [tuple(task.printed.values()) for task in tasks][:2] == [(982, 358), (786, 441)]


def test_each_method_gets_the_rules_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    small_newsgroups(tmp_path, each=2)
    task = SCM.tasks(True)[6]
    jobs = task.jobs(3)
    assert tuple(jobs) == METHODS
    documents, words = "must same Document.topic; sample 0.05; seed 3", "must same Word.subject"
    rules = {method: [str(rule) for rule in job.rules] for method, job in jobs.items()}
    assert rules["infor-co"] == rules["s-co"] == []
    assert rules["row-only"] == [documents]
    assert rules["lcm"] == rules["vcm"] == rules["scm"] == [documents, words]
    assert all(job.n_clusters == 4 and job.seed == 3 for job in jobs.values())


def paper_like() -> list[TaskResult]:
    """Return results as the paper describes its own."""
    seconds = {"lcm": 40.0, "vcm": 80.0, "scm": 5.0, "s-co": 4.0}
    nmis = {"infor-co": 0.05, "s-co": 0.05, "row-only": 0.4, "lcm": 0.58, "vcm": 0.59, "scm": 0.6}
    figures = {
        method: {"nmi": nmis.get(method, 0.1), "seconds": seconds.get(method, 1.0), "purity": 0.5} for method in METHODS
    }
    figures["scm"]["purity"] = 0.9
    last = {method: dict(given) for method, given in figures.items()}
    last["scm"]["nmi"] = 0.7
    return [made_up(str(number), figures) for number in range(1, 7)] + [made_up("7", last)]


def test_all_claims_hold_of_results_like_the_papers() -> None:
    assert [claim.judge(paper_like()).holds for claim in SCM.claims] == [True] * 7


@pytest.mark.parametrize(
    ("claim", "task", "method", "measure", "value"),
    [
        (0, 3, "lcm", "nmi", 0.39),
        (1, 5, "s-co", "nmi", 0.06),
        (1, 5, "infor-co", "purity", 0.57),
        (2, 1, "vcm", "seconds", 79.0),
        (2, 1, "vcm", "nmi", 0.66),
        (3, 2, "lcm", "seconds", 4.9),
        (4, 4, "lcm", "nmi", 0.54),
        (5, 6, "vcm", "nmi", 0.66),
        (6, 0, "scm", "seconds", 8.1),
    ],
)
def test_a_claim_that_the_figures_do_not_bear_does_not_hold(
    claim: int, task: int, method: str, measure: str, value: float
) -> None:
    tasks = paper_like()
    figures = {name: {each: spread.mean for each, spread in of.items()} for name, of in tasks[task].measures.items()}
    figures[method][measure] = value
    tasks[task] = made_up(tasks[task].name, figures)
    assert not SCM.claims[claim].judge(tasks).holds
