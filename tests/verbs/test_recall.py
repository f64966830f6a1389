"""Runs brought back from a database: the labels they wrote, on the network as it is now."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.datasets.network import Edges, Network
from graphmine.errors import GraphmineError, ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.runs import Run
from graphmine.job import Job
from graphmine.model import UNPLACED, Clustering
from graphmine.store import Store, connect
from graphmine.verbs.evolve import evolve
from graphmine.verbs.mine import mine
from graphmine.verbs.recall import parts_of, recall
from graphmine.verbs.result import Mined
from tests.databases import write

WOMEN = "Woman-ATTENDED->Event"


def same(store: Store, mined: Mined) -> None:
    again = recall(store, mined.run or "last")
    assert again.run == mined.run
    assert [arm.name for arm in again.star.arms] == [arm.name for arm in mined.star.arms]
    for one, other in zip(again.star.arms, mined.star.arms, strict=True):
        np.testing.assert_array_equal(one.block.toarray(), other.block.toarray())
    for nodes in mined.star.kinds:
        assert again.star.nodes(nodes.kind) == nodes
        np.testing.assert_array_equal(again.clustering.labels[nodes.kind], mined.clustering.labels[nodes.kind])
    assert not any(again.new.values())
    assert not any(again.gone.values())


def test_what_was_mined_comes_back(store: Store) -> None:
    load(store, davis())
    load(store, karate())
    load(store, academic(authors=30, papers=60, conferences=6, terms=10, areas=3))
    star = ["Paper<-WROTE-Author", "Paper-IN->Conference"]
    same(store, mine(store, Job(relation=WOMEN, n_clusters=2, write="circle")))
    same(store, mine(store, Job(relation="Member-MET{times}-Member", n_clusters=2, method="fcsc", write="club")))
    same(store, mine(store, Job(relation=star, n_clusters=3, where=["Paper.year >= 2010"], write="area")))
    tree = mine(
        store,
        Job(relation="Author-WROTE->Paper-IN->Conference", n_clusters=3, method="s-co", hierarchy=True, write="topic"),
    )
    assert tree.taxonomy is not None
    for run, level in zip(tree.levels, tree.taxonomy.levels, strict=True):
        np.testing.assert_array_equal(recall(store, run).clustering.labels["Author"], level.labels["Author"])


def test_a_snapshot_comes_back_with_its_filters(store: Store) -> None:
    load(store, academic(authors=30, papers=60, conferences=6, terms=10, areas=3))
    job = Job(relation="Author-WROTE->Paper-IN->Conference", n_clusters=3, method="scm", write="area")
    stages = evolve(store, job, "Paper.year", window=10, step=10, since=2006, until=2025).stages
    blocks = []
    for stage in stages:
        again = recall(store, stage.run or "")
        np.testing.assert_array_equal(again.clustering.labels["Author"], stage.labels["Author"][1])
        blocks.append(again.star.arms[0].block)
    assert blocks[0].sum() != blocks[1].sum()


def test_nodes_that_are_new_or_gone_are_counted(store: Store) -> None:
    load(store, davis())
    mined = mine(store, Job(relation=WOMEN, n_clusters=2, write="circle"))
    write(store, "MATCH (w:Woman {name: 'Evelyn Jefferson'}) DETACH DELETE w")
    new = {"Woman": pa.table({"name": ["Åsa `$x$`", "Zoë"]}), "Event": pa.table({"name": ["E1"]})}
    load(store, Network(new, (Edges("Woman", "ATTENDED", "Event", pa.table({"source": ["Zoë"], "target": ["E1"]})),)))
    again = recall(store, "last")
    assert again.new == {"Woman": 2, "Event": 0}
    assert again.gone == {"Woman": 1, "Event": 0}
    labels = dict(zip(again.star.nodes("Woman").keys.to_pylist(), again.clustering.labels["Woman"], strict=True))
    assert labels["Zoë"] == labels["Åsa `$x$`"] == UNPLACED
    before = mined.star.nodes("Woman").keys.to_pylist()
    for name, label in zip(before, mined.clustering.labels["Woman"], strict=True):
        assert name == "Evelyn Jefferson" or labels[name] == label


def test_a_key_that_was_named_is_known_again(store: Store) -> None:
    rows = {"Person": pa.table({"id": [1, 2, 3], "name": ["c", "b", "a"]}), "Club": pa.table({"id": [1, 2]})}
    links = Edges("Person", "IN", "Club", pa.table({"source": [1, 2, 3], "target": [1, 2, 2]}))
    load(store, Network(rows, (links,)))
    same(store, mine(store, Job(relation="Person-IN->Club", n_clusters=2, key=["Person.name"], write="group")))
    assert recall(store).keys == {"Person": "name", "Club": "id"}


def test_what_can_not_come_back_is_one_sentence(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    load(store, davis())
    with pytest.raises(RunError, match="there is no run 'last'"):
        recall(store)
    file = tmp_path / "mine.cypher"
    file.write_text("MATCH (w:Woman)-[:ATTENDED]->(e:Event) RETURN w.name AS row, e.name AS col", encoding="utf-8")
    by_file = mine(store, Job(relation="Woman-[mine.cypher]->Event", n_clusters=2, write="by_file"))
    same(store, by_file)
    file.rename(tmp_path / "moved.cypher")
    with pytest.raises(ParameterError, match=r"can not be pulled any more: the query file mine.cypher can not be read"):
        recall(store)
    assert recall(store, relations="Woman-[moved.cypher]->Event").star.arms[0].nnz == by_file.star.arms[0].nnz
    assert by_file.run
    undo(store, by_file.run)
    with pytest.raises(RunError, match="is undone, and its labels are gone"):
        recall(store, by_file.run.id)
    star = pull(store, WOMEN)
    labels = Clustering({nodes.kind: np.zeros(len(nodes), np.int64) for nodes in star.kinds})
    push(store, star, labels, Run("bare"))
    with pytest.raises(RunError, match="does not say what it was pulled with"):
        recall(store)
    assert recall(store, relations=WOMEN).new == {"Woman": 0, "Event": 0}

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphmine.exchange.push.apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        push(store, star, labels, Run("half", relations=(WOMEN,)))
    with pytest.raises(RunError, match="was interrupted; end it with"):
        recall(store)


def test_a_result_has_several_forms() -> None:
    with connect(":memory:") as store:
        load(store, davis())
        mined = mine(store, Job(relation=WOMEN, n_clusters=2))
    assert parts_of(mined) == (mined.star, mined.clustering, None)
    assert parts_of((mined.star, mined.clustering))[0] is mined.star
    with pytest.raises(GraphmineError, match="one label for each node of Woman"):
        parts_of((mined.star, Clustering({"Event": mined.clustering.labels["Event"]})))
    with pytest.raises(ParameterError, match="was str"):
        parts_of("last")  # type: ignore[arg-type]
