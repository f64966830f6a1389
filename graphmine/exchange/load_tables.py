"""Making room in a database for a network: keys, tables, columns, and types that agree.

Neo4j wants a uniqueness constraint a kind; LadybugDB wants a table a kind and relationship type, and a column a
property. Both are asked which types the values already there have, so that one property never holds two.
"""

from functools import partial

import pyarrow as pa

from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, StoreError
from graphmine.store import Raw, Reader, Store, Transaction, query
from graphmine.store.cypher import literal

__all__ = ["constrain", "fit_links", "fit_nodes", "make_tables"]

_COLUMN_TYPES = {pa.int64(): "INT64", pa.float64(): "DOUBLE", pa.bool_(): "BOOL", pa.string(): "STRING"}
_NEO4J_TYPES = {"INTEGER": "INT64", "FLOAT": "DOUBLE", "BOOLEAN": "BOOL"}  # the same, in Neo4j's words
_TABLES = {"NODE": "kind", "REL": "relationship type"}


def constrain(store: Store, network: Network) -> None:
    """Make the keys of a network unique in Neo4j, in transactions of their own as it demands."""
    for kind in network.nodes:
        store.reading(partial(_check_key, dialect=store.dialect, kind=kind, key=network.key(kind)))
    for kind in network.nodes:
        _constrain(store, kind, network.key(kind))


def make_tables(tx: Transaction, dialect: str, network: Network) -> None:
    """Make the tables and columns of a network in LadybugDB, where they are missing."""
    for kind, table in network.nodes.items():
        key = table.schema[0]
        if _is_new(tx, dialect, kind, "NODE"):
            column_type = _column_type(key.type)
            tx.write(query(dialect, "load_create_kind", kind=kind, key=key.name, column_type=column_type))
        _check_key(tx, dialect, kind, key.name)
        _add_columns(tx, dialect, kind, list(table.schema))
    for edges in network.relationships:
        which = "load_create_type" if _is_new(tx, dialect, edges.type, "REL") else "load_join_kinds"
        tx.write(query(dialect, which, source=edges.source, type=edges.type, target=edges.target))
        _add_columns(tx, dialect, edges.type, list(edges.table.schema)[2:])


def fit_nodes(tx: Reader, dialect: str, kind: str, table: pa.Table) -> pa.Table:
    """Return the nodes of a kind in the types that the database holds; a difference that can not be bridged is refused.

    Whole numbers become numbers where the database has numbers. Nothing else is changed silently.
    """
    names = table.column_names
    found = tx.read(query(dialect, "load_types", kind=kind, table=literal(kind)), properties=names)
    return _fit(kind, table, found, key=names[0])


def fit_links(tx: Reader, dialect: str, edges: Edges) -> pa.Table:
    """Return the properties of relationships in the types that the database holds, as `fit_nodes` does."""
    kinds = {"source": edges.source, "type": edges.type, "target": edges.target}
    text = query(dialect, "load_link_types", **kinds, table=literal(edges.type))
    return _fit(edges.type, edges.table.select(edges.properties), tx.read(text, properties=edges.properties))


def _constrain(store: Store, kind: str, key: str) -> None:
    try:
        store.writing(lambda tx: tx.write(query(store.dialect, "load_constraint", kind=kind, key=key)))
    except StoreError:
        found = store.reading(lambda tx: tx.read(query(store.dialect, "load_doubles", kind=kind, key=key)))
        doubles, first = (found[name][0].as_py() for name in ("doubles", "first"))
        if not doubles:
            raise
        raise DataError(
            f"the database has several {kind} nodes with the {key} {first!r} ({doubles} such values in all); "
            "a key must be unique"
        ) from None


def _check_key(tx: Reader, dialect: str, kind: str, key: str) -> None:
    rows = tx.read(query(dialect, "schema_keys", table=literal(kind))).to_pylist()
    keys = [row["key"] for row in rows if row["kind"] == kind]
    if keys and key not in keys:
        raise DataError(f"the key of {kind} is {keys[0]!r} in the database, but {key!r} in the data")


def _is_new(tx: Reader, dialect: str, name: str, table: str) -> bool:
    """Return whether a table must be made; refuse a name that already means something else."""
    if "." in name:
        raise DataError(
            f"the embedded database takes the part of {name!r} before the dot for another database; "
            f"choose a {_TABLES[table]} without a dot"
        )
    for row in tx.read(query(dialect, "load_tables")).to_pylist():
        if row["name"].lower() == name.lower():
            if (row["name"], row["type"]) != (name, table):
                raise DataError(
                    f"the {_TABLES[table]} {name!r} can not stand beside the {_TABLES[row['type']]} {row['name']!r} in "
                    "the embedded database, where case makes no difference and no two tables share a name"
                )
            return False
    return True


def _add_columns(tx: Transaction, dialect: str, name: str, fields: list[pa.Field]) -> None:
    rows = tx.read(query(dialect, "schema_properties", table=literal(name))).to_pylist()
    columns = {row["name"].lower(): row["name"] for row in rows}
    for field in fields:
        there = columns.setdefault(field.name.lower(), field.name)
        if there != field.name:
            raise DataError(
                f"the property {field.name!r} of {name} can not stand beside {there!r} in the embedded database, "
                "where case makes no difference"
            )
        if field.name not in (row["name"] for row in rows):
            column_type = _column_type(field.type)
            tx.write(query(dialect, "load_add_property", table=name, property=field.name, column_type=column_type))


def _fit(what: str, table: pa.Table, found: pa.Table, key: str | None = None) -> pa.Table:
    """Bring the columns of a table to the types found, given as rows of name and type."""
    types: dict[str, set[str]] = {}
    for row in found.to_pylist():
        types.setdefault(row["name"], set()).add(_NEO4J_TYPES.get(row["type"], row["type"]))
    for position, field in enumerate(table.schema):
        given = _COLUMN_TYPES[field.type]
        there = types.get(field.name, {given})
        if there == {"INT64", "DOUBLE"}:
            there = {"DOUBLE"}  # Neo4j does not mind whole numbers among the others
        if (given, there) == ("INT64", {"DOUBLE"}) and field.name != key:
            table = table.set_column(position, field.name, table[field.name].cast(pa.float64()))
        elif there != {given}:
            raise DataError(
                f"the property {field.name!r} of {what} is {' and '.join(sorted(there))} in the database, "
                f"but {given} in the data"
            )
    return table


def _column_type(given: pa.DataType) -> Raw:
    return Raw.column_type(_COLUMN_TYPES[given])
