"""The tables that a network needs in a database, and columns in the types that the database stores.

A database is asked which types the values already there have, so that one property never holds two.
"""

import pyarrow as pa

from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError
from graphmine.store import Reader, Tables

__all__ = ["fit_links", "fit_nodes", "tables_of"]

_COLUMN_TYPES = {pa.int64(): "INT64", pa.float64(): "DOUBLE", pa.bool_(): "BOOL", pa.string(): "STRING"}


def tables_of(network: Network) -> Tables:
    """Return the kinds and relationship types of a network, with their properties."""
    kinds = {kind: table.schema for kind, table in network.nodes.items()}
    links = {
        (edges.source, edges.type, edges.target): edges.table.select(edges.properties).schema
        for edges in network.relationships
    }
    return Tables(kinds, links)


def fit_nodes(tx: Reader, kind: str, table: pa.Table) -> pa.Table:
    """Return the nodes of a kind in the types that the database holds; a difference that can not be bridged is refused.

    Whole numbers become numbers where the database has numbers. Nothing else is changed silently.
    """
    names = table.column_names
    found = tx.query("load_types", {"kind": kind}, properties=names)
    return _fit(kind, table, found, key=names[0])


def fit_links(tx: Reader, edges: Edges) -> pa.Table:
    """Return the properties of relationships in the types that the database holds, as `fit_nodes` does."""
    names = {"source": edges.source, "type": edges.type, "target": edges.target}
    found = tx.query("load_link_types", names, properties=edges.properties)
    return _fit(edges.type, edges.table.select(edges.properties), found)


def _fit(what: str, table: pa.Table, found: pa.Table, key: str | None = None) -> pa.Table:
    """Bring the columns of a table to the types found, given as rows of name and type."""
    types: dict[str, set[str]] = {}
    for row in found.to_pylist():
        types.setdefault(row["name"], set()).add(row["type"])
    for position, field in enumerate(table.schema):
        given = _COLUMN_TYPES[field.type]
        there = types.get(field.name, {given})
        if there == {"INT64", "DOUBLE"}:
            there = {"DOUBLE"}  # whole numbers among the others, where a database does not mind
        if (given, there) == ("INT64", {"DOUBLE"}) and field.name != key:
            table = table.set_column(position, field.name, table[field.name].cast(pa.float64()))
        elif there != {given}:
            raise DataError(
                f"the property {field.name!r} of {what} is {' and '.join(sorted(there))} in the database, "
                f"but {given} in the data"
            )
    return table
