"""What questions make of odd names, of values of any type, of runs in every state, and of users' own files."""

from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest

import graphmine as gm
from graphmine.errors import ParameterError, RunError, StoreError
from graphmine.questions.catalog import find_question, question_names
from graphmine.store import Store, connect
from tests.databases import write

KIND, CLUB, TYPE, PROPERTY = "odd `kind`", "naïve club", "is, in", "my `area`"
RELATION = "`odd ``kind```-`is, in`->`naïve club`"


def odd_network() -> gm.Network:
    people, clubs = [f"p{i}" for i in range(8)], ["a", "b", "c"]
    pairs = [(f"p{i}", "a" if i < 3 else "b") for i in range(6)] + [("p0", "b"), ("p0", "a")]
    links = pa.table({"source": [each for each, _ in pairs], "target": [each for _, each in pairs]})
    return gm.Network(
        {KIND: pa.table({"the key": people}), CLUB: pa.table({"id": clubs})}, (gm.Edges(KIND, TYPE, CLUB, links),)
    )


def odd(store: Store, **options: object) -> gm.Run:
    gm.load(store, odd_network())
    job = gm.Job(relation=RELATION, n_clusters=2, method="s-co", write=PROPERTY, seed=0, **options)  # type: ignore[arg-type]
    run = gm.mine(store, job).run
    assert run is not None
    return run


def test_odd_names_and_nodes_without_a_cluster(store: Store, tmp_path: Path) -> None:
    run = odd(store)
    isolated = gm.query(store, "isolated").to_pylist()
    assert isolated == [{"node": "p6", "cluster": None}, {"node": "p7", "cluster": None}]
    assert gm.query(store, "unplaced", kind=CLUB).to_pylist() == [{"node": "c", "links": 0}]
    assert gm.query(store, "sizes", kinds=[CLUB])["nodes"].to_pylist() == [1, 1]
    assert gm.query(store, "sizes", kinds="`naïve club`, `odd ``kind```").num_rows == 4
    assert gm.query(store, "bridges")["node"].to_pylist() == ["p0"]
    assert gm.query(store, "mixed")["node"].to_pylist() == ["b"]
    assert gm.query(store, "around", node="p0", run=run.id[:12])["other"].to_pylist() == ["a", "b"]
    assert gm.query(store, "ties").num_rows == 1
    own = tmp_path / "own.cypher"
    own.write_text(
        "MATCH (n:@kind) WHERE n.@what <> '@kind $x' RETURN n.@what AS x ORDER BY x LIMIT $n; // @not", "utf-8"
    )
    found = gm.query(store, str(own), kind=KIND, what="the key", n=2)
    assert found["x"].to_pylist() == ["p0", "p1"]
    for hostile in ("x` RETURN 1 //", "`", "$n"):
        with suppress(StoreError):  # LadybugDB knows its kinds, Neo4j finds no node of an unknown one
            assert gm.query(store, str(own), kind=hostile, what="the key", n=2).num_rows == 0


def test_the_filters_of_a_run_hold_along_its_path(store: Store) -> None:
    network = gm.academic(authors=30, conferences=4, terms=8, areas=2, seed=1)
    gm.load(store, network)
    relation = "Author-WROTE->Paper-IN->Conference"
    gm.mine(store, gm.Job(relation=relation, where="Paper.year >= 2015", n_clusters=2, method="s-co", write="area"))
    papers = network.nodes["Paper"].to_pandas()
    recent = set(papers[papers["year"] >= 2015]["id"])
    wrote = network.relationships[0].table.to_pandas()
    count = int(wrote["target"].isin(recent).sum())
    assert 0 < count < len(wrote)
    assert sum(gm.query(store, "between")["weight"].to_pylist()) == count
    assert "Paper" in gm.query_text(store, "between")
    every = gm.query(store, "venues", relation=relation, limit=10_000)["weight"].to_pylist()
    assert sum(every) > count  # a relation of one's own has no filters


