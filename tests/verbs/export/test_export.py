"""Results in other tools' hands: what was exported reads back the same, and nothing half-written is left."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import csr_array

from graphmine.datasets.csv_files import read_csv
from graphmine.datasets.graph_files import read_graphml
from graphmine.datasets.karate import karate
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.load import load
from graphmine.exchange.schema import schema
from graphmine.files import placing
from graphmine.job import Job
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star
from graphmine.store import Store, connect
from graphmine.verbs.export.export import export
from graphmine.verbs.export.frames import to_arrow, to_networkx, to_pandas
from graphmine.verbs.mine import mine
from graphmine.verbs.recall import Recalled, recall
from tests.databases import all_values, fresh

KIND, TYPE, OTHER = "odd `kind", "is, in", "naïve/é"


def odd_network() -> Network:
    """Keys that are equal over kinds, a text key that looks like a number, names that need quoting, empty values."""
    nodes = {
        KIND: pa.table({
            "name": ["1", "2", "3", "$x$, \"y\"\n<&>"], "born": [1900, None, 1920, 1930],
            "share": [0.1, None, 2.0, 1e-9], "true": [True, False, None, True], "kind": ["a", "b", None, "007"],
        }),
        OTHER: pa.table({"id": [1, 2, 3], "cluster": ["x", "y", None]}),
    }  # fmt: skip
    table = {"source": ["1", "1", "2", "3", nodes[KIND]["name"][3].as_py()], "target": [1, 2, 2, 3, 3]}
    return Network(nodes, (Edges(KIND, TYPE, OTHER, pa.table(table | {"weight": [1.5, 2.0, 0.25, 4.0, 1.0]})),))


@pytest.fixture
def odd(store: Store) -> Recalled:
    """A run over odd names, on each database."""
    load(store, odd_network())
    job = Job(relation=f"`odd ``kind`-`{TYPE}`{{weight}}->`{OTHER}`", n_clusters=2, method="s-co", write="group")
    mine(store, job)
    return recall(store)


def labels_of(found: Recalled) -> dict[tuple[str, str], int]:
    return {
        (nodes.kind, str(key)): label
        for nodes in found.star.kinds
        for key, label in zip(nodes.keys.to_pylist(), found.clustering.labels[nodes.kind].tolist(), strict=True)
    }


def weights_of(found: Recalled) -> dict[tuple[str, str], float]:
    (arm,) = found.star.arms
    pairs = arm.block.tocoo()
    return {
        (str(arm.rows[int(row)]), str(arm.cols[int(col)])): weight
        for row, col, weight in zip(pairs.row, pairs.col, pairs.data.tolist(), strict=True)
    }


def graph_holds(graph: Any, found: Recalled) -> None:
    nodes = {node: (told["kind"], str(told["key"])) for node, told in graph.nodes(data=True)}
    assert {nodes[node]: told["cluster"] for node, told in graph.nodes(data=True)} == labels_of(found)
    links = {(nodes[one][1], nodes[other][1]): told["weight"] for one, other, told in graph.edges(data=True)}
    assert links == weights_of(found)
    assert {told["type"] for _, _, told in graph.edges(data=True)} == {TYPE}
    by_key = {nodes[node]: told for node, told in graph.nodes(data=True)}
    assert by_key[KIND, "1"]["born"] == 1900
    assert by_key[KIND, "1"]["share"] == 0.1
    assert by_key[KIND, "2"]["true"] is False
    assert by_key[KIND, "1"]["kind_"] == "a"
    assert by_key[OTHER, "1"]["cluster_"] == "x"
    assert "born" not in by_key[KIND, "2"]
    assert "group" not in by_key[KIND, "1"]


def test_everything_reads_back(store: Store, odd: Recalled, tmp_path: Path) -> None:
    export(store, tmp_path / "x.graphml")
    graph = nx.read_graphml(tmp_path / "x.graphml")
    for told in graph.nodes.values():
        told["key"] = told.pop({KIND: "name", OTHER: "id"}[told["kind"]])
    graph_holds(graph, odd)
    assert json.loads(nx.read_graphml(tmp_path / "x.graphml").graph["run"])["id"] == odd.run.id
    export(store, tmp_path / "x.json")
    document = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    graph_holds(nx.node_link_graph(document, edges="edges"), odd)
    assert document["graph"]["run"]["method"] == "s-co"
    graph_holds(to_networkx(odd, store=store, directed=True), odd)

    done = export(store, tmp_path / "csv")
    files = {name: tmp_path / "csv" / file for name, file in done.files.items()}
    kinds = {name: files[name] for name in (KIND, OTHER)}
    (pattern,) = files.keys() - kinds.keys()
    again = read_csv(kinds, {pattern: files[pattern]})
    rows = again.nodes[KIND].to_pylist()
    assert {(KIND, row["name"]): row["cluster"] for row in rows} == {
        key: label for key, label in labels_of(odd).items() if key[0] == KIND
    }
    before = {row["name"]: row for row in odd_network().nodes[KIND].to_pylist()}
    assert {row["name"]: {name: row[name] for name in before["1"]} for row in rows} == before
    links = again.relationships[0].table.to_pylist()
    assert {(row["source"], str(row["target"])): row["weight"] for row in links} == weights_of(odd)
    frame = pd.read_csv(files[pattern])
    assert frame["weight"].sum() == pytest.approx(8.75)
    assert json.loads((tmp_path / "csv" / "run.json").read_text(encoding="utf-8"))["id"] == odd.run.id

    done = export(store, tmp_path / "parquet", form="parquet")
    table = pq.read_table(tmp_path / "parquet" / done.files[OTHER])
    assert table.column_names == ["id", "cluster", "cluster_"]
    assert table["cluster_"].to_pylist() == ["x", "y", None]
    links = pq.read_table(tmp_path / "parquet" / done.files[pattern]).to_pylist()
    assert {(row["source"], str(row["target"])): row["weight"] for row in links} == weights_of(odd)

    export(store, tmp_path / "labels.parquet")
    export(store, tmp_path / "labels.csv")
    labels = pq.read_table(tmp_path / "labels.parquet")
    assert labels.equals(to_arrow(odd))
    assert json.loads(labels.schema.metadata[b"graphmine.run"])["id"] == odd.run.id
    frame = pd.read_csv(tmp_path / "labels.csv", dtype={"key": str})
    assert dict(zip(zip(frame["kind"], frame["key"], strict=True), frame["cluster"], strict=True)) == labels_of(odd)
    assert json.loads((tmp_path / "labels.run.json").read_text(encoding="utf-8"))["property"] == "group"


def keyed(first: str, second: str) -> Network:
    """Keys of either type, and properties that are of another type in the other kind, or have names of the file's."""
    ours = {
        "year": [1900, None, 2**60],
        "share": [0.1, None, 1e-9],
        "id_": [True, False, None],
        "type": ["k", None, ""],
    }
    others = {"year": ["1900", None, "naïve <&> \r"], "share": [1, 2, None], "weight": [1, 2, 3]}
    nodes = {
        "a:b": pa.table({first: ["007", "x\ry", " z\r\n"]} | ours),
        "B": pa.table({second: [7, -1, 2**60]} | others),
    }
    ends = pa.table({"source": ["007", "x\ry", " z\r\n"], "target": [7, 7, -1]})
    return Network(nodes, (Edges("a:b", "IN", "B", ends),))


