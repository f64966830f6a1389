"""A database can be added with no line outside its package, and everything works with it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphmine as gm
from graphmine.datasets.academic import academic
from graphmine.errors import ParameterError
from graphmine.exchange.runs import list_runs
from graphmine.store import Store, connect
from tests.cli.program import graphmine
from tests.databases import all_values
from tests.store.sample.store import SampleStore

PACKAGE = Path(gm.__file__).parent
NETWORK = academic(30, conferences=5, terms=12, seed=3)
JOB = gm.Job(
    relation=["Paper-MENTIONS{count}->Term", "Paper-IN->Conference", "Paper<-WROTE-Author"], n_clusters=3,
    where="Paper.year >= 2003", constrain=["must same Author.affiliation"], write="area",
)  # fmt: skip


@pytest.fixture
def sample() -> Iterator[SampleStore]:
    with connect("sample://:memory:") as store:
        assert isinstance(store, SampleStore)
        yield store


def worked_with(store: Store) -> list[object]:
    """Load, mine, ask, estimate, export and undo, and return all that came of it."""
    loaded = [gm.load(store, NETWORK).created, gm.load(store, NETWORK).created]
    loaded.append(gm.load_parts(store, [NETWORK], centre="Paper").created)
    before = all_values(store)
    planned = gm.plan(store, JOB)
    mined = gm.mine(store, JOB)
    asked = [gm.query(store, name).to_pylist() for name in ("sizes", "ties", "between", "pure")]
    written, exported = all_values(store), gm.to_arrow(gm.recall(store))
    gm.undo(store, "last")
    assert all_values(store) == before
    known = gm.schema(store), gm.estimate(store, JOB).memory, list_runs(store)[0].state
    return [loaded, planned.nodes, planned.writes, mined.clustering.labels, asked, written, repr(exported), known]


def test_it_gives_what_another_database_gives_and_nobody_else_quotes_names(sample: SampleStore) -> None:
    with connect(":memory:") as other:
        assert repr(worked_with(sample)) == repr(worked_with(other))
    # Nobody else has quoted a name; the sample does it in brackets.
    assert sample.sent
    assert not [text for text in sample.sent if "`" in text.replace("`primary key`", "")]


def test_the_command_line_finds_it_by_its_scheme(ladybug_path: Path) -> None:
    database = f"sample://{ladybug_path}"
    graphmine("load", "davis", "--db", database)
    graphmine("mine", "--relation", "Woman-ATTENDED->Event", "-k", "2", "--write", "circle", "--db", database)
    told = graphmine("query", "sizes", "--format", "json", "--db", database).json
    assert sum(row["nodes"] for row in told) == 32


def test_an_unknown_scheme_is_told_the_known_ones() -> None:
    with pytest.raises(ParameterError, match=r"begins with mysql://; give a path, or one of .*sample://"):
        connect("mysql://localhost")


def test_nobody_outside_the_packages_asks_which_database_it_is() -> None:
    asks = re.compile(r"dialect|[\"'](neo4j|ladybug)[\"']|store\.(neo4j|ladybug)|isinstance\(store", re.IGNORECASE)
    packages = [path.parent for path in (PACKAGE / "store").glob("*/__init__.py")]
    assert len(packages) == 2
    found = {
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        if not any(path.is_relative_to(package) for package in packages)
        for line in path.read_text(encoding="utf-8").splitlines()
        if asks.search(line)
    }
    assert found <= {"questions/fill.py: >>> from graphmine.store.neo4j.database import NEO4J"}