def test_weights_that_are_parts_of_one_are_not_cut_off(store: Store) -> None:
    """LadybugDB gives a CASE the type of its first branch, which must not be a whole 0."""
    authors = pa.table({"name": ["ann", "bob"], "area": [0, 1]})
    papers = pa.table({"id": [1, 2, 3], "area": [0, 1, 1], "year": [2000, 2000, 2001]})
    wrote = pa.table({"source": ["ann"] * 3 + ["bob"], "target": [1, 2, 3, 3], "share": [0.25, 0.25, 0.625, 1.0]})
    gm.load(store, gm.Network({"Author": authors, "Paper": papers}, (gm.Edges("Author", "WROTE", "Paper", wrote),)))
    asked = {"relation": "Author-WROTE{share}->Paper", "property": "area"}
    (ann,) = gm.query(store, "bridges", **asked).to_pylist()
    assert ann == {"node": "ann", "cluster": 0, "clusters": 2, "outside": 0.875, "weight": 1.125}
    rising = gm.query(store, "rising", years=1, **asked).to_pylist()
    assert [(each["node"], each["earlier"], each["later"]) for each in rising] == [("bob", 0, 1), ("ann", 0.5, 0.625)]


def test_a_path_goes_over_a_relationship_again(store: Store) -> None:
    """One paper by two authors in one venue: each reaches the other over it, there and back."""
    gm.load(store, gm.Network(
        {"A": pa.table({"name": ["x", "y"]}), "P": pa.table({"id": [1]}), "V": pa.table({"name": ["v"]})},
        (
            gm.Edges("A", "WROTE", "P", pa.table({"source": ["x", "y"], "target": [1, 1]})),
            gm.Edges("P", "IN", "V", pa.table({"source": [1], "target": ["v"]})),
        ),
    ))  # fmt: skip
    relation = "A-WROTE->P-IN->V<-IN-P<-WROTE-A"
    found = gm.query(store, "around", relation=relation, property="name", node="x").to_pylist()
    assert found == [{"other": "y", "cluster": "y", "weight": 1}]


def test_runs_that_can_not_be_asked_about(store: Store) -> None:
    with pytest.raises(RunError, match=r"there is no complete run in .*; `graphmine mine` with `write=` makes one"):
        gm.query(store, "sizes")
    first = odd(store)
    with pytest.raises(RunError, match=f"there is no complete run before run {first.id}"):
        gm.query(store, "changes")
    second = odd(store)
    with pytest.raises(RunError, match=f"run {second.id} replaced them; `graphmine compare {first.id} {second.id}`"):
        gm.query(store, "sizes", run=first.id)
    with pytest.raises(RunError, match=f"the clusters of run {first.id} no longer stand in 'my `area`'"):
        gm.query(store, "overlap")
    history = gm.query(store, "history", node="p0")
    assert history["run"].to_pylist() == [first.id, second.id]
    gm.undo(store, second.id)
    assert gm.query(store, "sizes", run=first.id) == gm.query(store, "sizes")
    with pytest.raises(RunError, match=f"run {second.id} is undone"):
        gm.query(store, "sizes", run=second.id)
    with pytest.raises(RunError, match="there is no run 'nosuch'"):
        gm.query(store, "sizes", run="nosuch")


