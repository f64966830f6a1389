"""Loading on both databases: twice is once, and half is nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, StoreError
from graphmine.exchange.load import Counts, Loaded, load
from graphmine.store import Store, Transaction, connect
from graphmine.store.cypher import quote
from tests.databases import fresh, read, write

T = TypeVar("T")
ODD = [
    "plain",
    "O'Neill",
    'say "x"',
    "back`tick",
    "back\\slash",
    "new\nline",
    "naïve Zoë 图 🙂",
    " ",
    "",
    "$x {y} @kind",
]


def people(**columns: object) -> Network:
    return Network({"Person": pa.table(columns)})


def nodes(store: Store, kind: str, key: str, *properties: str) -> dict[object, tuple[object, ...]]:
    """Return the properties of all nodes of a kind by their keys."""
    columns = ", ".join(f"n.{quote(name)} AS c{number}" for number, name in enumerate((key, *properties)))
    rows = read(store, f"MATCH (n:{quote(kind)}) RETURN {columns}").to_pylist()
    return {row["c0"]: tuple(row.values())[1:] for row in rows}


def links(store: Store, edges: Edges, source_key: str, target_key: str) -> list[tuple[object, ...]]:
    """Return ends and properties of all relationships of a type between two kinds, sorted."""
    properties = "".join(f", r.{quote(name)} AS p{number}" for number, name in enumerate(edges.properties))
    text = (
        f"MATCH (a:{quote(edges.source)})-[r:{quote(edges.type)}]->(b:{quote(edges.target)}) "
        f"RETURN a.{quote(source_key)} AS s, b.{quote(target_key)} AS t{properties}"
    )
    return sorted((tuple(row.values()) for row in read(store, text).to_pylist()), key=repr)


def as_rows(edges: Edges) -> list[tuple[object, ...]]:
    return sorted((tuple(row.values()) for row in edges.table.to_pylist()), key=repr)


def assert_holds(store: Store, network: Network) -> None:
    for kind, table in network.nodes.items():
        wanted = {row[0]: row[1:] for row in (tuple(row.values()) for row in table.to_pylist())}
        assert nodes(store, kind, *table.column_names) == wanted
    for edges in network.relationships:
        assert links(store, edges, network.key(edges.source), network.key(edges.target)) == as_rows(edges)


@pytest.mark.parametrize("network", [davis(), academic(authors=60, terms=30, seed=1)], ids=["davis", "academic"])
def test_loading_twice_is_loading_once(store: Store, network: Network) -> None:
    first, second = load(store, network), load(store, network)
    assert first.created == network.n_nodes + network.n_relationships
    assert [counts.total for counts in first.nodes.values()] == [len(table) for table in network.nodes.values()]
    assert second.created == 0
    assert all(counts.unchanged == counts.total for counts in (*second.nodes.values(), *second.relationships.values()))
    assert_holds(store, network)


def odd_network() -> Network:
    kind, type, key = 'odd `kind\' \\ "é"', "is-`linked'", "the `key'"
    values = [*reversed(ODD)]
    table = pa.table({
        key: ODD,
        "te`xt ü": values,
        "n": [*range(9), None],
        "x": [None, *([0.1] * 9)],
        "b": [True, None] * 5,
    })
    ends = {"source": ODD, "target": values, "no`te": ODD}
    return Network({kind: table}, (Edges(kind, type, kind, pa.table(ends)),))


def test_odd_names_keys_and_values_come_through(store: Store) -> None:
    network = odd_network()
    load(store, network)
    assert load(store, network).created == 0
    assert_holds(store, network)


text = st.text(st.characters(codec="utf-8"), max_size=6)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_network_comes_through(store: Store, data: st.DataObject) -> None:
    keys = data.draw(st.lists(text | st.integers(-(2**63), 2**63 - 1).map(str), unique=True, min_size=1, max_size=5))
    ends = st.lists(
        st.tuples(
            st.sampled_from(keys),
            st.sampled_from(keys),
            st.none() | text,
            st.none() | st.floats(width=32, allow_nan=False),
        )
    )
    rows = data.draw(ends)
    table = pa.table({
        "source": pa.array([row[0] for row in rows], pa.string()),
        "target": pa.array([row[1] for row in rows], pa.string()),
        "note": pa.array([row[2] for row in rows], pa.string()),
        "x": pa.array([row[3] for row in rows], pa.float64()),
    })  # fmt: skip
    network = Network({"Thing": pa.table({"name": keys})}, (Edges("Thing", "LIKES", "Thing", table),))
    with fresh(store) as empty:
        load(empty, network)
        assert_holds(empty, network)
        assert load(empty, network).created == 0


def test_whole_numbers_are_keys(store: Store) -> None:
    keys = [0, -1, 2**63 - 1, -(2**63)]
    edges = Edges("N", "NEXT", "N", pa.table({"source": keys, "target": keys[::-1]}))
    network = Network({"N": pa.table({"id": keys})}, (edges,))
    assert load(store, network).created == 8
    assert load(store, network).created == 0
    assert_holds(store, network)


def test_values_are_set_nulls_and_other_properties_are_left_alone(store: Store) -> None:
    load(store, people(name=["ann", "bob", "eve"], age=[1, 2, 3], town=["x", "y", None]))
    again = load(store, people(name=["eve", "ann", "bob", "zed"], age=[3, 10, None, 4], email=["e", None, None, "z"]))
    assert again.nodes["Person"] == Counts(created=1, updated=2, unchanged=1)
    assert nodes(store, "Person", "name", "age", "town", "email") == {
        "ann": (10, "x", None),
        "bob": (2, "y", None),
        "eve": (3, None, "e"),
        "zed": (4, None, "z"),
    }


def test_parallel_relationships_with_different_properties_are_kept(store: Store) -> None:
    people = pa.table({"name": ["ann", "bob"]})

    def knows(**columns: object) -> Network:
        ends = {"source": ["ann"] * 3, "target": ["bob"] * 3}
        return Network({"Person": people}, (Edges("Person", "KNOWS", "Person", pa.table(ends | columns)),))

    first = knows(year=[2000, 2001, None], how=[None, "work", None])
    load(store, first)
    assert_holds(store, first)
    more = load(store, knows(year=[2000, 2001, 2002], how=[None, None, "work"])).relationships["Person-KNOWS->Person"]
    assert more == Counts(created=2, updated=0, unchanged=1)
    assert load(store, knows()).created == 0  # says less than those that are there


def test_a_type_may_join_other_kinds(store: Store) -> None:
    def owns(source: str, target: str, **properties: object) -> Edges:
        return Edges(source, "OWNS", target, pa.table({"source": ["a"], "target": ["a"]} | properties))

    kinds = {kind: pa.table({"name": ["a"]}) for kind in ("Person", "Firm", "Car")}
    one = Network(kinds, (owns("Person", "Car"),))
    two = Network(kinds, (owns("Firm", "Car", since=[1999]), owns("Person", "Firm"), owns("Person", "Car")))
    assert load(store, one).created == 4
    assert load(store, two).created == 2
    assert load(store, two).created == 0
    assert_holds(store, two)


def test_numbers_may_come_without_fraction_later(store: Store) -> None:
    def scores(*values: float) -> Network:
        keys = [str(number) for number in range(len(values))]
        ends = pa.table({"source": keys, "target": keys, "weight": values})
        return Network({"Node": pa.table({"name": keys, "score": values})}, (Edges("Node", "LINKS", "Node", ends),))

    load(store, scores(1.5, 2.0))
    again = load(store, scores(1, 2))
    assert again.nodes["Node"] == Counts(created=0, updated=1, unchanged=1)
    assert again.relationships["Node-LINKS->Node"] == Counts(created=1, updated=0, unchanged=1)
    assert nodes(store, "Node", "name", "score") == {"0": (1.0,), "1": (2.0,)}


@pytest.mark.parametrize(
    ("network", "sentence"),
    [
        (
            people(name=["zed"], age=["old"]),
            "property 'age' of Person is INT64 in the database, but STRING in the data",
        ),
        (people(name=["zed"], age=[1.5]), "property 'age' of Person is INT64 in the database, but DOUBLE in the data"),
        (people(name=[7]), "property 'name' of Person is STRING in the database, but INT64 in the data"),
        (people(id=["zed"]), "the key of Person is 'name' in the database, but 'id' in the data"),
    ],
)
def test_types_and_keys_that_differ_are_one_sentence_and_change_nothing(
    store: Store, network: Network, sentence: str
) -> None:
    load(store, people(name=["ann"], age=[1]))
    with pytest.raises(DataError, match=sentence):
        load(store, network)
    assert nodes(store, "Person", "name", "age") == {"ann": (1,)}


def test_types_of_relationship_properties_must_agree(store: Store) -> None:
    def knows(weight: object) -> Network:
        edges = Edges("Person", "KNOWS", "Person", pa.table({"source": ["a"], "target": ["a"], "weight": [weight]}))
        return Network({"Person": pa.table({"name": ["a"]})}, (edges,))

    load(store, knows(1))
    with pytest.raises(DataError, match="property 'weight' of KNOWS is INT64 in the database, but STRING in the data"):
        load(store, knows("x"))


class Failing:
    """A database that goes away before the nth write of a transaction."""

    def __init__(self, store: Store, after: int, error: BaseException) -> None:
        self._store, self._after, self._error = store, after, error
        self.database, self.name, self.prepare = store.database, store.name, store.prepare
        self.reading = store.reading

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        return self._store.writing(lambda tx: work(failing(tx, self._after, self._error)))


def failing(tx: Transaction, after: int, error: BaseException) -> Transaction:
    write, left = tx.write, after

    def failing_write(text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        nonlocal left
        if rows is not None:
            left -= 1
        if left < 0:
            raise error
        return write(text, rows, **values)

    tx.write = failing_write  # type: ignore[method-assign]
    return tx


@pytest.mark.parametrize("error", [KeyboardInterrupt(), StoreError("gone")], ids=["interrupt", "failure"])
@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_a_load_that_breaks_off_leaves_nothing(store: Store, after: int, error: BaseException) -> None:
    network = academic(authors=30, terms=20)
    with pytest.raises(type(error)):
        load(Failing(store, after, error), network)  # type: ignore[arg-type]
    if store.database.declares_properties:
        assert store.reading(lambda tx: tx.query("load_tables")).num_rows == 0
    else:
        assert read(store, "MATCH (n) RETURN count(*) AS n")["n"].to_pylist() == [0]
    assert load(store, network).created == network.n_nodes + network.n_relationships


def test_progress_ends_at_all_of_it(store: Store) -> None:
    seen: list[tuple[str, int, int | None]] = []
    load(store, davis(), progress=lambda what, done, total=None: seen.append((what, done, total)))
    assert seen[-1] == ("load ATTENDED", 121, 121)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_empty_tables_load(store: Store) -> None:
    none = pa.array([], pa.string())
    edges = Edges("A", "T", "A", pa.table({"source": none, "target": none, "note": none}))
    network = Network({"A": pa.table({"name": none, "note": none})}, (edges,))
    assert load(store, network).created == load(store, network).created == 0


@pytest.mark.parametrize(
    ("network", "sentence"),
    [
        (Network({"PERSON": pa.table({"name": ["x"]})}), "the kind 'PERSON' can not stand beside the kind 'Person'"),
        (people(name=["x"], Age=[1]), "the property 'Age' of Person can not stand beside 'age'"),
        (
            Network(
                {"A": pa.table({"id": [1]})}, (Edges("A", "PERSON", "A", pa.table({"source": [1], "target": [1]})),)
            ),
            "the relationship type 'PERSON' can not stand beside the kind 'Person'",
        ),
    ],
)
def test_names_the_embedded_database_confuses_are_one_sentence(network: Network, sentence: str) -> None:
    with connect(":memory:") as store:
        load(store, people(name=["ann"], age=[1]))
        with pytest.raises(DataError, match=sentence):
            load(store, network)
        assert store.reading(lambda tx: tx.query("load_tables")).num_rows == 1


@pytest.mark.neo4j
def test_double_keys_in_neo4j_are_one_sentence(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "UNWIND ['ann', 'ann', 'bob'] AS name CREATE (:Person {name: name})")
        with pytest.raises(DataError, match="several Person nodes with the name 'ann'"):
            load(store, people(name=["zed"]))
        write(store, "CREATE INDEX FOR (n:Other) ON n.name")
        with pytest.raises(StoreError, match="index"):
            load(store, Network({"Other": pa.table({"name": ["x"]})}))


@pytest.mark.neo4j
def test_values_of_mixed_types_in_neo4j(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "UNWIND [['a', 1], ['b', 2.5], ['c', null]] AS row CREATE (:Person {name: row[0], score: row[1]})")
        write(store, "CREATE (:Person {score: 3})")
        done = load(store, people(name=["a", "b", "c"], score=[1, 2, 3]))
        assert done.nodes["Person"] == Counts(created=0, updated=2, unchanged=1)
        write(store, "MATCH (n:Person {name: 'a'}) SET n.score = 'high'")
        with pytest.raises(DataError, match="'score' of Person is DOUBLE and INT64 and STRING in the database"):
            load(store, people(name=["a"], score=[1.5]))


def test_a_result_counts_what_is_new() -> None:
    done = Loaded({"A": Counts(2, 1, 0)}, {"A-T->A": Counts(3, 0, 4)}, 0.1)
    assert (done.created, done.nodes["A"].total, done.relationships["A-T->A"].total) == (5, 3, 7)


def test_a_hundred_thousand_rows(store: Store) -> None:
    size = 100_000 if store.database.declares_properties else 20_000
    keys = pa.array([f"node {number}" for number in range(size)])
    edges = Edges(
        "Node", "LINKS", "Node", pa.table({"source": keys, "target": keys.take(pa.array([*range(1, size), 0]))})
    )
    network = Network({"Node": pa.table({"name": keys, "n": pa.array(range(size))})}, (edges,))
    assert load(store, network).created == 2 * size
    assert load(store, network).created == 0


def test_a_dot_in_a_kind_is_refused_where_it_would_name_a_database(ladybug_path: Path) -> None:
    with connect(str(ladybug_path)) as store, pytest.raises(DataError, match="choose a kind without a dot"):
        load(store, Network({"a.b": pa.table({"id": [1]})}))
