"""GraphML, GEXF and lists of edges."""

import gzip
import re
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphmine.datasets.graph_files import read_edges, read_gexf, read_graphml
from graphmine.errors import DataError, ParameterError

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">{}{}</graph></graphml>'
GEXF = '<gexf xmlns="http://gexf.net/1.3"><graph><nodes>{}</nodes><edges>{}</edges></graph></gexf>'
FORMATS = [(read_graphml, GRAPHML), (read_gexf, GEXF)]


def exported() -> "nx.DiGraph[str]":
    """A graph as graphmine exports it: an author and a venue share a key."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("n0", kind="Author", key="ann", area=1)
    graph.add_node("n1", kind="Venue", key="ann")
    graph.add_edge("n0", "n1", type="AT", papers=3)
    return graph


def test_what_is_exported_loads_again(tmp_path: Path) -> None:
    nx.write_graphml(exported(), tmp_path / "x.graphml")
    network = read_graphml(tmp_path / "x.graphml")
    assert str(network) == "Network(Author 1, Venue 1; Author-AT->Venue 1)"
    assert network.nodes["Author"].to_pylist() == [{"key": "ann", "area": 1}]
    assert network.relationships[0].table.to_pylist() == [{"source": "ann", "target": "ann", "papers": 3}]


def test_an_export_tells_what_its_keys_are_called(tmp_path: Path) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph(graphmine='{"kind": "kind_", "keys": {"a:b": "id", "C": "kind"}}')
    graph.add_node("n0", kind_="a:b", id="7", key=1)
    graph.add_node("n1", kind_="C", kind=7)
    graph.add_edge("n0", "n1")
    path = tmp_path / "x.graphml"
    nx.write_graphml(graph, path)
    network = read_graphml(path)
    assert {kind: table.to_pylist() for kind, table in network.nodes.items()} == {
        "a:b": [{"id": "7", "key": 1}], "C": [{"kind": 7}],
    }  # fmt: skip
    assert read_graphml(path, nodes_only=True).relationships == ()
    assert read_graphml(path, key="id_", kind_attribute="kind_").key("C") == "id_"  # what is asked for counts
    graph.nodes["n1"].pop("kind")
    nx.write_graphml(graph, path)
    with pytest.raises(DataError, match=r"x.graphml: the node 'n1' has no 'kind', which is the key of C"):
        read_graphml(path)
    graph.nodes["n1"]["kind_"] = "D"
    nx.write_graphml(graph, path)
    with pytest.raises(DataError, match="the node 'n1' has the kind_ 'D', whose key the file does not tell; say"):
        read_graphml(path)
    for text in ("", "[]", "{}", '{"kind": "kind", "keys": {"A": 1}}', '{"kind": "kind", "keys": {"A": ""}}'):
        graph.graph["graphmine"] = text
        nx.write_graphml(graph, path)
        with pytest.raises(
            DataError, match=r"x\.graphml: the graph's attribute 'graphmine' is not as graphmine writes"
        ):
            read_graphml(path)


def test_packed_files_labels_and_defaults(tmp_path: Path) -> None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("a", labels=":Author:Person")
    graph.add_edge("a", "b")
    nx.write_graphml(graph, tmp_path / "x.graphml.gz")
    network = read_graphml(tmp_path / "x.graphml.gz", kind="Other", type="NEAR", key="name")
    assert str(network) == "Network(Author 1, Other 1; Author-NEAR->Other 1)"
    assert network.key("Other") == "name"


def test_gexf_with_a_kind_attribute(tmp_path: Path) -> None:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_node(1, group="A")
    graph.add_node(2, group="B")
    graph.add_edge(1, 2, weight=2.5)
    nx.write_gexf(graph, tmp_path / "x.gexf")
    network = read_gexf(tmp_path / "x.gexf", kind_attribute="group")
    assert str(network) == "Network(A 1, B 1; A-LINKS->B 1)"
    with pytest.raises(DataError, match=r"x.gexf: no node has the attribute 'gruop' \(did you mean 'group'\?\)"):
        read_gexf(tmp_path / "x.gexf", kind_attribute="gruop")


@pytest.mark.parametrize("read", [read_graphml, read_gexf])
def test_bad_files_are_one_sentence(tmp_path: Path, read: Any) -> None:
    path = tmp_path / "x.xml"
    path.write_text("<graphml>\n<node></graphml>")
    with pytest.raises(DataError, match=r"x\.xml, line 2, column 9: the XML is not well formed"):
        read(path)
    path.write_text("<html></html>")
    with pytest.raises(DataError, match=r"x\.xml is no .* file that can be read"):
        read(path)
    path.write_text('<?xml version="1.0" encoding="odd"?><x/>')
    with pytest.raises(DataError, match=r"x\.xml is no .* file that can be read: unknown encoding: odd"):
        read(path)
    path.write_bytes(gzip.compress(b"<x>" * 1000)[:-10])
    with pytest.raises(DataError, match=r"x\.xml is damaged and can not be unpacked"):
        read(path)
    with pytest.raises(DataError, match="can not be read: No such file"):
        read(tmp_path / "y.xml")


def test_keys_must_be_there_for_all_and_differ(tmp_path: Path) -> None:
    graph = exported()
    graph.add_node("n2", kind="Author")
    nx.write_graphml(graph, tmp_path / "x.graphml")
    with pytest.raises(DataError, match="some nodes have a 'key' and some have none"):
        read_graphml(tmp_path / "x.graphml")
    graph.nodes["n2"]["key"] = "ann"
    nx.write_graphml(graph, tmp_path / "x.graphml")
    with pytest.raises(DataError, match=r"x.graphml: two nodes of Author have the same key 'ann'"):
        read_graphml(tmp_path / "x.graphml")


WHOLE = "but it is declared {}, a whole number; mend the value, or declare the attribute string"


@pytest.mark.parametrize(
    ("type_", "default", "value", "sentence"),
    [
        ("int", "", "abc", "line 3: the attribute 'age' of the node 'a' is 'abc', " + WHOLE.format("int")),
        ("long", "", "1.5", "line 3: the attribute 'age' of the node 'a' is '1.5', " + WHOLE.format("long")),
        ("double", "", "x", "line 3: the attribute 'age' of the node 'a' is 'x', but it is declared double, a number"),
        ("boolean", "", "yes", "line 3: the attribute 'age' of the node 'a' is 'yes', but it is declared boolean"),
        ("int", "<default>x</default>", "3", "line 1: the attribute 'age' by default is 'x', but it is declared int"),
        ("int", "<default/>", "3", "line 1: the attribute 'age' by default is '', but it is declared int"),
        ("date", "", "2000", "line 1: the attribute 'age' is declared date, which can not be read; take one of"),
    ],
)  # fmt: skip
def test_values_that_are_not_of_their_type_are_one_sentence(
    tmp_path: Path, type_: str, default: str, value: str, sentence: str
) -> None:
    path = tmp_path / "x.xml"
    key = f'<key id="d" for="node" attr.name="age" attr.type="{type_}">{default}</key>'
    node = f'\n<node id="b"><data key="d"> 1 </data></node>\n<node id="a"><data key="d">{value}</data></node>'
    node = node.replace(" 1 ", "true") if type_ == "boolean" else node
    path.write_text(GRAPHML.format(node, "").replace("<graph ", f"{key}<graph "))
    with pytest.raises(DataError, match=f"^{re.escape(f'{path}, {sentence}')}"):
        read_graphml(path)


@pytest.mark.parametrize(
    ("class_", "type_", "value", "weight", "sentence"),
    [
        ("node", "integer", "x", "1", "line 1: the attribute 'age' of the node 'a' is 'x', " + WHOLE.format("integer")),
        ("node", "float", "", "1", "line 1: the attribute 'age' of the node 'a' is '', but it is declared float, a n"),
        ("node", "date", "x", "1", "line 1: the attribute 'age' is declared date, which can not be read; take one of"),
        ("nodes", "string", "x", "1", "line 1: attributes are of the class 'nodes'; it must be node or edge"),
        ("node", "long", "1", "x", "line 1: the weight of the edge from 'a' to 'a' is 'x', which is no number; mend"),
    ],
)  # fmt: skip
def test_so_they_are_in_gexf(tmp_path: Path, class_: str, type_: str, value: str, weight: str, sentence: str) -> None:
    path = tmp_path / "x.xml"
    given = f'<node id="a"><attvalues><attvalue for="0" value="{value}"/></attvalues></node>'
    text = GEXF.format(given, f'<edge source="a" target="a" weight="{weight}"/>')
    declared = f'<attributes class="{class_}"><attribute id="0" title="age" type="{type_}"/></attributes>'
    path.write_text(text.replace("<graph>", f"<graph>{declared}"))
    with pytest.raises(DataError, match=f"^{re.escape(f'{path}, {sentence}')}"):
        read_gexf(path)


def nodes(*ids: str, inside: str = "") -> str:
    return "".join(f'\n<node id="{id_}">{inside}</node>' for id_ in ids)


def links(*pairs: str) -> str:
    return "".join(f'\n<edge source="{one}" target="{other}"/>' for one, other in map(tuple, pairs))


@pytest.mark.parametrize(("read", "form"), FORMATS)
@pytest.mark.parametrize(
    ("ids", "pairs", "sentence"),
    [
        ("abcb", (), "line 5: the node id 'b' was already given on line 3; give each node an id of its own"),
        ("abba", (), "line 4: the node id 'b' was already given on line 3 (2 such ids in all); give each node an id"),
        ("aaa", ("ax",), "line 3: the node id 'a' was already given on line 2; give each node an id of its own"),
        ("ab", ("ab", "ax"), "line 5: an edge ends at 'x', which is the id of no node; add what is missing"),
        ("ab", ("xa", "ya", "yx"), "line 4: an edge ends at 'x', which is the id of no node (2 such ids in all); add"),
    ],
)  # fmt: skip
def test_ids_given_twice_and_ends_that_are_no_nodes_are_refused(
    tmp_path: Path, read: Any, form: str, ids: str, pairs: tuple[str, ...], sentence: str
) -> None:
    path = tmp_path / "x.xml.gz"
    path.write_bytes(gzip.compress(form.format(nodes(*ids), links(*pairs)).encode()))
    with pytest.raises(DataError, match=f"^{re.escape(f'{path}, {sentence}')}"):
        read(path)


@pytest.mark.parametrize(("read", "form"), FORMATS)
def test_nodes_without_an_id_and_edges_without_an_end_are_refused(tmp_path: Path, read: Any, form: str) -> None:
    path = tmp_path / "x.xml"
    path.write_text(form.format("<node/>", ""))
    with pytest.raises(DataError, match=r"x.xml, line 1: a node has no id; give each node one of its own"):
        read(path)
    path.write_text(form.format(nodes("a"), '<edge source="a"/>'))
    with pytest.raises(DataError, match=r"x.xml, line 2: an edge has no target; name the node's id there"):
        read(path)


def test_edges_may_stand_before_their_nodes_and_elements_of_others_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "x.graphml"
    path.write_text(GRAPHML.format(links("ab"), nodes("a", "b") + '<y:node xmlns:y="urn:y" id="a"/>'))
    assert str(read_graphml(path)) == "Network(Node 2; Node-LINKS->Node 1)"
    another = "</graph><graph>" + nodes("a")  # of several graphs the first is read
    path.write_text(GRAPHML.format(nodes("a", "b"), links("ab") + another).replace(' xmlns="', ' other="'))
    with pytest.raises(DataError, match="not successfully read as graphml"):
        read_graphml(path)
    path.write_text(GRAPHML.format(nodes("a", "b"), links("ab") + another))
    assert str(read_graphml(path)) == "Network(Node 2; Node-LINKS->Node 1)"
    path.write_text("<graphml><graph>" + nodes("a", "a") + "</graph></graphml>")  # networkx takes this for GraphML
    with pytest.raises(DataError, match="line 3: the node id 'a' was already given on line 2"):
        read_graphml(path)


def test_nested_nodes_count_where_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    group = '<node id="a" yfiles.foldertype="group"><graph>{}</graph></node>'
    path.write_text(GRAPHML.format(group.format(nodes("b") + links("bc")), nodes("c") + links("ab")))
    assert str(read_graphml(path)) == "Network(Node 3; Node-LINKS->Node 2)"
    path.write_text(GRAPHML.format(group.format(nodes("c")), nodes("c")))
    with pytest.raises(DataError, match="line 3: the node id 'c' was already given on line 2"):
        read_graphml(path)
    inner = "<graph>" + nodes("a", "q") + "</graph>"  # no group of yEd: these nodes are passed over
    path.write_text(GRAPHML.format(nodes("a", inside=inner), links("aq")))
    assert str(read_graphml(path)) == "Network(Node 2; Node-LINKS->Node 1)"

    inner = "<nodes>" + nodes("b") + "</nodes>"
    path.write_text(GEXF.format(nodes("a", inside=inner), links("ab")))
    assert str(read_gexf(path)) == "Network(Node 2; Node-LINKS->Node 1)"
    path.write_text(GEXF.format(nodes("a", inside=inner) + nodes("b"), ""))
    with pytest.raises(DataError, match="line 4: the node id 'b' was already given on line 3"):
        read_gexf(path)


def test_edges_of_one_kind_and_of_two(tmp_path: Path) -> None:
    path = tmp_path / "e.txt"
    path.write_text("# two nodes, a weight\n1 2 0.5\n\n2 x 2\n3 1\n")
    network = read_edges(path)
    assert sorted(network.nodes["Node"]["key"].to_pylist()) == ["1", "2", "3", "x"]
    assert [row["weight"] for row in network.relationships[0].table.to_pylist()] == [0.5, 2.0, None]
    packed = tmp_path / "e.csv.gz"
    packed.write_bytes(gzip.compress(b"% users and films\n1,1,5,99\n1,2,4,98\n"))
    network = read_edges(
        packed, delimiter=",", comments="%", bipartite=("User", "Film"), type="RATED", properties=("stars", "time")
    )
    assert str(network) == "Network(User 1, Film 2; User-RATED->Film 2)"
    assert network.relationships[0].table.to_pylist()[0] == {"source": 1, "target": 1, "stars": 5, "time": 99}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"a b\nc\n", "e.txt, line 2: 'c' does not name two nodes"),
        (b"a b 1 2\n", "e.txt, line 1: 4 cells, but only 3 have a name; name the further columns"),
        (b"a b\nZo\xeb c\n", "this is not UTF-8 text"),
    ],
)
def test_bad_lines_are_one_sentence(tmp_path: Path, text: bytes, sentence: str) -> None:
    (tmp_path / "e.txt").write_bytes(text)
    with pytest.raises(DataError, match=sentence):
        read_edges(tmp_path / "e.txt")


def test_bad_parameters_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="the two kinds are both 'A'"):
        read_edges(tmp_path / "e.txt", bipartite=("A", "A"))
    with pytest.raises(ParameterError, match="must not be empty"):
        read_edges(tmp_path / "e.txt", delimiter="")