def test_no_run_is_needed_where_all_is_said(store: Store) -> None:
    gm.load(store, gm.davis())
    given = {"relation": "Woman-ATTENDED->Event", "property": "name"}
    with pytest.raises(ParameterError, match=r"Woman has no property 'nme' \(did you mean 'name'\?\)"):
        gm.query(store, "core", **given | {"property": "nme"})
    assert gm.query(store, "venues", **given, limit=5).num_rows == 5
    with pytest.raises(ParameterError, match=r"no kind 'Wman' \(did you mean 'Woman'\?\)"):
        gm.query(store, "members", property="name", kind="Wman", cluster="x")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("CREATE (n:Woman {name: 'x'})", "would write"),
        ("MATCH (n RETUN", "RETUN"),
        ("", "holds several statements, or none"),
        ("RETURN 1 AS x; RETURN 2 AS y", "holds several statements"),
        ("// param x (colour): which\nRETURN $x AS x", r"the sort \(colour\) of its parameter x is unknown"),
        ("// param x (key of y): which\nRETURN $x AS x", "is of 'y', which is no parameter"),
        ("// param x = 1: a\n// param x = 2: b\nRETURN $x AS x", "describes its parameter x twice"),
        ("MATCH @way(a, b) RETURN 1 AS x", r"needs the parameter way; give it as `query\(…, way=…\)`"),
        (
            "// param way (pattern) = Woman-ATTENDED->Event: w\nMATCH @way(a, b) RETURN @weight(a, c) AS x",
            "needs a MATCH",
        ),
        ("// param way (pattern) = Woman-ATTENDED->Event: w\nMATCH @way(a, b) RETURN @sum(1 AS x", "not closed"),
    ],
)
def test_files_that_are_no_questions(store: Store, tmp_path: Path, text: str, sentence: str) -> None:
    gm.load(store, gm.davis())
    path = tmp_path / "mine.cypher"
    path.write_text(text)
    with pytest.raises((ParameterError, StoreError), match=sentence) as caught:
        gm.query(store, str(path))
    assert str(path) in str(caught.value) or text.startswith(("MATCH @", "// param way"))
    assert gm.query(store, "venues", relation="Woman-ATTENDED->Event", property="name", limit=1).num_rows == 1


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with connect(":memory:") as store:
        with pytest.raises(ParameterError, match=r"x\.cypher can not be read: No such file"):
            gm.query(store, str(tmp_path / "x.cypher"))
        (tmp_path / "y.cypher").write_bytes(b"RETURN 1 AS \xff")
        with pytest.raises(ParameterError, match=r"y\.cypher is not UTF-8: invalid start byte at byte 12"):
            gm.query(store, str(tmp_path / "y.cypher"))


def test_a_head_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    path.write_text(
        "// answers: Events\n//   of women.\n// param run (run) = last: whose\n// param kind (kind) = run.kind: which\n"
        "// param share = 0.5: a number\n// param words = ['a', 'b']: texts\n// param whole = true: a truth value\n"
        "MATCH (n:@kind) RETURN count(*) AS n, $share AS share, $words AS words, $whole AS whole, $run AS run\n"
    )
    question = find_question(str(path))
    assert question.answers == "Events of women."
    assert [each.sort for each in question.parameters] == ["run", "kind", "float", "texts", "boolean"]
    with connect(":memory:") as store:
        gm.load(store, gm.davis())
        run = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle")).run
        assert run is not None
        row = {"n": 18, "share": 1.0, "words": ["c"], "whole": False, "run": run.id}
        assert gm.query(store, str(path), share="1", words="c", whole="false").to_pylist() == [row]


def test_every_question_says_what_it_answers_and_takes() -> None:
    assert len(question_names()) >= 18
    for question in gm.queries():
        assert question.answers.endswith(".")
        assert all(each.meaning for each in question.parameters), question.name
        assert [each.name for each in question.parameters if each.sort in ("name", "any")] == [], question.name


def test_names_of_a_relation_can_be_wrong_in_many_ways() -> None:
    with connect(":memory:") as store:
        odd(store)
        for given, sentence in (
            ({"relation": RELATION, "kind": "nosuch"}, "the database has no kind 'nosuch'"),
            ({"relation": "A~rbf(x)"}, "are not in the graph, so that they can not be followed"),
            ({"relation": "`odd ``kind```->"}, "can not be read"),
            ({"relation": f"{RELATION}<-`is, in`-`odd ``kind```", "far": CLUB}, "does not lead to 'naïve club'"),
            ({"relation": RELATION, "key": "nokey"}, "has no property 'nokey' to serve as its key"),
            ({"clusters": "x"}, "must be a whole number, was 'x'"),
            ({"limit": True}, "must be a whole number of at least 0, was True"),
            ({"limit": "-1"}, "must be a whole number of at least 0, was '-1'"),
            ({"property": 3}, "must be a name, was 3"),
            ({"run": 3}, "must be the name of a run, was 3"),
        ):
            with pytest.raises(ParameterError, match=sentence):
                gm.query(store, "core", **given)
        write(store, "CREATE NODE TABLE N(id INT64 PRIMARY KEY)")
        write(store, "CREATE REL TABLE CITES(FROM N TO N)")
        with pytest.raises(ParameterError, match="does not read the same both ways"):
            gm.query(store, "around", relation="N-CITES->N-CITES->N", property="id", node=1)
        assert gm.query(store, "around", relation="N-CITES->N", property="id", node=1).num_rows == 0
