import datetime
import math

import pyarrow as pa
import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError

AUTHORS = pa.table({"name": ["ann", "bob"]})
PAPERS = pa.table({"id": [1, 2]})


def wrote(**columns: object) -> Edges:
    return Edges("Author", "WROTE", "Paper", pa.table(columns))


def test_davis_is_the_published_network() -> None:
    network = davis()
    assert (network.n_nodes, network.n_relationships) == (32, 89)
    attended = network.relationships[0].table.to_pylist()
    assert sum(row["source"] == "Evelyn Jefferson" for row in attended) == 8
    assert sum(row["target"] == "E8" for row in attended) == 14


def test_built_in_networks_are_networks() -> None:
    assert all(isinstance(make(), Network) for make in (academic, davis, karate))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (pa.array([1, None], pa.int8()), pa.array([1, None], pa.int64())),
        (pa.array([0.5, math.nan], pa.float32()), pa.array([0.5, None], pa.float64())),
        (pa.array(["a", None], pa.large_string()), pa.array(["a", None], pa.string())),
        (pa.array(["a", "a"]).dictionary_encode(), pa.array(["a", "a"])),
        (pa.nulls(2), pa.nulls(2, pa.string())),
        (pa.array([True, None]), pa.array([True, None])),
        (pa.array([datetime.date(2020, 1, 2), None]), pa.array(["2020-01-02", None])),
    ],
)
def test_columns_are_brought_to_four_types(given: pa.Array, kept: pa.Array) -> None:
    table = Network({"Author": AUTHORS.append_column("p", given)}).nodes["Author"]
    assert table["p"].combine_chunks().equals(kept)


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (pa.array([[1], [2]]), r"Author\.p is list<.*>; a property must be"),
        (pa.array([1, 2**64 - 1], pa.uint64()), r"Author\.p holds whole numbers beyond 64 bits"),
    ],
)
def test_other_columns_are_refused(column: pa.Array, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Network({"Author": AUTHORS.append_column("p", column)})


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        ({"GraphmineRun": AUTHORS}, "'GraphmineRun' can not be loaded"),
        ({"Author": pa.table({"name": ["ann", "ann"]})}, "two nodes of Author have the same key 'ann'"),
        ({"Author": pa.table({"name": ["ann", None]})}, "1 nodes of Author have no key"),
        ({"Author": pa.table({"name": [1.5]})}, "keys of Author must be all text or all whole numbers"),
        ({"Author": pa.table([["a"], ["b"]], names=["name", "name"])}, "Author has two columns named 'name'"),
        ({"Author": pa.table({})}, "the table of Author has no columns"),
    ],
)
def test_nodes_that_can_not_be_loaded_are_refused(nodes: dict[str, pa.Table], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Network(nodes)


@pytest.mark.parametrize("name", ["", " ", "a\nb"])
def test_names_no_database_carries_are_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="kind must"):
        Network({name: AUTHORS})
    with pytest.raises(ParameterError, match="relationship type must"):
        Edges("Author", name, "Paper", pa.table({"source": ["ann"], "target": [1]}))
    with pytest.raises(ParameterError, match="property of Author must"):
        Network({"Author": AUTHORS.append_column(name, pa.array([1, 2]))})


def test_relationships_need_ends() -> None:
    with pytest.raises(DataError, match="must begin with the columns source and target"):
        wrote(who=["ann"], what=[1])
    with pytest.raises(DataError, match="1 relationships Author-WROTE->Paper have no target"):
        wrote(source=["ann", "bob"], target=[1, None])
    with pytest.raises(DataError, match="two columns named 'source'"):
        Edges("A", "T", "B", pa.table([["a"], ["b"], ["c"]], names=["source", "target", "source"]))
    nodes = {"Author": AUTHORS, "Paper": PAPERS}
    with pytest.raises(
        DataError, match="2 relationships Author-WROTE->Paper have a source that is no Author, first 'z'"
    ):
        Network(nodes, (wrote(source=["ann", "z", "y"], target=[1, 1, 1]),))
    with pytest.raises(DataError, match="the target of Author-WROTE->Paper is string, the key of Paper is int64"):
        Network(nodes, (wrote(source=["ann"], target=["1"]),))
    with pytest.raises(DataError, match="Author-WROTE->Paper is given twice"):
        Network(nodes, (wrote(source=["ann"], target=[1]), wrote(source=["bob"], target=[1])))


def test_identical_rows_are_kept_once_and_different_ones_stay_parallel() -> None:
    edges = wrote(source=["bob", "ann", "ann", "ann"], target=[1, 1, 1, 1], part=[None, "a", "b", "a"])
    assert edges.duplicates == 1
    assert edges.table.to_pylist() == [
        {"source": "bob", "target": 1, "part": None},
        {"source": "ann", "target": 1, "part": "a"},
        {"source": "ann", "target": 1, "part": "b"},
    ]


def test_empty_tables_are_a_network() -> None:
    none = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.int64())})
    network = Network({"Author": AUTHORS.slice(0, 0), "Paper": PAPERS}, (Edges("Author", "WROTE", "Paper", none),))
    assert (network.n_nodes, network.n_relationships) == (2, 0)
