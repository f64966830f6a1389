"""What is particular to Neo4j: a server that may refuse, fail or go away."""

import inspect
from datetime import date

import numpy as np
import pytest
from neo4j import exceptions as failures

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.errors import DataError, GraphmineError, ParameterError, StoreError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, resume, undo
from graphmine.exchange.runs import Run, list_runs, unfinished_runs
from graphmine.model import Clustering
from graphmine.store import connect
from graphmine.store.neo4j.errors import translated
from tests.databases import read, write
from tests.store.proxy import line_to

SECRET = "correct horse battery"
RAISED = [
    each
    for _, each in inspect.getmembers(failures, inspect.isclass)
    if issubclass(each, failures.DriverError | failures.Neo4jError)
]


@pytest.mark.parametrize("kind", RAISED)
def test_every_driver_error_becomes_ours(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    Exception.__init__(error, "said the driver")
    error.__dict__ |= {"_neo4j_code": "Neo.ClientError.Some.Thing", "_message": "said the server"}
    ours = translated("bolt://somewhere", error)
    assert isinstance(ours, GraphmineError)
    assert "bolt://somewhere" in str(ours)


def test_a_wrong_password_is_one_sentence_without_the_password(neo4j_uri: str) -> None:
    with pytest.raises(StoreError, match="refused the login; check NEO4J_USERNAME and NEO4J_PASSWORD") as caught:
        connect(neo4j_uri, environ={"NEO4J_PASSWORD": SECRET})
    assert SECRET not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_no_password_is_refused(neo4j_uri: str) -> None:
    with pytest.raises(StoreError, match="refused the login"):
        connect(neo4j_uri, environ={})


def test_no_server_is_one_sentence() -> None:
    with pytest.raises(StoreError, match="no Neo4j server answers at bolt:"):
        connect("bolt://127.0.0.1:1")


def test_an_unknown_database_is_named(neo4j_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_DATABASE", "nosuchdatabase")
    with pytest.raises(StoreError, match="NEO4J_DATABASE"):
        connect(neo4j_uri)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://localhost:7474", "begins with http://"),
        ("neo4j://", "names no host"),
        (f"neo4j://me:{SECRET}@localhost", "does not belong in a database address"),
        ("bolt://[::1", "is no address"),
        ("bolt://localhost:notaport", "is no address of a Neo4j server"),
    ],
)
def test_a_wrong_address_is_one_sentence_without_a_password(url: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence) as caught:
        connect(url)
    assert SECRET not in str(caught.value)


def test_values_of_several_types_are_refused(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "CREATE (:A {x: 1}), (:A {x: 'one'})")
        with pytest.raises(DataError, match="different types"):
            read(store, "MATCH (a:A) RETURN a.x AS x")
        assert read(store, "UNWIND [1, 2.5] AS x RETURN x")["x"].to_pylist() == [1.0, 2.5]
        assert read(store, "RETURN date('2020-02-03') AS x")["x"].to_pylist() == [date(2020, 2, 3)]


def test_a_number_beside_packed_lists_stands_beside_each_of_their_values(neo4j_uri: str) -> None:
    text = "// packed\nUNWIND [[7, [1, 2]], [8, []], [9, [3]]] AS row RETURN row[0] AS first, row[1] AS id"
    with connect(neo4j_uri) as store:
        assert read(store, text).to_pydict() == {"first": [7, 7, 9], "id": [1, 2, 3]}


def test_a_query_in_parts_gives_all_of_them(neo4j_uri: str) -> None:
    text = "// packed in parts\nUNWIND range(0, 9) AS i WITH i WHERE i % $parts = $part RETURN collect(i) AS id"
    with connect(neo4j_uri) as store:
        assert sorted(read(store, text)["id"].to_pylist()) == list(range(10))
        assert read(store, text, parts=1)["id"].to_pylist() == list(range(10))
        only_one = "// packed in parts\nWITH $parts AS parts WHERE $part = 1 RETURN [0.5] AS value"
        assert read(store, only_one)["value"].to_pylist() == [0.5]
        with pytest.raises(StoreError, match="/ by zero"):
            read(store, "// packed in parts\nRETURN [$parts / (1 - $part)] AS id")


def test_a_server_that_goes_away_in_mid_pull_is_one_sentence(neo4j_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmine.store.neo4j.store._RETRY_SECONDS", 1.0)
    with connect(neo4j_uri) as store:
        load(store, academic(authors=2000, seed=0))
    with line_to(neo4j_uri) as line, connect(f"bolt://127.0.0.1:{line.port}") as store:
        line.left = 60_000
        with pytest.raises(StoreError, match=r"no Neo4j server answers at .*, or it went away"):
            pull(store, ["Author-WROTE->Paper"])
        assert line.left < 0


def test_a_push_whose_server_went_away_can_be_resumed(neo4j_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmine.store.neo4j.store._RETRY_SECONDS", 1.0)
    monkeypatch.setattr("graphmine.exchange.journal.BATCH", 4)
    with connect(neo4j_uri) as store:
        load(store, davis())
        star = pull(store, ["Woman-ATTENDED->Event"])
        labels = Clustering({nodes.kind: np.arange(len(nodes)) % 3 for nodes in star.kinds})
        cut_short = 0
        for left in range(200, 20_000, 3000):
            with line_to(neo4j_uri) as line, connect(f"bolt://127.0.0.1:{line.port}") as far:
                line.left = left
                try:
                    push(far, star, labels, Run("circle"))
                except StoreError:
                    cut_short += 1
            for run in unfinished_runs(store):
                resume(store, run.id)
            while any(run.state == "complete" for run in list_runs(store)):
                assert (
                    read(store, "MATCH (w:Woman) RETURN w.circle AS c ORDER BY w.name")["c"].to_pylist()
                    == [0, 1, 2] * 6
                )
                undo(store, "last")
            assert read(store, "MATCH (n) WHERE n.circle IS NOT NULL RETURN count(*) AS n")["n"].to_pylist() == [0]
        assert cut_short > 2
