"""What every database must do alike, and one that tests add."""

from collections.abc import Iterator

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from graphmine.datasets.network import Edges, Network
from graphmine.errors import StoreError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.runs import Run
from graphmine.model import Clustering, Pattern, Step
from graphmine.store import Names, Store, Transaction, connect
from tests.conftest import BOTH
from tests.databases import all_values, fresh, read

# Any printable name a person could come up with, and some that nobody should.
HOSTILE = ["a b", "naïve", "`", "``", "a`b", "it's", '"', "x}) DETACH DELETE n //", "{x}", "$y", "@kind", "\\", "'; --"]
LETTERS = st.characters(categories=["L", "N", "P", "S", "Zs"])
NAMES = st.sampled_from(HOSTILE) | st.text(LETTERS, min_size=1, max_size=12).filter(
    lambda name: name.strip() == name and name.isprintable() and not name.lower().startswith("graphmine")
)
TEXTS = st.sampled_from(HOSTILE) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
)
WHOLE = st.integers(-(2**63) + 2, 2**63 - 1)
KEYS = st.lists(WHOLE, min_size=2, max_size=5, unique=True) | st.lists(TEXTS, min_size=2, max_size=5, unique=True)
BYSTANDER = pa.table({"name": ["stays"], "value": ["as it is"]})


