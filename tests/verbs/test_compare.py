"""Runs side by side, on both databases: agreement, moves, overlap."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

import graphmine as gm
from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.runs import Run, find_complete, find_named
from graphmine.metrics import score
from graphmine.model import UNPLACED, Clustering
from graphmine.report.pages.compare import compared_page
from graphmine.store import Store
from graphmine.verbs.compare import Overlap, compare

WOMEN = "Woman-ATTENDED->Event"
HALVES = {"Woman": [0] * 9 + [1] * 9, "Event": [0] * 7 + [1] * 7}


def written(
    store: Store, labels: Mapping[str, Sequence[int]], property_: str = "circle", relation: str = WOMEN, where: str = ""
) -> Run:
    star = pull(store, [relation], where=[where] if where else [])
    return push(store, star, Clustering({kind: np.array(own) for kind, own in labels.items()}), Run(property_))


def test_a_run_agrees_with_itself(store: Store) -> None:
    load(store, davis())
    run = written(store, HALVES)
    found = compare(store, run.id, "last", run)
    assert [(each.kind, each.nodes) for each in found.agreements] == 3 * [("Woman", 18)] + 3 * [("Event", 14)]
    for each in found.agreements:
        assert (each.ami, each.ari, each.nmi) == pytest.approx((1, 1, 1))
    assert {(each.kind, each.stayed, each.moved, each.new, each.gone) for each in found.changes} == {
        ("Woman", 18, 0, 0, 0),
        ("Event", 14, 0, 0, 0),
    }
    assert (found.moves, found.left_out) == ((), {})
    assert {each.jaccard for each in found.overlaps} == {1.0}
    assert found.followers == ({0: 0, 1: 1}, {0: 0, 1: 1})


def test_other_numbers_are_no_moves(store: Store) -> None:
    load(store, davis())
    written(store, HALVES)
    written(store, {kind: [{0: 9, 1: 4}[each] for each in own] for kind, own in HALVES.items()})
    found = compare(store, "circle~1", "circle")  # the later run has written over the labels of the earlier
    assert found.followers == ({9: 0, 4: 1},)
    assert [each.moved for each in found.changes] == [0, 0]
    assert found.agreements[0].ari == 1
    assert [(each.cluster, each.match) for each in found.overlaps] == [(0, 9), (1, 4), (0, 9), (1, 4)]


def test_moves_overlaps_and_nodes_in_one_alone(store: Store) -> None:
    load(store, davis())
    nodes = pull(store, [WOMEN]).nodes("Woman").keys.to_pylist()
    women = [5] * 7 + [3] * 2 + [3] * 8 + [UNPLACED]
    first = written(store, HALVES, "a b")
    second = written(store, {"Woman": women, "Event": [5] * 7 + [3] * 6 + [8]}, "naïve `x`")
    found = compare(store, "a b", "naïve `x`", examples=1)
    (moved, event) = found.moves
    assert (moved.before, moved.after, moved.kind) == (first.id, second.id, "Woman")
    assert (moved.source, moved.target, moved.nodes, moved.keys) == (0, 3, 2, (nodes[7],))
    assert (event.source, event.target, event.nodes) == (1, 8, 1)
    assert [(each.kind, each.stayed, each.moved, each.gone, each.new) for each in found.changes] == [
        ("Woman", 15, 2, 1, 0),
        ("Event", 13, 1, 0, 0),
    ]
    assert found.overlaps[0] == Overlap(first.id, second.id, "Woman", 0, 9, 5, 7, 7, 7 / 9)
    assert found.overlaps[1] == Overlap(first.id, second.id, "Woman", 1, 9, 3, 10, 8, 8 / 11)
    expected = score(women[:17], HALVES["Woman"][:17])
    agreement = found.agreements[0]
    assert agreement.nodes == 17
    assert (agreement.ami, agreement.ari, agreement.nmi) == pytest.approx((expected.ami, expected.ari, expected.nmi))
    back = compare(store, second, first).changes
    assert [(each.stayed, each.moved, each.gone, each.new) for each in back] == [(15, 2, 0, 1), (13, 1, 0, 0)]
    assert compare(store, first, second, kind="Event").moves == (event,)


def test_runs_without_a_node_in_common(store: Store) -> None:
    load(store, davis())
    written(store, {"Woman": [0], "Event": [0] * 14}, "one", where="Woman.name = 'Laura Mandeville'")
    written(store, {"Woman": [1], "Event": [UNPLACED] * 14}, "two", where="Woman.name = 'Ruth DeSand'")
    found = compare(store, "one", "two")
    assert [(each.nodes, each.ami) for each in found.agreements] == [(0, None), (0, None)]
    assert [(each.stayed, each.moved, each.gone, each.new) for each in found.changes] == [(0, 0, 1, 1), (0, 0, 14, 0)]
    assert [(each.match, each.shared, each.jaccard) for each in found.overlaps] == 2 * [(None, 0, 0.0)]
    assert len(list(compared_page(found).sheet.rows)) == 16


def test_what_can_not_be_compared_is_one_sentence(store: Store) -> None:
    load(store, davis())
    load(store, karate())
    with pytest.raises(RunError, match="there is no run 'last' in"):
        compare(store, "last", "last")
    run = written(store, HALVES)
    with pytest.raises(ParameterError, match=r"^there is nothing to compare with one run; name two or more$"):
        compare(store, run)
    with pytest.raises(ParameterError, match=r"^there is nothing to compare with no run; name two or more$"):
        compare(store)
    with pytest.raises(RunError, match=r"^there is no run 'nothing' in .*; `graphmine runs list` shows them all$"):
        compare(store, run, "nothing")
    with pytest.raises(RunError, match=r"^there is only one complete run of 'circle', and so no 'circle~1'; "):
        compare(store, "circle", "circle~1")
    with pytest.raises(ParameterError, match=r"^the runs have no kind 'Wman', only Woman, Event \(did you mean"):
        compare(store, run, run, kind="Wman")
    member = written(store, {"Member": [0] * 17 + [1] * 17}, "side", "Member-MET-Member")
    with pytest.raises(
        RunError, match=rf"^the runs have no kind in common, .*: run {run.id} clustered Woman and Event"
    ):
        compare(store, run, member)
    with pytest.raises(RunError, match=rf"^Member has clusters in run {member.id} alone; leave `kind=` out"):
        compare(store, run, member, kind="Member")
    found = compare(store, run, member, run)
    assert list(found.left_out) == ["Member"]
    assert len(found.agreements) == 2
    assert "–" not in str(next(iter(found.left_out.values())))
    undo(store, run)
    with pytest.raises(RunError, match=rf"^run {run.id} is undone, and its labels are gone; "):
        compare(store, run, member)


def test_names_of_properties_come_before_the_beginnings_of_runs(store: Store) -> None:
    load(store, davis())
    dated = written(store, HALVES, "2")  # the names of all runs begin so
    tilde = written(store, HALVES, "2~0")
    older = written(store, HALVES, "circle")
    newer = written(store, HALVES, "circle")
    assert find_complete(store, "2") == dated
    assert find_complete(store, "2~0") == tilde
    assert [find_complete(store, f"circle{back}") for back in ("", "~0", "~1")] == [newer, newer, older]
    assert find_complete(store, "last") == find_complete(store, newer.id[:-1]) == newer
    with pytest.raises(RunError, match=r"^there are only 2 complete runs of 'circle', and so no 'circle~2'"):
        find_complete(store, "circle~2")
    with pytest.raises(RunError, match="several runs begin with '20'"):
        find_complete(store, "20")
    with pytest.raises(ParameterError, match="the name of the run is empty"):
        find_complete(store, "")
    undo(store, newer)
    assert [find_named(store, name).id for name in ("2", "circle", newer.id)] == [dated.id, older.id, newer.id]
    assert find_named(store, newer).state == "undone"


def test_every_verb_that_looks_at_a_run_takes_the_name_of_its_property(store: Store) -> None:
    load(store, davis())
    older, newer = (gm.mine(store, gm.Job(relation=WOMEN, n_clusters=k, write="circle")).run for k in (2, 3))
    other = gm.mine(store, gm.Job(relation=WOMEN, n_clusters=2, write="other")).run
    assert older
    assert newer
    assert other
    for name, run in {"circle": newer, "circle~1": older, "other": other}.items():
        assert gm.recall(store, name).run == run
        assert gm.score(store, name, "circle") == gm.score(store, run, "circle")
    assert gm.score(store, "circle", "circle")["Woman"].ari == 1 != gm.score(store, "circle~1", "circle")["Woman"].ari
    assert gm.query(store, "sizes", run="circle") == gm.query(store, "sizes", run=newer)
    assert gm.query(store, "sizes", run="circle") != gm.query(store, "sizes", run="other")
    with pytest.raises(RunError, match="there is only one complete run of 'other', and so no 'other~1'"):
        gm.score(store, "other~1", "circle")
    undo(store, other)
    with pytest.raises(RunError, match=f"run {other.id} is undone; only a complete run can be scored"):
        gm.score(store, other.id, "circle")
    with pytest.raises(RunError, match="there is no run 'other' in"):
        gm.score(store, "other", "circle")