@pytest.mark.parametrize(("first", "second"), [("id", "id"), ("key", "key_"), ("kind", "cluster"), ("labels", "kind")])
def test_graphml_goes_back_into_its_database_and_into_an_empty_one(
    store: Store, tmp_path: Path, first: str, second: str
) -> None:
    load(store, keyed(first, second))
    mine(store, Job(relation="`a:b`-IN->B", n_clusters=1, method="s-co", write="group"))
    export(store, tmp_path / "x.graphml")
    before = all_values(store)
    for number in range(2):
        loaded = load(store, read_graphml(tmp_path / "x.graphml", nodes_only=True))
        assert loaded.created == 0
        assert sum(each.updated for each in loaded.nodes.values()) == (0 if number else 5)  # one of B has no links
        after = all_values(store)
        labels = {"a:b.cluster", "B.cluster_" if second == "cluster" else "B.cluster"}
        assert {name: values for name, values in after.items() if name not in labels} == before
        assert [len(after[name]) for name in sorted(labels)] == [3, 3]
    with fresh(store) as empty:
        loaded = load(empty, read_graphml(tmp_path / "x.graphml"))
        assert loaded.created == 9
        assert {kind.name: kind.key for kind in schema(empty).kinds} == {"a:b": first, "B": second}
        again = load(empty, read_graphml(tmp_path / "x.graphml"))
        assert (again.created, [each.updated for each in again.nodes.values()]) == (0, [0, 0])
        there = all_values(empty)
        assert {name: there[name] for name in before if not name.endswith(".group")} == {
            name: values for name, values in before.items() if not name.endswith(".group")
        }


def star() -> tuple[Star, Clustering]:
    a, b = Nodes("A", [1, 2]), Nodes("B", [1, 2, 3])
    one = Relation(a, b, csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])), "A-X->B")
    other = Relation(a, b, csr_array(np.array([[5.0, 0.0, 0.0], [0.0, 0.0, 0.0]])), "A<-Y-B")
    return Star((one, other)), Clustering({"A": np.array([0, UNPLACED]), "B": np.array([0, 1, 1])})


def test_results_need_no_database(tmp_path: Path) -> None:
    frame = to_pandas(star())
    assert frame["cluster"].isna().tolist() == [False, True, False, False, False]
    assert frame["key"].tolist() == [1, 2, 1, 2, 3]
    assert str(frame["cluster"].dtype) == "Int64"
    graph = to_networkx(star(), directed=True)
    assert graph.is_multigraph()
    assert sorted((one, other, told["type"], told["weight"]) for one, other, told in graph.edges(data=True)) == [
        (("A", 1), ("B", 1), "X", 1.0),
        (("A", 1), ("B", 2), "X", 2.0),
        (("A", 2), ("B", 3), "X", 3.0),
        (("B", 1), ("A", 1), "Y", 5.0),
    ]
    assert "cluster" not in graph.nodes["A", 2]
    assert not to_networkx(star()).is_directed()
    done = export(star(), tmp_path / "x.graphml")
    assert done.links == {"A-X->B": 3, "B-Y->A": 1}
    read = nx.read_graphml(tmp_path / "x.graphml")
    assert sorted(told["weight"] for _, _, told in read.edges(data=True)) == [1, 2, 3, 5]


