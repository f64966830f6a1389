"""Snapshots that remember, numbers that stay, and a sequence of runs on record, on both databases."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from graphmine.constraints.previous_labels import labels_before
from graphmine.datasets.davis import davis
from graphmine.datasets.network import Network
from graphmine.errors import ConstraintError, DataError, ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.property_changes import apply
from graphmine.exchange.push import resume, undo
from graphmine.exchange.runs import list_runs
from graphmine.gallery import drifting
from graphmine.job import Job
from graphmine.job.evolution import Timeline
from graphmine.model import Nodes
from graphmine.store import Store, connect
from graphmine.verbs.constrain import broken
from graphmine.verbs.evolve import evolve, read_evolution
from graphmine.verbs.flow import changes, flow, flows
from graphmine.verbs.sequences import unwind
from graphmine.verbs.stages import Stage, follow_numbers, runs_of
from tests.databases import all_values, read, write as change
from tests.snapshots import PUBLISHED, accuracy, papers, restlessness

YEAR = "Paper.year"
JOB = Job(relation=PUBLISHED, n_clusters=3, method="scm", write="field")
SMALL = drifting(4, 60, 12, degree=3, noise=0.1, seed=1)


@pytest.mark.parametrize("drift", [0.0, 0.1, 0.3])
def test_memory_is_smoother_and_more_accurate_than_refitting(drift: float) -> None:
    snapshots = drifting(4, 240, 24, n_clusters=4, degree=2, noise=0.2, drift=drift, seed=5)
    job = Job(relation=PUBLISHED, n_clusters=4, method="scm")
    with connect(":memory:") as store:
        load(store, papers(snapshots))
        stages = {memory: evolve(store, job, YEAR, memory=memory).stages for memory in (0, 0.5)}
    assert accuracy(stages[0.5], snapshots) > accuracy(stages[0], snapshots) + 0.04
    assert restlessness(stages[0.5], snapshots) < 0.7 * restlessness(stages[0], snapshots)


def test_each_snapshot_is_written_to_a_property_of_its_own(store: Store) -> None:
    load(store, papers(SMALL))
    evolved = evolve(store, JOB, YEAR)
    assert [stage.name for stage in evolved.stages] == ["2000", "2001", "2002", "2003"]
    for stage in evolved.stages:
        text = f"MATCH (a:Author) RETURN a.name AS name, a.field_{stage.name} AS label ORDER BY name"
        rows = read(store, text)
        there = labels_before(Nodes("Author", rows["name"]), *stage.labels["Author"])
        assert [-1 if label is None else label for label in rows["label"].to_pylist()] == there.tolist()
    runs = list_runs(store)
    assert [run.parameters["snapshot"] for run in runs] == ["2000", "2001", "2002", "2003"]
    assert {run.parameters["evolution"] for run in runs} == {evolved.name}
    assert [run.parameters["previous"] for run in runs] == [None, *(run.id for run in runs[:-1])]
    assert runs[2].filters == ("Paper.year >= 2002", "Paper.year < 2003")
    assert [run.n_clusters for run in runs] == [len(stage.clusters) for stage in evolved.stages]


def test_authors_without_papers_in_a_snapshot_are_gone_and_come_back(store: Store) -> None:
    load(store, papers(SMALL))
    stages = evolve(store, JOB, YEAR).stages
    for stage, (star, _) in zip(stages, SMALL, strict=True):
        nodes, labels = stage.labels["Author"]
        present = set(nodes.keys.take(pa.array(np.flatnonzero(labels >= 0))).to_pylist())
        assert present == set(star.nodes("Author").keys.to_pylist())
    found = [each for each in changes(stages) if each.kind == "Author"]
    assert [each.before for each in found] == [None, "2000", "2001", "2002"]
    for before, after in pairwise(found):
        assert after.nodes == before.nodes - after.gone + after.new == after.new + after.stayed + after.moved
    assert found[0].new == found[0].nodes == 48


def test_the_flow_of_the_database_is_that_of_the_stages(store: Store) -> None:
    load(store, papers(SMALL))
    evolved = evolve(store, JOB, YEAR)
    expected = flows(evolved.stages)
    assert flow(store, evolved.name) == flow(store, "last") == flow(store, evolved.name[:7]) == expected
    assert flow(store, kind="Venue") == [each for each in expected if each.kind == "Venue"]
    for each in (each for each in changes(evolved.stages) if each.before is not None):
        mine = [one for one in expected if (one.after, one.kind) == (each.after, each.kind)]
        assert sum(one.nodes for one in mine if one.source == one.target) == each.stayed
        assert sum(one.nodes for one in mine if one.source is None) == each.new
        assert sum(one.nodes for one in mine if one.target is None) == each.gone
    with pytest.raises(ParameterError, match="has no kind 'Paper', only Author, Venue"):
        flow(store, kind="Paper")
    with pytest.raises(RunError, match="there is no evolution 'area'"):
        flow(store, "area")


def test_again_is_not_fitted_again_and_a_later_end_adds_what_is_new(store: Store) -> None:
    load(store, papers(SMALL))
    evolve(store, JOB, YEAR, until=2002)
    runs = list_runs(store)
    again = evolve(store, JOB, YEAR, until=2002)
    assert list_runs(store) == runs
    assert all(stage.kept for stage in again.stages)
    more = evolve(store, JOB, YEAR)
    assert more.name == again.name
    assert [stage.kept for stage in more.stages] == [True, True, True, False]
    assert list_runs(store)[:-1] == runs
    with connect(":memory:") as other:
        load(other, papers(SMALL))
        at_once = evolve(other, JOB, YEAR)
    for one, two in zip(more.stages, at_once.stages, strict=True):
        for kind in ("Author", "Venue"):
            assert one.labels[kind][1].tolist() == two.labels[kind][1].tolist()


def test_from_the_first_gap_on_all_is_fitted_again(store: Store) -> None:
    load(store, papers(SMALL))
    evolved = evolve(store, JOB, YEAR)
    assert evolved.stages[1].run is not None
    undo(store, evolved.stages[1].run)
    again = evolve(store, JOB, YEAR)
    assert [stage.kept for stage in again.stages] == [True, False, False, False]
    assert [run.id for run in runs_of(store)] == [stage.run and stage.run.id for stage in again.stages]
    assert flow(store) == flows(again.stages)


def test_an_interrupted_evolution_names_its_run_and_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load(store, papers(SMALL))
    expected = all_stages(evolve(store, JOB, YEAR).stages)
    unwind(store)
    calls = iter(range(10))

    def crash(*given: Any, **options: Any) -> object:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return apply(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", crash)
        with pytest.raises(KeyboardInterrupt):
            evolve(store, JOB, YEAR)
    with pytest.raises(RunError, match="on 'field_2002' was interrupted"):
        evolve(store, JOB, YEAR)
    resume(store, "last")
    assert all_stages(evolve(store, JOB, YEAR).stages) == expected
    assert [stage.kept for stage in evolve(store, JOB, YEAR).stages] == [True] * 4


def test_an_interrupted_evolution_is_unwound_as_a_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load(store, papers(SMALL))
    before = all_values(store)
    calls = iter(range(10))

    def crash(*given: Any, **options: Any) -> object:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return apply(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", crash)
        with pytest.raises(KeyboardInterrupt):
            evolve(store, JOB, YEAR)
    assert [run.property for run in unwind(store)] == ["field_2002", "field_2001", "field_2000"]
    assert all_values(store) == before


def all_stages(stages: tuple[Stage, ...]) -> object:
    return [{kind: labels.tolist() for kind, (_, labels) in stage.labels.items()} for stage in stages]


def test_unwinding_leaves_everything_as_it_was(store: Store) -> None:
    load(store, papers(SMALL))
    before = all_values(store)
    evolved = evolve(store, JOB, YEAR)
    assert [run.property for run in unwind(store, evolved.name)] == [
        f"field_{year}" for year in (2003, 2002, 2001, 2000)
    ]
    assert all_values(store) == before
    with pytest.raises(RunError, match="there is no evolution"):
        unwind(store, evolved.name)


def test_another_evolution_does_not_take_the_properties_of_the_first(store: Store) -> None:
    load(store, papers(SMALL))
    first = evolve(store, JOB, YEAR)
    before = all_values(store)
    with pytest.raises(RunError, match=f"'field_2000' belongs to the evolution {first.name}.*runs unwind {first.name}"):
        evolve(store, JOB, YEAR, memory=0)
    assert all_values(store) == before


def test_what_broke_with_the_past_can_be_listed(store: Store) -> None:
    load(store, papers(SMALL))
    evolved = evolve(store, JOB, YEAR)
    last = evolved.stages[-1]
    assert last.run is not None
    found, nodes, constraints = broken(store, last.run, most=10**6)
    assert constraints.rules == ("clusters of 2002",)
    old, new = (labels_before(nodes["Author"], *stage.labels["Author"]) for stage in evolved.stages[-2:])
    both = (old >= 0) & (new >= 0)
    parted = (old[both][:, None] == old[both]) & (new[both][:, None] != new[both])
    assert sum(pair.kind == "Author" for pair in found.pairs) == parted.sum() // 2 > 0
    assert {each["rule"] for each in last.run.constraints["met"]} == {"clusters of 2002"}


def test_empty_years_and_years_with_too_little_are_skipped_and_told(store: Store) -> None:
    network = papers(SMALL, years=(2000, 2001, 2004, 2005))
    load(store, network)
    change(store, "MATCH (p:Paper) WHERE p.year = 2005 AND p.id % 40 <> 0 SET p.year = 2006")
    change(store, "MATCH (p:Paper) WHERE p.year = 2005 SET p.year = 2003")
    evolved = evolve(store, Job(relation=PUBLISHED, n_clusters=5, method="scm"), YEAR)
    assert [stage.name for stage in evolved.stages] == ["2000", "2001", "2004", "2006"]
    assert list(evolved.skipped) == ["2002", "2003", "2005"]
    assert evolved.skipped["2002"] == "no Author nodes are linked, and there are to be 5 clusters"
    assert evolved.skipped["2003"] == "4 Author nodes are linked, and there are to be 5 clusters"
    assert [each.before for each in changes(evolved.stages)][-1] == "2004"


@pytest.mark.parametrize(("n_clusters", "most"), [(200, 200), ({"Author": 2, "Venue": 100}, 100)])
def test_an_evolution_without_any_snapshot_is_refused(store: Store, n_clusters: Any, most: int) -> None:
    load(store, papers(SMALL))
    with pytest.raises(
        DataError,
        match=rf"^no snapshot has enough linked nodes for {most} clusters, so all of 2000 to 2003 were skipped; "
        r"ask for fewer with `n_clusters=` or widen `window=`$",
    ):
        evolve(store, Job(relation=PUBLISHED, n_clusters=n_clusters, method="scm", write="field"), YEAR)
    assert list_runs(store) == []


def test_windows_overlap_or_hold_all_so_far(store: Store) -> None:
    load(store, papers(SMALL))
    job = Job(relation=PUBLISHED, n_clusters=3, method="scm")
    sliding = evolve(store, job, YEAR, window=2)
    assert [stage.name for stage in sliding.stages] == ["2001", "2002", "2003"]
    nodes = [{*snapshot[0].nodes("Author").keys.to_pylist()} for snapshot in SMALL]
    assert changes(sliding.stages)[0].nodes == len(nodes[0] | nodes[1])
    cumulative = evolve(store, job, YEAR, window="all", since=2001)
    assert [stage.name for stage in cumulative.stages] == ["2001", "2002", "2003"]
    assert [each.gone for each in changes(cumulative.stages)] == [0] * 6
    assert changes(cumulative.stages)[-2].nodes == len(nodes[1] | nodes[2] | nodes[3])


def test_rules_of_the_user_are_drawn_for_every_snapshot(store: Store) -> None:
    load(store, papers(SMALL))
    rule = 'must these {"Author": ["a00", "a01"]}; hard; name pair'
    stages = evolve(store, Job(relation=PUBLISHED, n_clusters=3, method="scm", constrain=rule), YEAR).stages
    for stage in stages:
        one, two = labels_before(Nodes("Author", ["a00", "a01"]), *stage.labels["Author"]).tolist()
        assert one == two >= 0


def test_the_time_may_stand_on_an_end_of_the_relation(store: Store) -> None:
    load(store, davis())
    years = pa.table({"name": [f"E{n}" for n in range(1, 15)], "day": [float(n % 2) + 0.5 for n in range(1, 15)]})
    load(store, Network({"Event": years}, ()))
    stages = evolve(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2, method="scm"), "Event.day").stages
    assert [len(stage.labels["Event"][0]) for stage in stages] == [7, 7]
    assert not set(stages[0].labels["Event"][0].keys.to_pylist()) & set(stages[1].labels["Event"][0].keys.to_pylist())


@pytest.mark.parametrize(
    ("by", "cut", "sentence"),
    [
        ("Paper.yer", {}, "Paper has no property 'yer'.*did you mean 'year'"),
        ("Term.year", {}, "no relation goes through 'Term', named in Term.year"),
        ("year", {}, "'year' can not be read; write it as Kind.property"),
        (YEAR, {"window": 0}, "window must be a whole number of at least 1, was 0"),
        (YEAR, {"step": 0}, "step must be a whole number of at least 1, was 0"),
        (
            YEAR,
            {"window": 9},
            "gives no snapshot of window 9 and step 1, and an evolution needs two; take a smaller step or",
        ),
        (YEAR, {"since": 2003}, "gives 1 snapshot of window 1"),
        (YEAR, {"since": 2003, "until": 2001}, "since must not be after until, was 2003 and 2001"),
        (YEAR, {"since": -10000}, "gives 12004 snapshots, more than 1000; take a larger step"),
        (YEAR, {"memory": -1}, "memory must be a number from 0"),
    ],
)
def test_time_that_can_not_be_cut(store: Store, by: str, cut: dict[str, int], sentence: str) -> None:
    load(store, papers(SMALL))
    with pytest.raises(ParameterError, match=sentence):
        evolve(store, JOB, by, **cut)  # type: ignore[arg-type]
    assert list_runs(store) == []


def test_time_that_is_no_number(store: Store) -> None:
    load(store, papers(SMALL))
    years = pa.table({"id": pa.array(range(10)), "day": ["monday"] * 10})
    load(store, Network({"Paper": years}, ()))
    with pytest.raises(DataError, match=r"Paper\.day holds text, and snapshots are cut by numbers"):
        evolve(store, JOB, "Paper.day")
    with pytest.raises(DataError, match=r"no Paper that the filters keep has a value in Paper\.year"):
        evolve(store, Job(relation=PUBLISHED, n_clusters=3, method="scm", where="Paper.year > 3000"), YEAR)


def test_a_method_without_constraints_has_no_memory(store: Store) -> None:
    load(store, papers(SMALL))
    job = Job(relation=PUBLISHED, n_clusters=3, method="s-co")
    with pytest.raises(ConstraintError, match=r"s-co takes no must-links.*`memory=0`"):
        evolve(store, job, YEAR)
    assert len(evolve(store, job, YEAR, memory=0).stages) == 4


def test_with_a_method_of_rows_alone_only_rows_remember(store: Store) -> None:
    load(store, papers(SMALL))
    stages = evolve(store, replace(JOB, method="row-only"), YEAR).stages
    assert [stage.name for stage in stages] == ["2000", "2001", "2002", "2003"]
    for stage in stages[1:]:
        assert stage.run
        assert [each["kinds"] for each in stage.run.constraints["met"]] == [["Author"]]


def test_numbers_that_have_gone_are_not_used_again() -> None:
    def stage(**labels: int) -> dict[str, tuple[Nodes, np.ndarray]]:
        return {"Author": (Nodes("Author", sorted(labels)), np.array([labels[key] for key in sorted(labels)]))}

    before = stage(a=0, b=0, c=2, d=2)
    assert follow_numbers(stage(a=1, b=1, e=0, f=0), before, taken=4)["Author"].tolist() == [0, 0, 4, 4]
    assert follow_numbers(stage(a=-1, c=0, d=0), before, taken=4)["Author"].tolist() == [-1, 2, 2]
    assert follow_numbers(stage(e=0), {}, taken=7)["Author"].tolist() == [7]


def test_fractions_belong_to_their_whole_unit() -> None:
    filters = Timeline(YEAR, window=2, since=2000, until=2004).snapshots()[0].filters
    assert [str(each) for each in filters] == ["Paper.year >= 2000", "Paper.year < 2002"]


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ParameterError, match="by is missing"):
        read_evolution(relation=PUBLISHED, n_clusters=3)
    with pytest.raises(ParameterError, match="n_clusters is missing"):
        read_evolution(relation=PUBLISHED, by=YEAR)


def test_a_wrong_memory_is_said_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text(f"relation = '{PUBLISHED}'\nn_clusters = 3\nby = '{YEAR}'\nmemory = 'long'\n")
    with pytest.raises(
        ParameterError, match=r"^the job .*job\.toml, line 4: memory must be a number from 0 to 1e\+06, was 'lo"
    ):
        read_evolution(file)


@pytest.mark.parametrize("n_clusters", ["auto", {"Author": 3, "Venue": 2}])
def test_the_number_of_clusters_may_be_chosen_or_differ_by_kind(store: Store, n_clusters: Any) -> None:
    load(store, papers(SMALL))
    evolved = evolve(store, Job(relation=PUBLISHED, n_clusters=n_clusters, method="scm", write="field"), YEAR)
    assert [stage.name for stage in evolved.stages] == ["2000", "2001", "2002", "2003"]
    for run, stage in zip(list_runs(store), evolved.stages, strict=True):
        assert run.n_clusters == len(stage.clusters) == (3 if n_clusters != "auto" else run.n_clusters)
    assert all(stage.kept for stage in evolve(store, evolved.job, YEAR).stages)
