"""A network in memory, ready to be loaded: one table for each kind and each relationship type."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.checks import check_name, nearest
from graphmine.datasets.duplicates import row_numbers
from graphmine.errors import DataError
from graphmine.model import Nodes
from graphmine.model.naming import RESERVED

__all__ = ["Edges", "Network", "plain_column"]


@dataclass(frozen=True, eq=False)
class Edges:
    """The relationships of one type between two kinds.

    Parameters
    ----------
    source, type, target
        From which kind, over which relationship type, to which kind.
    table
        Columns ``source`` and ``target`` with the keys of both ends, then one a property. Rows that are the same in
        every column are kept once; rows that differ in a property stay parallel relationships.

    Attributes
    ----------
    duplicates
        How many rows were left out for being the same as an earlier one.

    Examples
    --------
    >>> table = pa.table({"source": ["ann", "ann", "bob"], "target": [7, 7, 7]})
    >>> wrote = Edges("Author", "WROTE", "Paper", table)
    >>> wrote, wrote.duplicates
    (Edges(Author-WROTE->Paper, 2), 1)
    """

    source: str
    type: str
    target: str
    table: pa.Table
    duplicates: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Bring the columns to their types, drop rows given twice and refuse rows without an end."""
        check_name("kind", self.source)
        check_name("relationship type", self.type)
        check_name("kind", self.target)
        if self.table.column_names[:2] != ["source", "target"]:
            raise DataError(f"the table of {self.name} must begin with the columns source and target")
        table = _plain(self.name, self.table)
        for end in ("source", "target"):
            if table[end].null_count:
                raise DataError(f"{table[end].null_count} relationships {self.name} have no {end}")
        # The order of the rows is kept, so that the same data always gives the same network.
        first = np.sort(np.unique(row_numbers(table.columns), return_index=True)[1])
        object.__setattr__(self, "duplicates", len(table) - len(first))
        object.__setattr__(self, "table", table.take(first) if self.duplicates else table)

    @property
    def name(self) -> str:
        """How to name it to a person: ``Author-WROTE->Paper``."""
        return f"{self.source}-{self.type}->{self.target}"

    @property
    def properties(self) -> list[str]:
        """The names of the properties, in order."""
        names: list[str] = self.table.column_names[2:]
        return names

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"Edges({self.name}, {len(self)})"


@dataclass(frozen=True, eq=False)
class Network:
    """Kinds of nodes and the relationships between them.

    Parameters
    ----------
    nodes
        A table for each kind. The first column is the key, the others are properties.
    relationships
        One `Edges` a type and pair of kinds.

    Notes
    -----
    A column is whole numbers (int64), numbers (double), truth values (bool) or text (string); smaller number types are
    widened, dates and times become text, a NaN becomes null, everything else is refused.

    Examples
    --------
    >>> authors = pa.table({"name": ["ann", "bob"], "age": [41, None]})
    >>> papers = pa.table({"id": [7]})
    >>> wrote = Edges("Author", "WROTE", "Paper", pa.table({"source": ["ann"], "target": [7]}))
    >>> network = Network({"Author": authors, "Paper": papers}, (wrote,))
    >>> network, network.key("Author"), network.properties("Author")
    (Network(Author 2, Paper 1; Author-WROTE->Paper 1), 'name', ['age'])
    >>> Network({"Author": authors, "Papers": papers}, (wrote,))
    Traceback (most recent call last):
    graphmine.errors.DataError: Author-WROTE->Paper needs the kind 'Paper', which the network does not have
    (did you mean 'Papers'?)
    """

    nodes: Mapping[str, pa.Table]
    relationships: tuple[Edges, ...] = ()

    def __post_init__(self) -> None:
        """Bring the tables to their types and refuse nodes without a key and relationships without an end."""
        object.__setattr__(self, "nodes", {kind: _as_nodes(kind, table) for kind, table in self.nodes.items()})
        object.__setattr__(self, "relationships", tuple(self.relationships))
        names = [edges.name for edges in self.relationships]
        for edges in self.relationships:
            if names.count(edges.name) > 1:
                raise DataError(f"{edges.name} is given twice; put its relationships into one table")
            self._check_end(edges, "source", edges.source)
            self._check_end(edges, "target", edges.target)

    def key(self, kind: str) -> str:
        """Return the name of the property that is a kind's key."""
        name: str = self.nodes[kind].column_names[0]
        return name

    def properties(self, kind: str) -> list[str]:
        """Return the names of a kind's properties, the key left out, in order."""
        names: list[str] = self.nodes[kind].column_names[1:]
        return names

    @property
    def n_nodes(self) -> int:
        """How many nodes there are over all kinds."""
        return sum(len(table) for table in self.nodes.values())

    @property
    def n_relationships(self) -> int:
        """How many relationships there are over all types."""
        return sum(len(edges) for edges in self.relationships)

    def _check_end(self, edges: Edges, end: str, kind: str) -> None:
        if kind not in self.nodes:
            hint = nearest(kind, self.nodes)
            raise DataError(f"{edges.name} needs the kind {kind!r}, which the network does not have{hint}")
        keys, ends = self.nodes[kind].column(0), edges.table[end]
        if keys.type != ends.type and len(ends):
            raise DataError(f"the {end} of {edges.name} is {ends.type}, the key of {kind} is {keys.type}")
        known = pc.is_in(ends, value_set=keys.cast(ends.type))
        unknown = len(known) - pc.sum(known, min_count=0).as_py()
        if unknown:
            first = ends[pc.index(known, False).as_py()].as_py()
            raise DataError(f"{unknown} relationships {edges.name} have a {end} that is no {kind}, first {first!r}")

    def __repr__(self) -> str:
        nodes = ", ".join(f"{kind} {len(table)}" for kind, table in self.nodes.items())
        links = ", ".join(f"{edges.name} {len(edges)}" for edges in self.relationships)
        return f"Network({nodes}{'; ' if links else ''}{links})"


def _as_nodes(kind: str, table: pa.Table) -> pa.Table:
    check_name("kind", kind)
    if kind.startswith(RESERVED):
        raise DataError(f"the kind {kind!r} can not be loaded: kinds that begin with {RESERVED} are graphmine's own")
    if not table.num_columns:
        raise DataError(f"the table of {kind} has no columns; the first must be the key")
    table = _plain(kind, table)
    return table.set_column(0, table.column_names[0], Nodes(kind, table.column(0)).keys)


def _plain(what: str, table: pa.Table) -> pa.Table:
    seen: set[str] = set()
    for name in table.column_names:
        check_name(f"property of {what}", name)
        if name in seen:
            raise DataError(f"{what} has two columns named {name!r}")
        seen.add(name)
    columns = [plain_column(f"{what}.{name}", table[name]) for name in table.column_names]
    return pa.table(columns, names=table.column_names)


def plain_column(what: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as whole numbers, numbers, truth values or text; ``what`` is how to name it in a sentence."""
    given = column.type
    if pa.types.is_dictionary(given):
        return plain_column(what, column.cast(given.value_type))
    if pa.types.is_floating(given):
        column = column.cast(pa.float64())
        return pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    textual = pa.types.is_large_string(given) or pa.types.is_string_view(given) or pa.types.is_null(given)
    if textual or pa.types.is_date(given) or pa.types.is_time(given) or pa.types.is_timestamp(given):
        return column.cast(pa.string())
    if pa.types.is_integer(given):
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            raise DataError(f"{what} holds whole numbers beyond 64 bits; give them as text") from None
    if pa.types.is_boolean(given) or pa.types.is_string(given):
        return column
    raise DataError(f"{what} is {given}; a property must be whole numbers, numbers, truth values or text")
