"""Tables with keys, from files or from Python, made into a network once every row has been checked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from graphmine.checks import check_name, nearest
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError
from graphmine.model import Pattern, Step

__all__ = ["CheckedTable", "build_network", "steps_of", "where"]

_SHOWN = 10  # mistakes named in full; the rest are counted


class CheckedTable(ABC):
    """One table: what it is called, its columns, and what is wrong with its rows."""

    unit = "row"

    def __init__(self, name: str, names: Sequence[str], columns: Sequence[pa.Array], numbers: Sequence[int]) -> None:
        self.name, self.names, self.columns, self.numbers = name, list(names), list(columns), numbers
        self.bad: list[tuple[int, str]] = []

    @abstractmethod
    def key(self) -> pa.Array:
        """Return the first column as whole numbers or text."""

    @abstractmethod
    def end(self, position: int, kind: str, keys: pa.ChunkedArray) -> pa.Array:
        """Return a column in the type of a kind's keys."""

    @abstractmethod
    def column(self, position: int) -> pa.Array:
        """Return a column in its type; cells that are not of it are noted."""

    def check_names(self, first: int) -> None:
        """Refuse property names that are empty, given twice or that no database can carry."""
        for position, name in enumerate(self.names[first:], start=first):
            try:
                check_name(f"column {position + 1}", name)
            except ParameterError as error:
                raise DataError(f"{self.name}: {error}") from None
            if name in self.names[first:position]:
                raise DataError(f"{self.name} has two columns named {name!r}")

    def note(self, row: int, what: str) -> None:
        """Keep in mind what is wrong with a row."""
        self.bad.append((self.numbers[row], what))

    def mistakes(self) -> list[str]:
        """Return all that is wrong with the table, from top to bottom."""
        return [f"{self.name}, {self.unit} {number}: {what}" for number, what in sorted(self.bad)]


def build_network(
    nodes: Mapping[str, CheckedTable], relationships: Mapping[str, CheckedTable], steps: Mapping[str, Step]
) -> Network:
    """Return the network of some tables, or all that is wrong with them."""
    tables = {kind: _read_nodes(sheet) for kind, sheet in nodes.items()}
    edges = [_read_edges(sheet, steps[pattern], tables) for pattern, sheet in relationships.items()]
    bad = [mistake for sheet in (*nodes.values(), *relationships.values()) for mistake in sheet.mistakes()]
    if bad:
        count = "1 mistake" if len(bad) == 1 else f"{len(bad)} mistakes"
        more = [f"and {len(bad) - _SHOWN} more"] if len(bad) > _SHOWN else []
        raise DataError("\n".join([f"{count}, nothing was read:", *bad[:_SHOWN], *more]))
    return Network(tables, tuple(Edges(*ends, table) for ends, table in edges))


def steps_of(relationships: Mapping[str, object], nodes: Mapping[str, object], what: str = "file") -> dict[str, Step]:
    """Return each pattern as one step between kinds that have nodes."""
    return {pattern: _step(pattern, nodes, what) for pattern in relationships}


def where(mask: pa.Array) -> list[int]:
    """Return the rows for which a mask is true."""
    rows: list[int] = pc.indices_nonzero(mask).to_pylist()
    return rows


def _read_nodes(sheet: CheckedTable) -> pa.Table:
    if not sheet.names:
        raise DataError(f"{sheet.name} has no column; the first must be the key")
    sheet.check_names(0)
    key = sheet.key()
    for row in where(pc.is_null(sheet.columns[0])):
        sheet.note(row, f"no {sheet.names[0]}, which is the key")
    if isinstance(key, pa.ChunkedArray):
        key = key.combine_chunks()
    seen = pc.index_in(key, value_set=key)  # where each key stands first
    again = pc.and_(pc.is_valid(key), pc.not_equal(seen, pa.array(range(len(key)), pa.int32())))
    for row in where(again):
        first = sheet.numbers[seen[row].as_py()]
        sheet.note(row, f"the key {key[row].as_py()!r} was already given on {sheet.unit} {first}")
    properties = [sheet.column(position) for position in range(1, len(sheet.names))]
    return pa.table([key, *properties], names=sheet.names)


def _read_edges(
    sheet: CheckedTable, step: Step, tables: Mapping[str, pa.Table]
) -> tuple[tuple[str, str, str], pa.Table]:
    if len(sheet.names) < 2:
        count = "one column" if sheet.names else "no column"
        raise DataError(f"{sheet.name} has {count}; relationships need two, with the keys of both ends")
    sheet.check_names(2)
    ends = [_read_end(sheet, 0, step.source, tables), _read_end(sheet, 1, step.target, tables)]
    properties = [sheet.column(position) for position in range(2, len(sheet.names))]
    kinds = (step.source, step.type, step.target)
    if step.direction == "in":
        ends.reverse()
        kinds = kinds[::-1]
    return kinds, pa.table([*ends, *properties], names=["source", "target", *sheet.names[2:]])


def _read_end(sheet: CheckedTable, position: int, kind: str, tables: Mapping[str, pa.Table]) -> pa.Array:
    keys, given = tables[kind].column(0), sheet.columns[position]
    ends = sheet.end(position, kind, keys)
    for row in where(pc.is_null(given)):
        sheet.note(row, f"no {kind}")
    for row in where(pc.and_(pc.is_valid(given), pc.invert(pc.is_in(ends, value_set=keys.drop_null())))):
        sheet.note(row, f"no {kind} has the key {given[row].as_py()!r}")
    return ends


def _step(text: str, kinds: Mapping[str, object], what: str) -> Step:
    pattern = Pattern.parse(text)
    step = pattern.steps[0]
    if len(pattern.steps) > 1 or step.direction == "both" or step.weight or not step.type:
        raise ParameterError(f"relation {text!r} must be one step with an arrow, for example Author-WROTE->Paper")
    for kind in pattern.kinds:
        if kind not in kinds:
            raise ParameterError(f"relation {text!r} needs a {what} of {kind} nodes{nearest(kind, kinds)}")
    return step
