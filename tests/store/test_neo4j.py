"""What is particular to Neo4j: a server that may refuse, fail or go away."""

import inspect

import pytest
from neo4j import exceptions as failures

from graphmine.errors import DataError, GraphmineError, ParameterError, StoreError
from graphmine.store import connect
from graphmine.store.neo4j import _translated
from tests.databases import read, write

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
    ours = _translated("bolt://somewhere", error)
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
        assert read(store, "RETURN date('2020-02-03') AS x")["x"].to_pylist() == ["2020-02-03"]