def test_a_graph_of_one_kind_has_each_link_once(tmp_path: Path) -> None:
    with connect(":memory:") as store:
        load(store, karate())
        mined = mine(store, Job(relation="Member-MET{times}-Member", n_clusters=2, method="fcsc"))
    graph = to_networkx(mined)
    expected = nx.karate_club_graph()
    done = export(mined, tmp_path / "k")
    assert graph.number_of_edges() == expected.number_of_edges() == done.links["Member-MET->Member"]
    assert graph.size("weight") == expected.size("weight")


@pytest.mark.parametrize(
    ("path", "form", "sentence"),
    [
        ("x.xlsx", None, "output must end in .csv, .parquet, .graphml, .json, or be a folder"),
        ("x.graphm", None, "did you mean 'graphml'"),
        ("x.csv", "json", "ends in .csv, and `form=` says json"),
        ("x.csv", "cvs", "as must be one of csv, parquet, graphml, json, was 'cvs' .did you mean 'csv'"),
        ("no/x.csv", None, "its folder does not exist"),
        ("there", "graphml", "is a folder, and graphml is one file; name the file"),
        ("full", None, "is a folder that holds files; say `overwrite=True`"),
        ("there.json", None, "is there already; say `overwrite=True`"),
        ("beside.csv", None, "'.*beside.run.json' is there already"),
    ],
)
def test_what_can_not_be_written_is_one_sentence(tmp_path: Path, path: str, form: str | None, sentence: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "full").mkdir()
    for file in ("full/mine.txt", "there.json", "beside.run.json"):
        (tmp_path / file).write_text("mine", encoding="utf-8")
    with pytest.raises(ParameterError, match=sentence):
        export(star(), tmp_path / path, form=form)
    assert (tmp_path / "there.json").read_text(encoding="utf-8") == "mine"


def test_overwriting_leaves_other_files_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    export(star(), tmp_path / "out")
    (tmp_path / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "out" / "A.csv").write_text("old", encoding="utf-8")
    export(star(), tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "out" / "A.csv").read_text(encoding="utf-8") == "key,cluster\n1,0\n2,\n"
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("name", ["x.json", "x.graphml", "folder"])
def test_nothing_half_written_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, name: str
) -> None:
    def fails(first: object) -> Callable[..., Iterator[object]]:
        def some(*_: object) -> Iterator[object]:
            yield first
            raise error

        return some

    link = {"source": "n0", "target": "n1", "type": "X", "relation": "", "weight": 1.0}
    table = pa.table({"source": [1], "target": [1], "weight": [1.0]})
    monkeypatch.setattr("graphmine.verbs.export.formats._links", fails(link))
    monkeypatch.setattr("graphmine.verbs.export.contents.RelationLinks.tables", fails(table))
    before = tmp_path / "x.json"
    before.write_text("before", encoding="utf-8")
    with pytest.raises(type(error)):
        export(star(), tmp_path / name, overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["x.json"]
    assert before.read_text(encoding="utf-8") == "before"


def test_a_folder_appears_at_once(tmp_path: Path) -> None:
    with placing(tmp_path / "new") as there:
        there.mkdir()
        (there / "a").write_text("a", encoding="utf-8")
        assert not (tmp_path / "new").exists()
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["a"]


def test_control_characters_are_no_xml(tmp_path: Path) -> None:
    a, b = Nodes("A", ["x\x01"]), Nodes("B", ["y"])
    labels = Clustering({"A": np.array([0]), "B": np.array([0])})
    result = Star((Relation(a, b, csr_array(np.ones((1, 1))), "A-X->B"),)), labels
    with pytest.raises(DataError, match=r"A 'x\\x01' holds the character '\\x01', which no XML file can hold; export"):
        export(result, tmp_path / "x.graphml")
    export(result, tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["nodes"][0]["key"] == "x\x01"


def test_without_pandas_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ParameterError, match="frames need pandas; install it"):
        to_pandas(star())


def test_empty_relations_are_exported(tmp_path: Path) -> None:
    result = (
        Star((Relation(Nodes("A", ["x"]), Nodes("B", []), csr_array((1, 0)), "A-X->B"),)),
        Clustering({"A": np.array([UNPLACED]), "B": np.array([], dtype=np.int64)}),
    )
    for form in ("csv", "parquet"):
        done = export(result, tmp_path / form, form=form)
        assert done.links == {"A-X->B": 0}
    assert (tmp_path / "csv" / "A-X-B.csv").read_text(encoding="utf-8") == "source,target,weight\n"
    export(result, tmp_path / "x.graphml")
    assert nx.read_graphml(tmp_path / "x.graphml").number_of_nodes() == 1