@pytest.fixture(params=[*BOTH, "sample"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty database of each sort, open."""
    urls = {"ladybug": ":memory:", "sample": "sample://:memory:"}
    with connect(urls.get(request.param) or request.getfixturevalue("neo4j_uri")) as opened:
        yield opened


def load_little_network(store: Store) -> None:
    nodes = {"A": pa.table({"name": ["x", "y", "z"]}), "B": pa.table({"id": [1, 2]})}
    edges = Edges("A", "T", "B", pa.table({"source": ["x", "x", "y"], "target": [1, 2, 2], "w": [1.5, 2.0, 3.0]}))
    load(store, Network(nodes, (edges,)))


def count(store: Store, kind: str) -> int:
    number: int = store.reading(lambda tx: tx.query("count_nodes", {"kind": kind}))["n"][0].as_py()
    return number


def test_reads_values_and_nulls(store: Store) -> None:
    rows = read(store, "UNWIND [1, 2, null] AS x RETURN x, $y AS y", y="ü`'").to_pylist()
    assert rows == [{"x": 1, "y": "ü`'"}, {"x": 2, "y": "ü`'"}, {"x": None, "y": "ü`'"}]


def test_an_empty_result_has_its_columns(store: Store) -> None:
    table = read(store, "UNWIND [1] AS x WITH x WHERE x > 1 RETURN x")
    assert (table.column_names, table.num_rows) == (["x"], 0)


def test_a_reading_transaction_does_not_write(store: Store) -> None:
    load_little_network(store)
    with pytest.raises(StoreError, match="would write"):
        read(store, "MATCH (n:A) DETACH DELETE n")
    assert count(store, "A") == 3


def test_numbers_are_counted_in_the_order_of_the_questions(store: Store) -> None:
    load_little_network(store)
    links: Names = {"source": "A", "type": "T", "target": "B"}
    questions: list[tuple[str, Names]] = [("count_nodes", {"kind": kind}) for kind in ("B", "A", "B")]
    for _ in range(5):
        assert store.reading(lambda tx: tx.counts([("count_links", links), *questions])) == [3, 2, 3, 2]
    assert store.reading(lambda tx: tx.counts([])) == []
    store.writing(lambda tx: tx.write("MATCH (n) DETACH DELETE n"))
    assert store.reading(lambda tx: tx.counts([("count_links", links), *questions])) == [0, 0, 0, 0]


def test_a_snapshot_counts_once_until_something_is_written(store: Store) -> None:
    load_little_network(store)
    questions: list[tuple[str, Names]] = [("count_nodes", {"kind": "A"})]
    with store.snapshot():
        assert store.reading(lambda tx: tx.counts(questions)) == [3] == [count(store, "A")]
        store.writing(lambda tx: tx.write("MATCH (n:A {name: 'z'}) DETACH DELETE n"))
        assert store.reading(lambda tx: tx.counts(questions)) == [2]


def test_a_failed_transaction_changes_nothing(store: Store) -> None:
    load_little_network(store)

    def fail(tx: Transaction) -> None:
        tx.write("MATCH (n:A) DETACH DELETE n")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.writing(fail)
    assert count(store, "A") == 3


def test_a_bad_query_is_one_sentence_and_leaves_the_store_usable(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        read(store, "MATCH nonsense")
    assert "\n" not in str(caught.value)
    assert read(store, "RETURN 1 AS x")["x"].to_pylist() == [1]


def test_isolated_nodes_are_kept_and_parallel_edges_summed(store: Store) -> None:
    nodes = {"A": pa.table({"name": ["lonely", "x"]}), "B": pa.table({"id": [7, 8]})}
    edges = Edges("A", "T", "B", pa.table({"source": ["x", "x"], "target": [7, 7], "w": [1.0, 4.0]}))
    load(store, Network(nodes, (edges,)))
    arm = pull(store, ["A-T{w}->B"]).arms[0]
    assert arm.rows.keys.to_pylist() == ["lonely", "x"]
    assert arm.block.toarray().tolist() == [[0, 0], [5, 0]]
    assert pull(store, ["A-T->B"]).arms[0].block.toarray().tolist() == [[0, 0], [2, 0]]


SLOWLY = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
odd_networks = given(names=st.lists(NAMES, min_size=5, max_size=5, unique_by=str.lower), rows=KEYS, cols=KEYS)


@settings(max_examples=12, suppress_health_check=SLOWLY)
@odd_networks
def test_odd_names_and_keys_read_and_write_only_what_they_name(
    store: Store, names: list[str], rows: list[str | int], cols: list[str | int]
) -> None:
    check_odd_network(store, names, rows, cols)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=1000, derandomize=False, suppress_health_check=SLOWLY)
@odd_networks
def test_a_thousand_odd_networks(store: Store, names: list[str], rows: list[str | int], cols: list[str | int]) -> None:
    check_odd_network(store, names, rows, cols)


def check_odd_network(store: Store, names: list[str], rows: list[str | int], cols: list[str | int]) -> None:
    *tables, key, property_ = names
    if store.database.declares_properties:
        assume(not any("." in name for name in tables))  # refused, see tests/exchange/test_load.py
    assume("bystander" not in map(str.lower, names))
    assume({key.lower(), property_.lower()}.isdisjoint({"source", "target"}))
    with fresh(store) as empty:
        check_round_trip(empty, names, rows, cols)


def check_round_trip(store: Store, names: list[str], rows: list[str | int], cols: list[str | int]) -> None:
    one, other, type_, key, property_ = names
    edges = Edges(one, type_, other, pa.table({"source": rows[:2], "target": cols[:2]}))
    nodes = {one: pa.table({key: rows}), other: pa.table({key: cols}), "Bystander": BYSTANDER}
    load(store, Network(nodes, (edges,)))

    star = pull(store, [str(Pattern((Step(one, type_, other),)))])
    arm = star.arms[0]
    at_row, at_col = arm.block.nonzero()
    pairs = {(arm.rows[int(i)], arm.cols[int(j)]) for i, j in zip(at_row, at_col, strict=True)}
    assert set(arm.rows.keys.to_pylist()) == set(rows)
    assert set(arm.cols.keys.to_pylist()) == set(cols)
    assert pairs == set(zip(rows[:2], cols[:2], strict=True))

    before = all_values(store)
    labels = {nodes.kind: [i % 2 for i in range(len(nodes))] for nodes in star.kinds}
    run = push(store, star, Clustering(labels), Run(property_))  # type: ignore[arg-type]
    after = all_values(store)
    assert set(after) - set(before) == {f"{one}.{property_}", f"{other}.{property_}"}
    assert {name: after[name] for name in before} == before
    assert all(counts["written"] == counts["nodes"] for counts in run.counts.values())
    undo(store, run.id)
    assert all_values(store) == before
