"""Both databases, real and empty, for every test that asks.

Neo4j tests use the server that GRAPHMINE_TEST_NEO4J_URI, _USERNAME and _PASSWORD name, and wipe it. They never look at
NEO4J_URI: that is the user's own.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import neo4j
import pytest
from hypothesis import settings

from graphmine.store import Store, connect

IN_CI = os.environ.get("CI") == "true"
NEO4J_REQUIRED = IN_CI or os.environ.get("GRAPHMINE_REQUIRE_NEO4J") == "1"
NO_NEO4J = "NO NEO4J SERVER: set GRAPHMINE_TEST_NEO4J_URI, _USERNAME and _PASSWORD, or run scripts/test"
USERS_OWN = ("GRAPHMINE_DB", "NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")
BOTH = ["ladybug", pytest.param("neo4j", marks=pytest.mark.neo4j)]

settings.register_profile("ci", deadline=None, derandomize=IN_CI)
settings.load_profile("ci")


@dataclass(frozen=True)
class Server:
    """The Neo4j server that tests may wipe."""

    uri: str
    username: str
    password: str = field(repr=False)


def server_to_wipe() -> Server | None:
    uri = os.environ.get("GRAPHMINE_TEST_NEO4J_URI")
    if not uri:
        return None
    username = os.environ.get("GRAPHMINE_TEST_NEO4J_USERNAME", "neo4j")
    return Server(uri, username, os.environ.get("GRAPHMINE_TEST_NEO4J_PASSWORD", ""))


def pytest_report_header() -> str:
    if server := server_to_wipe():
        return f"neo4j: {server.uri} (wiped by each test)"
    return f"neo4j: {NO_NEO4J}; its tests {'FAIL' if NEO4J_REQUIRED else 'are SKIPPED'}"


@pytest.hookimpl(tryfirst=True)  # before the workers read the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "neo4j_uri" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.neo4j)
        item.add_marker(pytest.mark.xdist_group(shared_by(item)))


def shared_by(item: pytest.Item) -> str:
    """Return what one worker should have for itself: the server, the fits of a method, or the fixtures of a file."""
    if item.get_closest_marker("neo4j"):
        return "neo4j"
    file = item.nodeid.partition("::")[0]
    if isinstance(item, pytest.Function) and "methods/test_contract" in file and hasattr(item, "callspec"):
        return f"{file} {item.callspec.params.get('name')}"
    return file


@pytest.fixture(autouse=True)
def _no_database_of_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in USERS_OWN:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def _neo4j_driver() -> Iterator[neo4j.Driver]:
    server = server_to_wipe()
    if not server:
        if NEO4J_REQUIRED:
            pytest.fail(NO_NEO4J, pytrace=False)
        pytest.skip(NO_NEO4J)
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as driver:
        driver.verify_connectivity()
        yield driver


def wipe(driver: neo4j.Driver) -> None:
    """Leave no node, constraint or index behind; the two indexes every Neo4j has by itself stay.

    Every test does this, so it asks as little as it can: each constraint of a Community server owns an index.
    """
    with driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()
        listed = "SHOW INDEXES YIELD name, type, owningConstraint WHERE type <> 'LOOKUP' RETURN name, owningConstraint"
        if found := session.run(listed).values():
            session.execute_write(_drop, found)


def _drop(tx: neo4j.ManagedTransaction, found: list[list[str | None]]) -> None:
    for name, owner in found:
        thing, quoted = "INDEX" if owner is None else "CONSTRAINT", (owner or name or "").replace("`", "``")
        tx.run(f"DROP {thing} `{quoted}`").consume()


@pytest.fixture
def neo4j_uri(_neo4j_driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty Neo4j, with its credentials in the environment; ours alone for this test."""
    server = server_to_wipe()
    assert server
    lock = Path(tempfile.gettempdir()) / f"graphmine-tests-{os.getuid()}-{quote(server.uri, safe='')}.lock"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another run of the tests may use the same server
        wipe(_neo4j_driver)
        monkeypatch.setenv("NEO4J_USERNAME", server.username)
        monkeypatch.setenv("NEO4J_PASSWORD", server.password)
        yield server.uri


@pytest.fixture
def ladybug_path(tmp_path: Path) -> Path:
    """Where an embedded database can be made."""
    return tmp_path / "graph.lbug"


@pytest.fixture(params=BOTH)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty database of each sort, open."""
    url = ":memory:" if request.param == "ladybug" else request.getfixturevalue("neo4j_uri")
    with connect(url) as opened:
        yield opened


@pytest.fixture(params=BOTH)
def database(request: pytest.FixtureRequest) -> str:
    """What ``--db`` takes for an empty database of each sort."""
    return str(request.getfixturevalue("ladybug_path" if request.param == "ladybug" else "neo4j_uri"))
