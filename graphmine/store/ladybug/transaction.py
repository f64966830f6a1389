"""A transaction of LadybugDB."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.errors import StoreError
from graphmine.store.base import Answers, NamedQueries, Names
from graphmine.store.cypher import Raw
from graphmine.store.database import Database
from graphmine.store.ladybug.errors import translated
from graphmine.store.ladybug.tables import make_tables
from graphmine.store.link_ids import LinkIds, as_ids, id_parts
from graphmine.store.tables import Tables
from graphmine.store.tokens import one_statement, without_comments

__all__ = ["LadybugTransaction"]

# A reading transaction lets these through, though they leave something behind.
_WRITES_FILES = re.compile(
    r"\s*((PROFILE|EXPLAIN)\s+)?(COPY|EXPORT|IMPORT|INSTALL|UNINSTALL|ATTACH|DETACH|USE|LOAD\s+EXTENSION)\b",
    re.IGNORECASE,
)
_BITS = 31
"""Of the two ids of a relationship in one number, the second has so many bits."""
_GAP = 10_000
"""Internal ids further apart than this are asked for in two queries."""


class LadybugTransaction(NamedQueries):
    """An open transaction; rows are handed over as an Arrow table ``$rows``."""

    def __init__(self, database: Database, name: str, connection: Any, known: Answers) -> None:
        self.database, self._name, self._connection, self.answers = database, name, connection, known

    def execute(self, text: str, values: dict[str, object] | None = None) -> Any:
        """Send a statement and return the driver's result."""
        try:
            result = self._connection.execute(text, values or {})
        except RuntimeError as error:
            raise translated(self._name, error) from error
        return result[-1] if isinstance(result, list) else result

    def read(self, text: str, rows: pa.Table | None = None, /, **values: object) -> pa.Table:
        """Return the rows a text gives."""
        if _WRITES_FILES.match(without_comments(text)):
            raise StoreError(f"the query would write files or change settings, and {self._name} was asked to read only")
        if ";" in text and not one_statement(text):  # the driver would run them all, and only the first was looked at
            raise StoreError(f"{self._name} answers one statement at a time, and the query has more than one")
        if rows is not None:
            values["rows"] = rows
        result = self.execute(text, values)
        try:
            return result.get_as_arrow() if result.get_column_names() else pa.table({})
        except RuntimeError as error:
            raise StoreError(f"{self._name} can not hand over the result: {' '.join(str(error).split())}") from error

    def write(self, text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        """Run a text over rows and return the number it returns, 0 if none."""
        self.forget()
        if rows is not None:
            if not rows.num_rows:
                return 0
            values["rows"] = rows
        result = self.execute(text, values)
        if not result.get_column_names() or not result.has_next():
            return 0
        first = result.get_next()[0]
        return first if isinstance(first, int) else 0

    def node_ids(self, kind: str, where: Raw, values: Mapping[str, object]) -> Ints:
        """Return the ids of a kind; without a test the last is enough: ids are dense, and a table holds one kind."""
        if not where:
            last = self.query("pull_last", {"kind": kind})["id"][0].as_py()
            return np.arange(0 if last is None else last + 1, dtype=np.int64)
        return np.sort(as_ids(self.query("pull_ids", {"kind": kind, "where": where}, **values)["id"]))

    def link_ids(self, source: str, type_: str, target: str, weight: str | None) -> LinkIds:
        """Return the relationships of a type from one kind to another."""
        names = {"source": source, "type": type_, "target": target}
        if weight is None:
            table = self.query("pull_edges", names)
        else:
            table = self.query("pull_weights", names | {"weight": weight}, missing=math.nan)
        pair = table["pair"]
        sources = (part >> _BITS for part in id_parts(pair))
        targets = (part & (1 << _BITS) - 1 for part in id_parts(pair))
        return LinkIds(sources, targets, len(pair), None if weight is None else table["weight"])

    def around(self, name: str, names: Names, ids: Ints) -> pa.Table:
        """Return what a query finds around nodes, asked for by ranges of their ids."""
        return pa.concat_tables(self.query(name, names, first=first, last=last) for first, last in _ranges(ids))

    def make_tables(self, tables: Tables) -> None:
        """Make the tables and columns that are missing."""
        make_tables(self, tables)

    def create_nodes(self, kind: str, rows: pa.Table) -> int:
        """Create nodes."""
        return self.change("load_create_nodes", {"kind": kind, "columns": rows.column_names}, rows)

    def create_links(self, source: tuple[str, str], type_: str, target: tuple[str, str], rows: pa.Table) -> int:
        """Create relationships; the database knows the keys of their ends."""
        names: Names = {"source": source[0], "type": type_, "target": target[0], "columns": rows.column_names[2:]}
        return self.change("load_create_links", names, rows)


def _ranges(ids: Ints) -> Iterator[tuple[int, int]]:
    """Return first and last of every run of ids that has no large gap.

    >>> list(_ranges(np.array([3, 4, 9, 20_000, 20_001])))
    [(3, 9), (20000, 20001)]
    """
    for run in np.split(ids, np.flatnonzero(np.diff(ids) > _GAP) + 1):
        yield int(run[0]), int(run[-1])
