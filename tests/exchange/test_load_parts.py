"""Loading in parts, on both databases: as much as loading at once, again and after a crash."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from graphmine.datasets.dblp import read_dblp
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError
from graphmine.exchange.load import Counts, load
from graphmine.exchange.load_parts import load_parts
from graphmine.store import Store, connect
from tests.databases import all_values, fresh, read, write
from tests.datasets.bibliography import SMALL, written

LINKS = {
    "WROTE": "MATCH (a:Author)-[:WROTE]->(p:Paper) RETURN a.name AS a, p.key AS b",
    "IN": "MATCH (p:Paper)-[:`IN`]->(v:Venue) RETURN p.key AS a, v.name AS b",
    "MENTIONS": "MATCH (p:Paper)-[:MENTIONS]->(t:Term) RETURN p.key AS a, t.word AS b",
}


def state(store: Store) -> object:
    """Everything that a bibliography left in a database."""
    return all_values(store), {name: sorted(map(repr, read(store, text).to_pylist())) for name, text in LINKS.items()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "dblp.xml", SMALL)


def test_parts_are_as_good_as_the_whole_and_change_nothing_the_second_time(store: Store, file: Path) -> None:
    (whole,) = read_dblp(file)
    load(store, whole)
    expected = state(store)
    with fresh(store) as empty:
        first = load_parts(empty, read_dblp(file, piece=1), centre="Paper")
        assert state(empty) == expected
        assert {kind: counts.created for kind, counts in first.nodes.items()} == {
            "Author": 4, "Paper": 4, "Venue": 2, "Term": 4,
        }  # fmt: skip
        assert all(counts.unchanged == 0 for counts in first.nodes.values())
        again = load_parts(empty, read_dblp(file, piece=3), centre="Paper")
        assert again.nodes["Author"] == Counts(0, 0, 4)
        assert again.relationships["Author-WROTE->Paper"] == Counts(0, 0, 5)
        assert again.created == 0
        assert state(empty) == expected


class CrashError(Exception):
    """The process ends here."""


class Crashing:
    """A store whose process ends just before its nth writing transaction."""

    def __init__(self, store: Store, transactions: int) -> None:
        self._store, self._left = store, transactions

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def writing(self, work: object) -> object:
        self._left -= 1
        if not self._left:
            raise CrashError
        return self._store.writing(work)  # type: ignore[arg-type]


def test_after_a_crash_anywhere_loading_again_ends_the_same(store: Store, file: Path) -> None:
    load_parts(store, read_dblp(file, piece=2), centre="Paper")
    expected = state(store)
    for transactions in (4, 6, 8, 13):
        with fresh(store) as empty:
            crashing: object = Crashing(empty, transactions)
            with pytest.raises(CrashError):
                load_parts(crashing, read_dblp(file, piece=2), centre="Paper")  # type: ignore[arg-type]
            assert state(empty) != expected
            load_parts(empty, read_dblp(file, piece=2), centre="Paper")
            assert state(empty) == expected


def test_what_is_missing_is_added_and_what_differs_is_updated(store: Store, file: Path) -> None:
    load_parts(store, read_dblp(file, piece=2), centre="Paper")
    expected = state(store)
    write(store, "MATCH (p:Paper {key: 'conf/kdd/1'}) SET p.year = 1900")
    write(store, "MATCH (:Author {name: 'Wei Wang 0001'})-[r:WROTE]->(:Paper {key: 'conf/kdd/1'}) DELETE r")
    write(store, "MATCH (p:Paper {key: 'books/4'}) DETACH DELETE p")
    again = load_parts(store, read_dblp(file, piece=3), centre="Paper")
    assert again.nodes["Paper"] == Counts(1, 1, 2)
    assert again.relationships["Author-WROTE->Paper"] == Counts(2, 0, 3)
    assert state(store) == expected


def test_a_mistake_in_mid_file_says_how_much_is_loaded(store: Store, tmp_path: Path) -> None:
    broken = written(tmp_path / "dblp.xml", SMALL, end="</dlbp>")
    with pytest.raises(DataError, match="mismatched tag") as caught:
        load_parts(store, read_dblp(broken, piece=3), centre="Paper")
    assert caught.value.__notes__ == ["4 Paper nodes had been loaded by then; loading again goes on from there"]


def test_values_of_relationships_are_compared_too(store: Store) -> None:
    def parts(*weights: int) -> Iterator[Network]:
        for number, weight in enumerate(weights):
            nodes = {"Person": pa.table({"name": ["ann", f"b{number}"]})}
            table = pa.table({"source": ["ann"], "target": [f"b{number}"], "weight": [weight]})
            yield Network(nodes, (Edges("Person", "KNOWS", "Person", table),))

    load_parts(store, parts(1, 2))
    assert load_parts(store, parts(1, 3)).relationships["Person-KNOWS->Person"] == Counts(1, 0, 1)


def test_parts_must_be_alike(store: Store) -> None:
    with pytest.raises(DataError, match="must have the same kinds, types and properties"):
        load_parts(store, [Network({"A": pa.table({"k": [1]})}), Network({"A": pa.table({"k": ["x"]})})])


def test_a_file_is_opened_again_between_parts_and_may_use_little_memory(ladybug_path: Path, file: Path) -> None:
    with connect(ladybug_path, memory=64 * 2**20) as store:
        load_parts(store, read_dblp(file, piece=1), centre="Paper")
        assert len(read(store, LINKS["WROTE"])) == 5
    with connect(ladybug_path, read_only=True) as store:
        assert len(read(store, LINKS["MENTIONS"])) == 5
