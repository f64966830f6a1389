"""A transaction of Neo4j."""

import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import neo4j
import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.store.base import Answers, NamedQueries, Names
from graphmine.store.cypher import Raw
from graphmine.store.link_ids import LinkIds, as_ids, id_parts
from graphmine.store.neo4j.records import end_to_end, table_of
from graphmine.store.tables import Tables

if TYPE_CHECKING:
    from graphmine.store.neo4j.store import Neo4jStore

__all__ = ["Neo4jTransaction"]

_PARTS = 2
"""How many transactions read a query that comes in parts: the server answers each by one thread."""
_FEW = 20_000
"""So few relationships are read by one transaction alone: another costs about as much as it would save."""
_TOGETHER = 5000
"""So many relationships, about, come in one record, and they leave no more nodes than that."""


class Neo4jTransaction(NamedQueries):
    """An open transaction; each column of rows is handed over as a list parameter of the column's name."""

    def __init__(self, transaction: neo4j.ManagedTransaction, store: "Neo4jStore", known: Answers) -> None:
        self._transaction, self._store, self.database, self.answers = transaction, store, store.database, known

    def _send(self, text: str, values: dict[str, object]) -> neo4j.Result:
        # Only texts from queries/ and files the user names come here; values are parameters.
        return self._transaction.run(text, values)

    def read(self, text: str, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows a text gives; the parallel lists of one marked ``// packed`` are laid end to end.

        A number beside such lists stands for a list of itself.
        One marked ``// packed in parts`` takes the parameters ``part`` and ``parts`` and is read by several
        transactions at the same time, unless ``parts`` is given as 1. One alone would see no more than they do of what
        others commit meanwhile.
        """
        values |= _lists(rows)
        if not text.startswith("// packed in parts"):
            return self._whole(text, values)
        if values.get("parts") == 1:
            return self._whole(text, values | {"part": 0})
        with ThreadPoolExecutor(_PARTS - 1) as pool:
            others = [pool.submit(self._beside, text, values | {"part": i, "parts": _PARTS}) for i in range(1, _PARTS)]
            own = self._whole(text, values | {"part": 0, "parts": _PARTS})
            return end_to_end([own, *(other.result() for other in others)])

    def _beside(self, text: str, values: dict[str, object]) -> pa.Table:
        return self._store.reading(lambda tx: tx._whole(text, values))

    def _whole(self, text: str, values: dict[str, object]) -> pa.Table:
        return table_of(self._send(text, values), packed=text.startswith("// packed"))

    def write(self, text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a text over rows and return the number it returns, 0 if none."""
        self.forget()
        if rows is not None and not rows.num_rows:
            return 0
        record = self._send(text, values | _lists(rows)).single(strict=False)
        return record[0] if record is not None and isinstance(record[0], int) else 0

    def node_ids(self, kind: str, where: Raw, values: Mapping[str, object]) -> Ints:
        """Return the ids of the nodes of a kind that pass a test."""
        return np.sort(as_ids(self.query("pull_ids", {"kind": kind, "where": where}, **values)["id"]))

    def link_ids(self, source: str, type_: str, target: str, weight: str | None) -> LinkIds:
        """Return the relationships of a type from one kind to another, read from the end where that costs less."""
        outward, block, parts = self._walk(source, type_, target)
        near, left, right = (source, "-", "->") if outward else (target, "<-", "-")
        names: dict[str, str] = {"type": type_, "near": near, "left": Raw(left), "right": Raw(right)}
        if weight is None:
            table = self.query("pull_edges", names, block=block, parts=parts)
        else:
            names |= {"weight": weight}
            table = self.query("pull_weights", names, missing=math.nan, block=block, parts=parts)
        pair, first = table["pair"], table["first"]
        at_near = (base + part % block for base, part in zip(id_parts(first), id_parts(pair), strict=True))
        at_far = (part // block for part in id_parts(pair))
        sources, targets = (at_near, at_far) if outward else (at_far, at_near)
        return LinkIds(sources, targets, len(pair), None if weight is None else table["weight"])

    def _walk(self, source: str, type_: str, target: str) -> tuple[bool, int, int]:
        """Return whether to go from sources to targets, or back, from how many ids at a time, and in how many parts."""
        ends = [("count_nodes", {"kind": kind}) for kind in (source, target)]
        names = {"source": source, "type": type_, "target": target}
        sources, targets, out, into = self.counts([*ends, ("count_out", names), ("count_in", names)])
        outward = sources + out <= targets + into
        nodes, links = (sources, out) if outward else (targets, into)
        parts = 1 if links <= _FEW else _PARTS
        return outward, min(max(_TOGETHER * nodes // max(links, 1), 1), _TOGETHER), parts

    def around(self, name: str, names: Names, ids: Ints) -> pa.Table:
        """Return what a query finds around the nodes with some ids."""
        return self.query(name, names, ids=ids.tolist())

    def make_tables(self, tables: Tables) -> None:
        """Make nothing: any node can have any property."""

    def create_nodes(self, kind: str, rows: pa.Table) -> int:
        """Create nodes; a null among the properties is left out."""
        return self.change("load_create_nodes", {"kind": kind}, _with_maps(rows, after=0))

    def create_links(self, source: tuple[str, str], type_: str, target: tuple[str, str], rows: pa.Table) -> int:
        """Create relationships between nodes that are found by their keys."""
        names = {"source": source[0], "source_key": source[1], "target": target[0], "target_key": target[1]}
        return self.change("load_create_links", names | {"type": type_}, _with_maps(rows, after=2))


def _lists(rows: pa.Table | None) -> dict[str, object]:
    return {} if rows is None else {name: rows[name].to_pylist() for name in rows.column_names}


def _with_maps(rows: pa.Table, *, after: int) -> pa.Table:
    """Return rows with all columns but the first few gathered into one column of maps."""
    names = rows.column_names
    maps = rows.select(names[after:]).to_struct_array() if names[after:] else pa.array([{}] * len(rows))
    return rows.select(names[:after]).append_column("properties", maps)
