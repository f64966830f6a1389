"""The same blocks from both databases, and a sentence for what can not be pulled."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, GraphmineError, ParameterError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull, pull_relation
from graphmine.exchange.schema import schema
from graphmine.gallery import davis as davis_star
from graphmine.model import Pattern
from graphmine.store import Store, connect
from tests.databases import read, write

PATH = "Author-WROTE->Paper-IN->Conference"


@pytest.fixture
def little(store: Store) -> Store:
    nodes = {
        "Author": pa.table({"name": ["ann", "bob", "cyd"], "country": ["DE", "FR", None]}),
        "Paper": pa.table({"id": [1, 2, 3], "year": [1999, 2005, 2010]}),
        "Venue": pa.table({"name": ["KDD", "VLDB"]}),
    }
    wrote = pa.table({"source": ["ann", "ann", "bob", "cyd"], "target": [1, 2, 2, 3], "share": [1.0, 0.5, 0.5, 1.0]})
    cited = pa.table({"source": [2, 3, 3], "target": [1, 1, 2]})
    venue = pa.table({"source": [1, 2, 3], "target": ["KDD", "KDD", "VLDB"]})
    edges = (
        Edges("Author", "WROTE", "Paper", wrote),
        Edges("Paper", "CITES", "Paper", cited),
        Edges("Paper", "AT", "Venue", venue),
    )
    load(store, Network(nodes, edges))
    return store


def block(store: Store, pattern: str, **options: object) -> list[list[float]]:
    rows: list[list[float]] = pull(store, [pattern], **options).arms[0].block.toarray().tolist()  # type: ignore[arg-type]
    return rows


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("Author-WROTE->Paper", [[1, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("Paper<-WROTE-Author", [[1, 0, 0], [1, 1, 0], [0, 0, 1]]),
        ("Author-WROTE-Paper", [[1, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("Author-WROTE{share}->Paper", [[1, 0.5, 0], [0, 0.5, 0], [0, 0, 1]]),
        ("Author-WROTE->Paper-AT->Venue", [[2, 0], [1, 0], [0, 1]]),
        ("Author-WROTE{share}->Paper-AT->Venue", [[1.5, 0], [0.5, 0], [0, 1]]),
        ("Author-WROTE->Paper-CITES->Paper-AT->Venue", [[1, 0], [1, 0], [2, 0]]),
        ("Author-WROTE->Paper<-WROTE-Author", [[2, 1, 0], [1, 1, 0], [0, 0, 1]]),
        ("Paper-CITES->Paper", [[0, 0, 0], [1, 0, 0], [1, 1, 0]]),
        ("Paper-CITES-Paper", [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    ],
)
def test_patterns_mean_what_they_say(little: Store, pattern: str, expected: list[list[float]]) -> None:
    found = pull_relation(little, Pattern.parse(pattern), (), {})
    assert found.block.toarray().tolist() == expected


@pytest.mark.parametrize("weight", ["", "{share}"])
@pytest.mark.parametrize(("type_", "source", "target"), [("TO", "Many", "Few"), ("FROM", "Few", "Many")])
def test_few_nodes_with_many_links_are_pulled_from_either_end(
    store: Store, type_: str, source: str, target: str, weight: str
) -> None:
    """More than one record comes from Neo4j, whichever end it starts from, and nodes of a third kind stay out."""
    sizes = {"Many": 2500, "Few": 4, "Third": 3}
    expected = np.random.default_rng(0).integers(0, 5, size=(sizes[source], sizes[target])) / 4
    rows, cols = np.nonzero(expected)
    share = expected[rows, cols]
    aside = pa.table({"source": np.arange(3), "target": np.arange(3), "share": np.ones(3)})
    edges = [Edges(source, type_, target, pa.table({"source": rows, "target": cols, "share": share}))]
    edges += [Edges(source, type_, "Third", aside), Edges("Third", type_, target, aside)]
    load(store, Network({kind: pa.table({"id": np.arange(size)}) for kind, size in sizes.items()}, tuple(edges)))
    found = pull_relation(store, Pattern.parse(f"{source}-{type_}{weight}->{target}"), (), {})
    assert np.array_equal(found.block.toarray(), expected if weight else expected > 0)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("Author-WROTE->Paper<-WROTE-Author", [[0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        ("Paper-CITES->Paper", [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]),
        ("Paper-CITES-Paper", [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    ],
)
def test_a_star_has_a_kind_with_itself_as_a_graph(little: Store, pattern: str, expected: list[list[float]]) -> None:
    assert block(little, pattern) == expected


def test_filters_act_at_the_ends_and_in_the_middle(little: Store) -> None:
    path = "Author-WROTE->Paper-AT->Venue"
    assert block(little, path, where=["Paper.year >= 2000"]) == [[1, 0], [1, 0], [0, 1]]
    assert block(little, path, where=["Paper.year >= 2000", "Author.country in ['DE', 'FR']"]) == [[1, 0], [1, 0]]
    assert block(little, path, where=["Author.name != ann", "Venue.name = KDD"]) == [[1], [0]]


def test_several_relations_make_a_star(little: Store) -> None:
    star = pull(little, ["Author-WROTE->Paper", "Paper-AT->Venue"], weights=[1, 2])
    assert (star.centre.kind, [arm.cols.kind for arm in star.arms], star.weights) == (
        "Paper",
        ["Author", "Venue"],
        (1, 2),
    )


def test_a_query_file_is_placed_by_its_keys(little: Store, tmp_path: Path) -> None:
    file = tmp_path / "mine.cypher"
    file.write_text(
        "MATCH (a:Author)-[w:WROTE]->(:Paper)-[:AT]->(v:Venue) RETURN a.name AS row, v.name AS col, w.share AS weight"
    )
    assert block(little, f"Author-[{file}]->Venue") == block(little, "Author-WROTE{share}->Paper-AT->Venue")
    file.write_text("MATCH (a:Author)-[:WROTE]->(p:Paper) RETURN a.name AS a, p.id AS b")
    assert block(little, f"Author-[{file}]->Paper") == block(little, "Author-WROTE->Paper")
    file.write_text("MATCH (a:Author)-[:WROTE]->(p:Paper) RETURN a.name AS row, p.id AS col")
    assert block(little, f"Author-[{file}]->Paper") == block(little, "Author-WROTE->Paper")
    assert block(little, f"Author-[{file}]->Paper", where=["Author.name = bob"]) == [[0, 1, 0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("RETURN 'ann' AS row, 'ICDM' AS col", "returns 1 rows whose Venue is unknown, the first 'ICDM'"),
        ("RETURN 'ann' AS a, 'KDD' AS col", "must return row and col, or a and b, and, if it likes, weight; .* a, col"),
        ("RETURN 'ann' AS a, 'KDD' AS b, 0 AS weight", "returns a weight of 0, and that of a link must be above 0"),
        ("RETURN 'ann' AS row, 'KDD' AS col, -1.0 AS weight", "weights must be finite and not negative"),
        ("MATCH (a:Author) SET a.x = 1 RETURN a.name AS row, 'KDD' AS col", "would write|has no property"),
    ],
)
def test_a_wrong_query_file_is_one_sentence(little: Store, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "wrong.cypher"
    file.write_text(text)
    with pytest.raises(GraphmineError, match=sentence):
        pull(little, [f"Author-[{file}]->Venue"])


@pytest.mark.parametrize(
    ("pattern", "options", "sentence"),
    [
        ("Auhtor-WROTE->Paper", {}, r"no kind 'Auhtor'.*did you mean 'Author'"),
        ("Author-WRITES->Paper", {}, r"no relationship type 'WRITES'.*did you mean 'WROTE'"),
        ("Author-WROTE->Paper", {"where": ["Venue.name = KDD"]}, "no relation goes through a kind 'Venue'"),
        ("Author-WROTE->Paper", {"where": ["Paper.yaer > 1"]}, r"no such property \(did you mean 'year'"),
        ("Author-WROTE->Paper", {"keys": {"Author": "nmae"}}, r"no property 'nmae'.*did you mean 'name'"),
        ("Author-WROTE->Paper", {"keys": {"Author": "country"}}, "1 of 3 Author nodes have no 'country'"),
        ("Author-[nowhere.cypher]->Paper", {}, r"nowhere\.cypher can not be read"),
        ("Author-WROTE{shaer}->Paper", {}, r"WROTE relationships have no property 'shaer' \(did you mean 'share'"),
        ("Author-WROTE->Paper", {"where": ["Paper.year = '2005'"]}, r"Paper\.year holds integer, not a text"),
        (
            "Author-WROTE->Paper",
            {"where": ["Author.name > 3"]},
            r"Author\.name holds text, not a number, so write it in",
        ),
        ("Author-WROTE->Paper", {"where": ["Paper.year in [true]"]}, r"Paper\.year holds integer, not a boolean"),
    ],
)
def test_wrong_names_are_one_sentence(little: Store, pattern: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises((ParameterError, DataError), match=sentence):
        pull(little, [pattern], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("weight", [-1.0, float("inf"), None])
def test_weights_that_mean_nothing_are_refused(store: Store, weight: float | None) -> None:
    table = pa.table({"source": ["x", "x"], "target": [1, 2], "w": [1.0, weight]})
    load(
        store, Network({"A": pa.table({"name": ["x"]}), "B": pa.table({"id": [1, 2]})}, (Edges("A", "T", "B", table),))
    )
    with pytest.raises(DataError, match=r"have no number in 'w'|weights must be finite"):
        pull(store, ["A-T{w}->B"])


def test_an_unknown_key_is_asked_for(neo4j_uri: str) -> None:
    from graphmine.store import connect

    with connect(neo4j_uri) as store:
        write(
            store, "CREATE (:A {name: 'x', other: 1})-[:T]->(:B {id: 1}), (:A {name: 'y', other: 1}), (:A:C {name: 3})"
        )
        with pytest.raises(DataError, match=r"no uniqueness constraint.*`key='A\.name'`"):
            pull(store, ["A-T->B"])
        write(store, "MATCH (c:C) SET c.other = 2")
        with pytest.raises(DataError, match="two nodes of A have the same key 1"):
            pull(store, ["A-T->B"], keys={"A": "other", "B": "id"})
        with pytest.raises(DataError, match="different types"):
            pull(store, ["A-T->B"], keys={"A": "name", "B": "id"})


def test_dates_do_not_name_nodes(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "CREATE (:A {day: date('2020-01-02')})-[:T]->(:B {id: 1})")
        with pytest.raises(DataError, match="keys of A must be all text or all whole numbers"):
            pull(store, "A-T->B", keys={"A": "day", "B": "id"})


def test_a_property_that_few_nodes_have_is_found(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "UNWIND range(1, 2500) AS i CREATE (:A {id: i})-[:T]->(:B {id: i})")
        write(store, "MATCH (a:A {id: 2400})-[r:T]->() SET a.rare = 7, r.w = 1")
        keys = {"A": "id", "B": "id"}
        assert pull(store, "A-T->B", where="A.rare = 7", keys=keys).centre.keys.to_pylist() == [2400]
        with pytest.raises(DataError, match="2499 of 2500 T relationships have no number in 'w'"):
            pull(store, "A-T{w}->B", keys=keys)


def test_davis_is_the_same_as_in_memory(store: Store) -> None:
    load(store, davis())
    pulled, made = pull(store, ["Woman-ATTENDED->Event"]).arms[0], davis_star().arms[0]
    order = [np.argsort(np.array(nodes.keys.to_pylist())) for nodes in (made.rows, made.cols)]
    assert pulled.rows.keys.to_pylist() == sorted(made.rows.keys.to_pylist())
    assert (pulled.block.toarray() == made.block.toarray()[np.ix_(*order)]).all()


def test_a_path_is_what_cypher_adds_up(store: Store) -> None:
    load(store, academic(authors=300, seed=3))
    arm = pull(store, [PATH]).arms[0]
    text = "MATCH (a:Author)-[:WROTE]->(:Paper)-[:`IN`]->(c:Conference) RETURN a.name AS a, c.name AS c, count(*) AS n"
    counted = {(row["a"], row["c"]): row["n"] for row in read(store, text).to_pylist()}
    rows, cols = arm.block.nonzero()
    pulled = {(arm.rows[int(i)], arm.cols[int(j)]): arm.block[i, j] for i, j in zip(rows, cols, strict=True)}
    assert pulled == counted


def test_schema_names_what_can_be_mined(little: Store) -> None:
    found = schema(little)
    assert [(kind.name, kind.count, kind.key) for kind in found.kinds] == [
        ("Author", 3, "name"),
        ("Paper", 3, "id"),
        ("Venue", 2, "name"),
    ]
    assert found.kinds[1].properties == {"id": "integer", "year": "integer"}
    assert [(link.source, link.type, link.target, link.count) for link in found.links] == [
        ("Paper", "AT", "Venue", 3), ("Paper", "CITES", "Paper", 3), ("Author", "WROTE", "Paper", 4),
    ]  # fmt: skip
    views = [(view.shape, [str(pattern) for pattern in view.patterns]) for view in found.views()]
    assert ("bipartite", ["Author-WROTE->Paper"]) in views
    assert ("graph", ["Paper-CITES-Paper"]) in views
    assert ("path", ["Author-WROTE->Paper-AT->Venue"]) in views
    star = next(patterns for shape, patterns in views if shape == "star")
    for pattern in star:
        assert pull(little, [pattern]).arms[0].nnz > 0


def test_nodes_without_links_can_be_mined_by_their_numbers(store: Store) -> None:
    wine = {
        "id": [1, 2, 3],
        "hue": [0.5, 1.5, 1.0],
        "odd `name": [2.5, 0.0, 1.0],
        "kind": [1, 2, 2],
        "note": ["a", "b", "c"],
    }
    load(store, Network({"Wine": pa.table(wine), "Bottle": pa.table({"id": [1], "note": ["d"]})}))
    (view,) = schema(store).views()
    assert (view.shape, [str(pattern) for pattern in view.patterns]) == ("graph", ["Wine~knn(hue, `odd ``name`)"])
    assert pull(store, list(view.patterns)).arms[0].nnz == 6


def test_an_empty_database_has_an_empty_schema(store: Store) -> None:
    found = schema(store)
    assert not found.kinds
    assert not found.links
    assert not found.views()
    with pytest.raises(ParameterError, match="no kind 'A'"):
        pull(store, ["A-T->B"])
