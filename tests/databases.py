"""Looking at whole databases, and empty ones for the cases of one test."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pyarrow as pa

from graphmine.exchange.schema import schema
from graphmine.store import Names, Raw, Reader, Store, connect


def read(store: Store, text: str, **values: object) -> pa.Table:
    return store.reading(lambda tx: tx.read(text, **values))


def write(store: Store, text: str, rows: pa.Table | None = None, **values: object) -> int:
    return store.writing(lambda tx: tx.write(text, rows, **values))


def all_values(store: Store) -> dict[str, list[object]]:
    """Return every value of every property of every kind, graphmine's own kinds left out, in an order of their own."""
    found = {}
    for kind in schema(store).kinds:
        for name in sorted(kind.properties):
            names = {"kind": kind.name, "key": name, "where": Raw("")}
            values = store.reading(partial(_keys, names))
            found[f"{kind.name}.{name}"] = sorted(values, key=repr)
    return found


def _keys(names: Names, tx: Reader) -> list[object]:
    values: list[object] = tx.query("pull_nodes", names)["key"].to_pylist()
    return values


@contextmanager
def fresh(store: Store) -> Iterator[Store]:
    """Give an empty database of the same sort, for one case of a test that has many."""
    if store.name.endswith(":memory:"):
        with connect(store.name) as empty:
            yield empty
        return
    write(store, "MATCH (n) DETACH DELETE n")
    for name in read(store, "SHOW CONSTRAINTS YIELD name RETURN name")["name"].to_pylist():
        quoted = name.replace("`", "``")
        write(store, f"DROP CONSTRAINT `{quoted}` IF EXISTS")
    yield store
