"""Looking at whole databases, and emptying them between the cases of one test."""

import pyarrow as pa

from graphmine.exchange.schema import schema
from graphmine.store import Raw, Store, query


def read(store: Store, text: str, **values: object) -> pa.Table:
    return store.reading(lambda tx: tx.read(text, **values))


def write(store: Store, text: str, rows: pa.Table | None = None, **values: object) -> int:
    return store.writing(lambda tx: tx.write(text, rows, **values))


def all_values(store: Store) -> dict[str, list[object]]:
    """Return every value of every property of every kind, graphmine's own kinds left out, in an order of their own."""
    found = {}
    for kind in schema(store).kinds:
        for name in sorted(kind.properties):
            text = query(store.dialect, "pull_nodes", kind=kind.name, key=name, where=Raw(""))
            found[f"{kind.name}.{name}"] = sorted(read(store, text)["key"].to_pylist(), key=repr)
    return found


def clear(store: Store) -> None:
    """Leave nothing in a database."""
    if store.dialect == "neo4j":
        write(store, "MATCH (n) DETACH DELETE n")
        for name in read(store, "SHOW CONSTRAINTS YIELD name RETURN name")["name"].to_pylist():
            quoted = name.replace("`", "``")
            write(store, f"DROP CONSTRAINT `{quoted}` IF EXISTS")
        return
    tables = read(store, "CALL show_tables() RETURN name, type").to_pylist()
    for row in sorted(tables, key=lambda row: str(row["type"]), reverse=True):  # relationships before their ends
        quoted = row["name"].replace("`", "``")
        write(store, f"DROP TABLE `{quoted}`")
