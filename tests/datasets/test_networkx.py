from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphmine.datasets.davis import davis
from graphmine.datasets.networkx import from_networkx
from graphmine.errors import DataError, ParameterError


def rows(graph: "nx.Graph[Any]", **options: Any) -> list[dict[str, object]]:
    (edges,) = from_networkx(graph, **options).relationships
    found: list[dict[str, object]] = edges.table.to_pylist()
    return found


def test_a_plain_graph_has_one_kind_and_one_type() -> None:
    network = from_networkx(nx.path_graph(3))
    assert repr(network) == "Network(Node 3; Node-LINKS->Node 2)"
    assert network.nodes["Node"].to_pylist() == [{"name": 0}, {"name": 1}, {"name": 2}]


def test_the_bipartite_attribute_gives_the_kinds() -> None:
    network = from_networkx(nx.davis_southern_women_graph(), sides=("Woman", "Event"))
    for kind, table in davis().nodes.items():
        assert network.nodes[kind].equals(table)
    (attended,) = network.relationships
    assert (attended.source, attended.target, len(attended)) == ("Woman", "Event", 89)
    assert repr(from_networkx(nx.complete_bipartite_graph(2, 1))) == "Network(Left 2, Right 1; Left-LINKS->Right 2)"


def test_kinds_and_types_are_attributes() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node("ann", label="Author", age=41, bipartite=0)
    graph.add_node(7, label="Paper")
    graph.add_node("x")
    graph.add_edge("ann", 7, how="WROTE", year=2000)
    graph.add_edge(7, "x", how="CITES")
    network = from_networkx(graph, kind="label", type="how", key="id")
    assert repr(network) == "Network(Author 1, Paper 1, Node 1; Author-WROTE->Paper 1, Paper-CITES->Node 1)"
    assert network.nodes["Author"].to_pylist() == [{"id": "ann", "age": 41, "bipartite": 0}]
    assert network.relationships[0].table.to_pylist() == [{"source": "ann", "target": 7, "year": 2000}]


def test_undirected_edges_are_stored_once_in_one_direction() -> None:
    graph = nx.Graph([("b", "a"), ("c", "b"), ("d", "d")])
    assert [(row["source"], row["target"]) for row in rows(graph)] == [("a", "b"), ("b", "c"), ("d", "d")]
    assert rows(nx.Graph([("a", "b"), ("b", "c")])) == rows(nx.Graph([("b", "a"), ("c", "b")]))
    assert rows(nx.DiGraph([("b", "a")])) == [{"source": "b", "target": "a"}]


def test_parallel_edges_stay_where_they_differ() -> None:
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    for year in (2000, 2001, 2001):
        graph.add_edge("a", "b", year=year)
    assert [row["year"] for row in rows(graph)] == [2000, 2001]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([1, None, np.int32(3)], [1, None, 3]),
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([True, False, None], [True, False, None]),
        (["a", 1, True], ["a", "1", "True"]),
        ([[1], (2,), None], ["[1]", "(2,)", None]),
        ([2**64, 1, None], [str(2**64), "1", None]),
    ],
)
def test_attributes_are_of_one_type(given: list[object], kept: list[object]) -> None:
    graph: nx.Graph[Any] = nx.Graph()
    for node, value in enumerate(given):
        graph.add_node(node, value=value)
    assert from_networkx(graph).nodes["Node"]["value"].to_pylist() == kept


def test_nodes_become_keys() -> None:
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from([(1, 2), "x", 3])
    assert from_networkx(graph).nodes["Node"]["name"].to_pylist() == ["(1, 2)", "x", "3"]
    with pytest.raises(DataError, match="the same key '3'"):
        from_networkx(nx.Graph([("3", 3)]))


def test_the_key_may_be_called_something_else_in_each_kind() -> None:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_node(1, kind="A", title="t")
    graph.add_node(2, kind="B")
    network = from_networkx(graph, key={"A": "id", "B": "title"})
    assert (network.nodes["A"].to_pylist(), network.key("B")) == ([{"id": 1, "title": "t"}], "title")
    with pytest.raises(ParameterError, match="key does not say what the key of B is called"):
        from_networkx(graph, key={"A": "id"})


def test_attributes_named_like_the_key_or_an_end_are_refused() -> None:
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node(1, name="ann")
    with pytest.raises(DataError, match="attribute named 'name', as the key is"):
        from_networkx(graph)
    assert from_networkx(graph, key="id").nodes["Node"].to_pylist() == [{"id": 1, "name": "ann"}]
    with pytest.raises(DataError, match="attribute named 'target'"):
        from_networkx(nx.Graph([(1, 2, {"target": 3})]))


def test_an_empty_graph_is_an_empty_network() -> None:
    assert from_networkx(nx.Graph()).n_nodes == 0
