"""An experiment is done task by task through a database; what it gave is kept whole in a file."""

import json
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.network import Network
from graphmine.errors import DataError
from graphmine.exchange.load import load
from graphmine.experiments import EXPERIMENTS, reproduced
from graphmine.experiments.base import MEASURES, Measured, Reproduction
from graphmine.experiments.records import from_record, read_reproduction, reproduction_record, write_reproduction
from graphmine.job import Job
from graphmine.store import Store, connect
from graphmine.verbs.mine import mine
from graphmine.verbs.result import Mined
from graphmine.verbs.score import score
from tests.experiments.planted import PLANTED, Planted


@dataclass(frozen=True)
class Redrawn(Planted):
    """Another number of authors in each draw."""

    redrawn: bool = True

    def network(self, draw: int) -> Network:
        return academic(authors=60 + draw, conferences=9, terms=20, areas=3, seed=4)

    def measured(self, store: Store, draw: int, mined: Mined) -> Measured:
        nmi = super().measured(store, draw, mined).values["nmi"]
        return Measured({"nmi": nmi}, f"{len(mined.star.nodes('Author'))} authors")


@pytest.fixture(scope="module")
def steps() -> list[Reproduction]:
    return list(reproduced(PLANTED, quick=True))


def test_every_task_is_given_as_soon_as_it_is_done(steps: list[Reproduction]) -> None:
    assert [[task.name for task in step.tasks] for step in steps] == [["noise 0.3"], ["noise 0.3", "noise 0.6"]]
    assert steps[0].seconds < steps[1].seconds
    assert steps[1].methods == ["s-co", "scm"]
    assert steps[1].tasks[1].sizes["Author"] == 80
    assert steps[1].tasks[1].fits["s-co"].startswith("SCO(n_clusters=3")
    assert steps[1].tasks[1].fits["scm"].endswith(" + 'must same Author.known_area; sample 0.4'")


def test_the_load_of_the_machine_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter([(3.0, 0, 0), (6.0, 0, 0)])
    monkeypatch.setattr("os.getloadavg", lambda: next(loads))
    assert [step.machine["load"] for step in reproduced(PLANTED, quick=True)] == [3.0, 4.5]


def test_what_every_draw_warns_of_is_told_in_the_first(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    def warning(store: Store, job: Job) -> Mined:
        warnings.warn(f"{job.method} warns", UserWarning, stacklevel=2)
        return mine(store, job)

    warnings.simplefilter("always")
    monkeypatch.setattr("graphmine.experiments.reproduce.mine", warning)
    next(reproduced(PLANTED, quick=True))
    assert [str(each.message) for each in recwarn] == ["s-co warns", "scm warns"]


def test_every_measure_has_a_value_a_draw(steps: list[Reproduction]) -> None:
    for task in steps[-1].tasks:
        for measures in task.measures.values():
            assert {name: len(spread.values) for name, spread in measures.items()} == dict.fromkeys(MEASURES, 2)
            assert all(0 <= value <= 1 for name in MEASURES if name != "seconds" for value in measures[name].values)


def test_figures_are_those_of_runs_that_are_scored_by_themselves(steps: list[Reproduction]) -> None:
    task, measures = PLANTED.tasks(True)[1], steps[-1].tasks[1].measures["scm"]
    with connect(":memory:") as store:
        load(store, task.network(0))
        for draw in range(2):
            run = mine(store, replace(task.jobs(draw)["scm"], write="found")).run
            assert run is not None
            for prefix, unconstrained in (("", False), ("free_", True)):
                scores = score(store, run, "known_area", unconstrained=unconstrained)["Author"]
                assert measures[f"{prefix}nmi"].values[draw] == pytest.approx(scores.nmi)
                assert measures[f"{prefix}purity"].values[draw] == pytest.approx(scores.purity)
    assert measures["free_nmi"] != measures["nmi"]


def test_the_same_seeds_give_the_same_figures(steps: list[Reproduction]) -> None:
    again = next(reproduced(PLANTED, quick=True)).tasks[0]
    for method, measures in steps[0].tasks[0].measures.items():
        for name in set(MEASURES) - {"seconds"}:
            assert again.measures[method][name] == measures[name]


def test_progress_goes_from_the_beginning_to_the_end() -> None:
    told: list[tuple[int, int | None]] = []
    for _ in reproduced(PLANTED, quick=True, progress=lambda what, done, total=None: told.append((done, total))):
        pass
    assert told == [(0, None), *((done, 8) for done in range(8))]


def test_claims_wait_for_all_tasks(steps: list[Reproduction]) -> None:
    assert PLANTED.verdicts(steps[0]) == []
    ((claim, verdict),) = PLANTED.verdicts(steps[1])
    gains = [task.mean("scm", "nmi") - task.mean("s-co", "nmi") for task in steps[1].tasks]
    assert (claim.says, verdict.measured) == ("Labels help.", f"{min(gains):.2f} at least")
    assert verdict.holds == all(gain > 0 for gain in gains)


def test_a_result_is_read_as_it_was_written(steps: list[Reproduction], tmp_path: Path) -> None:
    path = tmp_path / "planted.json"
    write_reproduction(path, PLANTED, steps[0])
    write_reproduction(path, PLANTED, steps[1])
    assert [each.name for each in tmp_path.iterdir()] == ["planted.json"]
    read = read_reproduction(path)
    assert reproduction_record(PLANTED, read) == json.loads(path.read_text(encoding="utf-8"))
    assert read.tasks[0].mean("scm", "nmi") == pytest.approx(steps[1].tasks[0].mean("scm", "nmi"), abs=1e-4)


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^this is no result of an experiment: KeyError\('tasks'\) is wrong with it"):
        from_record({})
    with pytest.raises(DataError, match=r"^the result .*gone.json can not be read: "):
        read_reproduction(tmp_path / "gone.json")


def test_experiments_go_by_their_names() -> None:
    assert [each.name for each in EXPERIMENTS.values()] == list(EXPERIMENTS)


def test_a_network_may_be_drawn_anew_and_what_was_found_is_told(tmp_path: Path) -> None:
    task = Redrawn("redrawn", 0.1, {"Author": 60})
    drawn = replace(PLANTED, tasks=lambda quick: [task], n_tasks=1, claims=(), measures={"nmi": "NMI"})
    (done,) = reproduced(drawn, quick=True)
    assert done.tasks[0].found == {"s-co": ("60 authors", "61 authors"), "scm": ("60 authors", "61 authors")}
    (alone,) = reproduced(replace(drawn, tasks=lambda quick: [replace(task, once=True)]), quick=True)
    assert alone.tasks[0].found == {"s-co": ("60 authors",), "scm": ("60 authors",)}
    write_reproduction(tmp_path / "drawn.json", drawn, done)
    assert read_reproduction(tmp_path / "drawn.json").tasks[0].found == done.tasks[0].found
