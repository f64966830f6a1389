"""Making tables and columns in LadybugDB: one for each kind and relationship type, one column for each property."""

from collections.abc import Sequence

import pyarrow as pa

from graphmine.errors import DataError
from graphmine.store.base import Transaction
from graphmine.store.cypher import Raw
from graphmine.store.ladybug.database import column_type
from graphmine.store.tables import Tables, check_key

__all__ = ["make_tables"]

_COLUMN_TYPES = {pa.int64(): "INT64", pa.float64(): "DOUBLE", pa.bool_(): "BOOL", pa.string(): "STRING"}
_TABLES = {"NODE": "kind", "REL": "relationship type"}


def make_tables(tx: Transaction, tables: Tables) -> None:
    """Make the tables and columns that are missing."""
    for kind, schema in tables.kinds.items():
        key = schema.field(0)
        if _is_new(tx, kind, "NODE"):
            tx.change("load_create_kind", {"kind": kind, "key": key.name, "column_type": _column_type(key.type)})
        check_key(tx.query("schema_keys", {"kind": kind}), kind, key.name)
        _add_columns(tx, kind, tx.query("schema_properties", {"kind": kind}), list(schema))
    for (source, type_, target), schema in tables.links.items():
        name = "load_create_type" if _is_new(tx, type_, "REL") else "load_join_kinds"
        tx.change(name, {"source": source, "type": type_, "target": target})
        _add_columns(tx, type_, tx.query("schema_link_properties", {"type": type_}), list(schema))


def _is_new(tx: Transaction, name: str, table: str) -> bool:
    """Return whether a table must be made; refuse a name that already means something else."""
    if "." in name:
        raise DataError(
            f"the embedded database takes the part of {name!r} before the dot for another database; "
            f"choose a {_TABLES[table]} without a dot"
        )
    for row in tx.query("load_tables").to_pylist():
        if row["name"].lower() == name.lower():
            if (row["name"], row["type"]) != (name, table):
                raise DataError(
                    f"the {_TABLES[table]} {name!r} can not stand beside the {_TABLES[row['type']]} {row['name']!r} in "
                    "the embedded database, where case makes no difference and no two tables share a name"
                )
            return False
    return True


def _add_columns(tx: Transaction, table: str, known: pa.Table, fields: Sequence[pa.Field]) -> None:
    found: list[str] = known["name"].to_pylist()
    columns = {name.lower(): name for name in found}
    for field in fields:
        there = columns.setdefault(field.name.lower(), field.name)
        if there != field.name:
            raise DataError(
                f"the property {field.name!r} of {table} can not stand beside {there!r} in the embedded database, "
                "where case makes no difference"
            )
        if field.name not in found:
            names = {"table": table, "property": field.name, "column_type": _column_type(field.type)}
            tx.change("load_add_property", names)


def _column_type(given: pa.DataType) -> Raw:
    return column_type(_COLUMN_TYPES[given])
