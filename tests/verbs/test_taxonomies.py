"""Taxonomies in a database: a property a level, a run a level, kept, mended and taken back together; on both."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.network import Edges, Network
from graphmine.errors import ConstraintError, DataError, ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.property_changes import apply
from graphmine.exchange.push import resume, undo
from graphmine.exchange.runs import list_runs
from graphmine.gallery import nested
from graphmine.job import Job, read_job
from graphmine.methods.taxonomy.taxonomy import taxonomy
from graphmine.metrics import nmi, quality
from graphmine.store import Store, connect
from graphmine.verbs.constrain import broken, link_trust
from graphmine.verbs.evolve import evolve, read_evolution
from graphmine.verbs.flow import flow
from graphmine.verbs.mine import mine, plan
from graphmine.verbs.result import Mined
from graphmine.verbs.score import score
from graphmine.verbs.sequences import unwind
from tests.databases import all_values, read, write as change
from tests.snapshots import PUBLISHED, papers

STAR, (FIELDS, TOPICS) = nested(60, 24, seed=1)
JOB = Job(relation=PUBLISHED, n_clusters=4, hierarchy=True, write="topic")
PATH = "Author-WROTE->Paper-IN->Conference"


def load_nested(store: Store) -> None:
    load(store, papers([(STAR, TOPICS)]))


def stands(store: Store, kind: str, property_: str) -> list[int | None]:
    values: list[int | None] = read(store, f"MATCH (n:{kind}) RETURN n.{property_} AS label ORDER BY n.name")[
        "label"
    ].to_pylist()
    return values


def all_levels(mined: Mined) -> list[dict[str, list[int]]]:
    assert mined.taxonomy is not None
    return [{kind: each.tolist() for kind, each in level.labels.items()} for level in mined.taxonomy.levels]


def test_every_level_is_written_to_a_property_of_its_own(store: Store) -> None:
    load_nested(store)
    mined = mine(store, JOB)
    assert mined.taxonomy is not None
    levels = all_levels(mined)
    assert nmi(mined.taxonomy.levels[0].labels["Venue"], FIELDS["Venue"]) == pytest.approx(1)
    assert nmi(mined.clustering.labels["Venue"], TOPICS["Venue"]) == pytest.approx(1)
    for number, labels in enumerate(levels, start=1):
        for kind in ("Author", "Venue"):
            assert stands(store, kind, f"topic_{number}") == labels[kind]
    runs = list_runs(store)
    assert (mined.levels, mined.run, mined.kept) == (tuple(runs), runs[-1], 0)
    assert [(run.property, run.n_clusters, run.parameters["level"], run.parameters["levels"]) for run in runs] == [
        ("topic_1", 2, 1, 2),
        ("topic_2", 4, 2, 2),
    ]
    assert len({run.parameters["taxonomy"] for run in runs}) == 1
    assert [[split["into"] for split in run.parameters["splits"]] for run in runs] == [[[0, 1]], [[0, 2], [1, 3]]]
    assert runs[0].objective == runs[0].parameters["splits"][0]["objective"] is not None
    assert runs[0].parameters["hierarchy"] is True
    assert [run.quality for run in runs] == [quality(mined.star, level) for level in mined.taxonomy.levels]


def test_the_database_adds_nothing_to_the_pure_function(store: Store) -> None:
    load_nested(store)
    mined = mine(store, replace(JOB, write=None, method="s-co", seed=3, n_clusters=6))
    found = taxonomy(mined.star, "s-co", 6, seed=3)
    assert all_levels(mined) == [{kind: each.tolist() for kind, each in one.labels.items()} for one in found.levels]
    assert (mined.run, mined.levels, list_runs(store)) == (None, (), [])


def test_both_databases_give_the_same_taxonomy(neo4j_uri: str, ladybug_path: Path) -> None:
    found = []
    for url in (neo4j_uri, str(ladybug_path)):
        with connect(url) as store:
            load(store, academic(authors=200, noise=0.2, seed=4))
            found.append(all_levels(mine(store, Job(relation=PATH, n_clusters=6, hierarchy=True))))
    assert found[0] == found[1]


def test_a_star_is_split_too(store: Store) -> None:
    load(store, academic(authors=150, terms=30, noise=0.05, seed=2))
    relations = ["Paper<-WROTE-Author", "Paper-IN->Conference", "Paper-MENTIONS->Term"]
    mined = mine(store, Job(relation=relations, n_clusters=4, hierarchy=True, write="topic"))
    assert {kind for run in mined.levels for kind in run.kinds} == {"Paper", "Author", "Conference", "Term"}
    assert mined.clustering.n_clusters == 4
    assert score(store, "last", "known_area")["Conference"].nmi > 0.8


def test_the_last_run_holds_the_leaves(store: Store) -> None:
    load(store, academic(authors=200, noise=0.05, seed=2))
    mine(store, Job(relation=PATH, n_clusters=4, hierarchy=True, write="area"))
    assert score(store, "last", "known_area")["Conference"].nmi > 0.9


def test_the_same_again_writes_nothing(store: Store) -> None:
    load_nested(store)
    first = mine(store, JOB)
    before = all_values(store), list_runs(store)
    again = mine(store, JOB)
    assert (all_values(store), list_runs(store)) == before
    assert (again.kept, again.levels) == (2, first.levels)


def test_the_same_again_follows_a_network_that_has_changed(store: Store) -> None:
    load_nested(store)
    before = all_values(store)
    first = mine(store, JOB)
    change(store, "MATCH (a:Author)-[w:WROTE]->(p:Paper) WHERE a.name < 'a20' DELETE w")
    again = mine(store, JOB)
    assert (again.kept, all_levels(again)[0] == all_levels(first)[0]) == (0, False)
    states = [run.state for run in list_runs(store)]
    assert states == ["undone"] * len(first.levels) + ["complete"] * len(again.levels)
    assert stands(store, "Author", "topic_1") == [
        None if label < 0 else label for label in all_levels(again)[0]["Author"]
    ]
    unwind(store)
    assert all_values(store) == before


def test_levels_that_there_are_no_more_are_undone(store: Store) -> None:
    load_nested(store)
    mine(store, JOB)
    change(store, "MATCH (p:Paper)-[i:`IN`]->(v:Venue) WHERE v.name <> 'v00' AND v.name <> 'v01' DELETE i")
    again = mine(store, JOB)
    assert again.taxonomy is not None
    assert len(again.taxonomy.levels) == 1
    assert [run.property for run in list_runs(store) if run.state == "complete"] == ["topic_1"]


def test_a_level_that_was_undone_is_written_again_with_those_below(store: Store) -> None:
    load_nested(store)
    first = mine(store, JOB)
    values = all_values(store)
    undo(store, first.levels[0])
    again = mine(store, JOB)
    assert again.kept == 0
    assert all_values(store) == values
    assert [run.property for run in list_runs(store) if run.state == "complete"] == ["topic_1", "topic_2"]


def test_a_level_that_another_run_has_taken_over_is_written_again(store: Store) -> None:
    load_nested(store)
    mine(store, JOB)
    values = all_values(store)
    mine(store, Job(relation=PUBLISHED, n_clusters=3, write="topic_2"))
    assert all_values(store) != values
    assert mine(store, JOB).kept == 1
    assert all_values(store) == values


def crash_at(monkeypatch: pytest.MonkeyPatch, store: Store, call: int, where: str = "apply") -> None:
    """Mine with somebody pressing Ctrl-C the ``call``-th time that a step of a push begins."""
    calls = iter(range(100))

    def crash(*given: Any, **options: Any) -> object:
        if next(calls) == call:
            raise KeyboardInterrupt
        return real(*given, **options)

    import graphmine.exchange.push as pushing

    real = getattr(pushing, where)
    with monkeypatch.context() as patch:
        patch.setattr(f"graphmine.exchange.push.{where}", crash)
        with pytest.raises(KeyboardInterrupt):
            mine(store, replace(JOB, n_clusters=6))


@pytest.mark.parametrize("where", ["_begin", "write_trust", "_write_journal", "apply"])
def test_an_interrupted_taxonomy_goes_on_or_is_taken_back(
    store: Store, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_nested(store)
    untouched = all_values(store)
    job = replace(JOB, n_clusters=6)
    levels = len(mine(store, job).levels)
    expected = all_values(store)
    unwind(store)
    assert all_values(store) == untouched
    crash_at(monkeypatch, store, 1, where)
    if where == "_begin":  # between two levels: nothing of the second is on record
        assert [run.state for run in list_runs(store)][levels:] == ["complete"]
    else:
        with pytest.raises(RunError, match="on 'topic_2' was interrupted"):
            mine(store, job)
        ended = resume(store, "last")
        assert ended.state == ("complete" if where == "apply" else "undone")
    again = mine(store, job)
    assert again.kept == (2 if where == "apply" else 1)
    assert all_values(store) == expected
    assert mine(store, job).kept == levels
    unwind(store)
    assert all_values(store) == untouched


@pytest.mark.parametrize("where", ["_begin", "write_trust", "_write_journal", "apply", "_finish"])
@pytest.mark.parametrize("level", [1, 2])
def test_an_interrupted_taxonomy_is_unwound_as_a_whole(
    store: Store, where: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_nested(store)
    untouched = all_values(store)
    crash_at(monkeypatch, store, level, where)
    undone = unwind(store, "last")
    assert [run.property for run in undone] == [f"topic_{n}" for n in range(level + (where != "_begin"), 0, -1)]
    assert all_values(store) == untouched
    assert {run.state for run in list_runs(store)} == {"undone"}
    with pytest.raises(RunError, match="there is no evolution or taxonomy 'last'"):
        unwind(store)


def test_an_unwinding_that_was_interrupted_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load_nested(store)
    untouched = all_values(store)
    name = mine(store, JOB).levels[0].parameters["taxonomy"]
    calls = iter(range(9))

    def crash(*given: Any, **options: Any) -> object:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return apply(*given, **options)

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", crash)
        with pytest.raises(KeyboardInterrupt):
            unwind(store, name)
    assert [run.state for run in list_runs(store)] == ["writing", "undone"]
    assert [run.property for run in unwind(store, name)] == ["topic_1"]
    assert all_values(store) == untouched


def test_values_of_others_on_any_level_stop_all_of_it(store: Store) -> None:
    load_nested(store)
    load(store, Network({"Venue": pa.table({"name": ["v00"], "topic_2": [7]})}, ()))
    before = all_values(store)
    with pytest.raises(RunError, match=r"Venue\.topic_2 holds 1 values that graphmine did not write.*`overwrite=True`"):
        mine(store, JOB)
    assert (all_values(store), list_runs(store)) == (before, [])
    assert len(mine(store, replace(JOB, overwrite=True)).levels) == 2
    unwind(store)
    assert all_values(store) == before


def test_a_taxonomy_does_not_take_the_properties_of_another_nor_of_an_evolution(store: Store) -> None:
    load_nested(store)
    name = mine(store, JOB).levels[0].parameters["taxonomy"]
    before = all_values(store)
    sentence = f"'topic_1' belongs to the taxonomy {name}, which was made in another way.*runs unwind {name}"
    with pytest.raises(RunError, match=sentence):
        mine(store, replace(JOB, n_clusters=5))
    assert all_values(store) == before
    unwind(store, name)
    change(store, "MATCH (p:Paper) SET p.year = 1")
    change(store, "MATCH (p:Paper) WHERE p.id % 2 = 0 SET p.year = 2")
    flat = replace(JOB, hierarchy=False, method="scm")
    evolved = evolve(store, flat, "Paper.year")
    with pytest.raises(RunError, match=f"'topic_1' belongs to the evolution {evolved.name}"):
        mine(store, JOB)
    unwind(store, evolved.name)
    mine(store, JOB)
    with pytest.raises(RunError, match=f"'topic_1' belongs to the taxonomy {name}"):
        evolve(store, flat, "Paper.year")
    with pytest.raises(RunError, match="there is no evolution 'last'"):
        flow(store)


def test_rules_hold_on_every_level_and_are_told_of_each(store: Store) -> None:
    load_nested(store)
    rules = [
        'must these {"Author": ["a00", "a01", "a02", "a03"]}; hard; name friends',
        'cannot these {"Author": ["a10", "a11"]}; hard; name rivals',
    ]
    mined = mine(store, replace(JOB, n_clusters=6, constrain=rules))
    assert mined.taxonomy is not None
    for level in mined.taxonomy.levels:
        assert len(set(level.labels["Author"][:4].tolist())) == 1
    assert mined.clustering.labels["Author"][10] != mined.clustering.labels["Author"][11]
    for run in mined.levels:
        assert [each["rule"] for each in run.constraints["met"]] == ["friends", "rivals"]
        assert run.constraints["met"][0]["broken"] == 0
        assert not broken(store, run)[0].pairs
    assert link_trust(store, mined.levels[0]).num_rows == 2
    with pytest.raises(RunError, match="is level 2 of a taxonomy; only with the first level is trust on record"):
        link_trust(store, mined.levels[1])


def test_contradictions_are_refused_before_any_split(store: Store) -> None:
    load_nested(store)
    rules = [f'{sense} these {{"Author": ["a00", "a01"]}}; hard' for sense in ("must", "cannot")]
    with pytest.raises(ConstraintError, match="say what gives way with `on_conflict=`"):
        mine(store, replace(JOB, constrain=rules))
    mined = mine(store, replace(JOB, constrain=rules, on_conflict="drop-cannot"))
    assert mined.given_up == 1
    assert mined.levels[-1].constraints["given_up"] == 1


def test_nodes_without_links_get_no_label_on_any_level(store: Store) -> None:
    load_nested(store)
    load(store, Network({"Author": pa.table({"name": ["zed"]})}, ()))
    for run in mine(store, JOB).levels:
        assert stands(store, "Author", run.property)[-1] is None
        assert run.counts["Author"]["unplaced"] == 1


@pytest.mark.parametrize("property_", ["a b", "na`ïve", "`", "x'y"])
def test_odd_names(store: Store, property_: str) -> None:
    women = davis()
    kinds = {"Wo man`": women.nodes["Woman"], "Év ent": women.nodes["Event"]}
    (edges,) = women.relationships
    load(store, Network(kinds, (Edges("Wo man`", "A t`", "Év ent", edges.table),)))
    before = all_values(store)
    relation = "`Wo man```-`A t```->`Év ent`"
    mined = mine(store, Job(relation=relation, n_clusters=4, hierarchy=True, write=property_))
    assert [run.property for run in mined.levels] == [f"{property_}_1", f"{property_}_2"]
    assert mine(store, mined.job).kept == 2
    unwind(store, mined.levels[0].parameters["taxonomy"])
    assert all_values(store) == before


def test_a_network_without_structure_is_one_leaf_on_one_level(store: Store) -> None:
    edges = pa.table({"source": ["a", "a", "b", "b"], "target": [1, 2, 1, 2]})
    kinds = {"A": pa.table({"name": ["a", "b"]}), "B": pa.table({"name": [1, 2]})}
    load(store, Network(kinds, (Edges("A", "T", "B", edges),)))
    mined = mine(store, Job(relation="A-T->B", n_clusters=2, hierarchy=True, write="topic"))
    assert all_levels(mined) == [{"A": [0, 0], "B": [0, 0]}]
    assert [run.n_clusters for run in mined.levels] == [1]


def test_what_can_not_be_split_at_all_is_one_sentence(store: Store) -> None:
    load_nested(store)
    with pytest.raises(DataError, match="no Author is linked to any Venue"):
        mine(store, replace(JOB, where="Paper.year > 9999"))
    with pytest.raises(ParameterError, match="the network can not be split in two: n_clusters must be at most 1"):
        mine(store, replace(JOB, where="Venue.name = v00"))
    assert list_runs(store) == []


def test_a_plan_counts_what_stands_on_the_first_level(store: Store) -> None:
    load_nested(store)
    assert plan(store, JOB).writes == {"Author": 0, "Venue": 0}
    mine(store, JOB)
    found = plan(store, JOB)
    assert (found.written, found.writes) == ("topic_1", {"Author": 60, "Venue": 24})


@pytest.mark.parametrize("n_clusters", ["auto", 1, {"Author": 2, "Venue": 2}])
def test_a_hierarchy_has_a_number_of_leaves(n_clusters: Any) -> None:
    with pytest.raises(ParameterError, match="a hierarchy needs a number of leaves, at least 2, for all kinds"):
        Job(relation=PUBLISHED, n_clusters=n_clusters, method="scm", hierarchy=True)


def test_jobs_that_ask_for_no_hierarchy_there_is(tmp_path: Path, store: Store) -> None:
    file = tmp_path / "job.toml"
    file.write_text(f"relation = '{PUBLISHED}'\nn_clusters = 4\nhierarchy = 'yes'\n")
    with pytest.raises(ParameterError, match="hierarchy must be true or false, was 'yes'"):
        read_job(file)
    file.write_text(f"relation = '{PUBLISHED}'\nn_clusters = 4\nhierarchy = true\nby = 'Paper.year'\n")
    with pytest.raises(ParameterError, match=r"job\.toml, line 3: the snapshots of an evolution have no taxonomies"):
        read_evolution(file)
    with pytest.raises(ParameterError, match="the snapshots of an evolution have no taxonomies"):
        evolve(store, JOB, "Paper.year")
    assert read_evolution(file, hierarchy=False)[0].hierarchy is False


def test_levels_are_numbers_that_stay(store: Store) -> None:
    load_nested(store)
    mined = mine(store, replace(JOB, n_clusters=6))
    text = "MATCH (a:Author) RETURN DISTINCT a.topic_1 AS one, a.topic_2 AS two, a.topic_3 AS three"
    paths = {(row["one"], row["two"], row["three"]) for row in read(store, text).to_pylist()}
    assert mined.taxonomy is not None
    leaves = [leaf for leaf in mined.taxonomy.leaves if len(leaf.members["Author"])]
    assert len(paths) == len(leaves)
    assert sorted(path[-1] for path in paths) == [leaf.number for leaf in leaves]
    assert np.all([path[0] in (0, 1) for path in paths])
