"""Networks from CSV files: one a kind, one a relationship type."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from graphmine.checks import check_name, nearest
from graphmine.datasets import cells
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError, ParameterError
from graphmine.model import Pattern, Step

__all__ = ["read_csv"]

_SHOWN = 10  # mistakes named in full; the rest are counted


def read_csv(nodes: Mapping[str, str | Path], relationships: Mapping[str, str | Path]) -> Network:
    r"""Read a network from CSV files (UTF-8, with a header) and check every row before any is used.

    Parameters
    ----------
    nodes
        Kind to file: ``{"Author": "authors.csv"}``. The first column is the key, the others are properties.
    relationships
        Pattern to file: ``{"Author-WROTE->Paper": "wrote.csv"}``. The first two columns hold the keys of the kinds in
        the order of the pattern, whatever the columns are called; the others are properties.

    Notes
    -----
    A header may give a column's type: ``year:int``, ``score:float``, ``active:bool``, ``name:string``. Otherwise the
    whole column decides: whole numbers, else numbers, else text (so is ``007``, whose zeros would be lost). An empty
    cell is no value. Bad rows of all files are reported together, and nothing is returned.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     (authors := Path(folder, "authors.csv")).write_text("name,age\nann,41\nbob,\n") and None
    ...     (papers := Path(folder, "papers.csv")).write_text("id\n7\n") and None
    ...     (wrote := Path(folder, "wrote.csv")).write_text("who,what\nann,7\n") and None
    ...     read_csv({"Author": authors, "Paper": papers}, {"Author-WROTE->Paper": wrote})
    Network(Author 2, Paper 1; Author-WROTE->Paper 1)
    """
    steps = {pattern: _step(pattern, nodes) for pattern in relationships}
    node_sheets = {kind: _Sheet.read(Path(path)) for kind, path in nodes.items()}
    link_sheets = {pattern: _Sheet.read(Path(path)) for pattern, path in relationships.items()}
    tables = {kind: _read_nodes(sheet) for kind, sheet in node_sheets.items()}
    edges = [_read_edges(sheet, steps[pattern], tables) for pattern, sheet in link_sheets.items()]
    bad = [mistake for sheet in (*node_sheets.values(), *link_sheets.values()) for mistake in sheet.mistakes()]
    if bad:
        count = "1 mistake" if len(bad) == 1 else f"{len(bad)} mistakes"
        more = [f"and {len(bad) - _SHOWN} more"] if len(bad) > _SHOWN else []
        raise DataError("\n".join([f"{count}, nothing was read:", *bad[:_SHOWN], *more]))
    return Network(tables, tuple(Edges(*ends, table) for ends, table in edges))


@dataclass(frozen=True, eq=False)
class _Sheet:
    """A CSV file as columns of cells, with the line each row begins on."""

    path: Path
    names: list[str]
    types: list[str | None]
    columns: list[pa.Array]
    lines: list[int]
    bad: list[tuple[int, str]]

    @classmethod
    def read(cls, path: Path) -> "_Sheet":
        """Read a file; rows that do not fit the header are noted and left out."""
        rows = _rows(path)
        _, header = next(rows, (0, None))
        if header is None:
            raise DataError(f"{path} is empty; it must begin with a header")
        names, types = zip(*(cells.heading(cell) for cell in header), strict=True)
        kept, lines, bad = [], [], []
        for line, row in rows:
            if len(row) == len(names):
                kept.append(row)
                lines.append(line)
            else:
                bad.append((line, f"{len(row)} cells, the header has {len(names)}"))
        columns = [cells.texts(column) for column in zip(*kept, strict=True)] or [cells.texts([])] * len(names)
        return cls(path, list(names), list(types), columns, lines, bad)

    def check_names(self, first: int) -> None:
        """Refuse property names that are empty, given twice or that no database can carry."""
        for position, name in enumerate(self.names[first:], start=first):
            try:
                check_name(f"column {position + 1}", name)
            except ParameterError as error:
                raise DataError(f"{self.path}: {error}") from None
            if name in self.names[first:position]:
                raise DataError(f"{self.path} has two columns named {name!r}")

    def column(self, position: int) -> pa.Array:
        """Return a column in its type; cells that are not of the declared type are noted."""
        given, declared = self.columns[position], self.types[position]
        if declared is None:
            return cells.inferred(given)
        column = cells.declared(given, declared)
        for row in _where(pc.and_(pc.is_null(column), pc.is_valid(given))):
            self.note(row, f"{self.names[position]} is {given[row].as_py()!r}, not {declared}")
        return column

    def note(self, row: int, what: str) -> None:
        """Keep in mind what is wrong with a row."""
        self.bad.append((self.lines[row], what))

    def mistakes(self) -> list[str]:
        """Return all that is wrong with the file, from top to bottom."""
        return [f"{self.path}, line {line}: {what}" for line, what in sorted(self.bad)]


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file that hold anything, each with the line it begins on."""
    try:
        # utf-8-sig: a spreadsheet may have put a byte order mark before the first name.
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader, begin = csv.reader(file), 1
            for row in reader:
                if row:
                    yield begin, row
                begin = reader.line_num + 1
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error.reason})") from None
    except csv.Error as error:
        raise DataError(f"{path}, line {begin}: {error}") from None
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror}") from None


def _read_nodes(sheet: _Sheet) -> pa.Table:
    sheet.check_names(0)
    if sheet.types[0] not in (None, "int", "string"):
        raise DataError(f"{sheet.path}: the key {sheet.names[0]} is declared {sheet.types[0]}; a key is int or string")
    key = sheet.column(0)
    if pa.types.is_floating(key.type):
        key = sheet.columns[0]
    for row in _where(pc.is_null(sheet.columns[0])):
        sheet.note(row, f"no {sheet.names[0]}, which is the key")
    seen = pc.index_in(key, value_set=key)  # where each key stands first
    again = pc.and_(pc.is_valid(key), pc.not_equal(seen, pa.array(range(len(key)), pa.int32())))
    for row in _where(again):
        first = sheet.lines[seen[row].as_py()]
        sheet.note(row, f"the key {key[row].as_py()!r} was already given on line {first}")
    properties = [sheet.column(position) for position in range(1, len(sheet.names))]
    return pa.table([key, *properties], names=sheet.names)


def _read_edges(sheet: _Sheet, step: Step, tables: Mapping[str, pa.Table]) -> tuple[tuple[str, str, str], pa.Table]:
    if len(sheet.names) < 2:
        raise DataError(f"{sheet.path} has one column; relationships need two, with the keys of both ends")
    sheet.check_names(2)
    ends = [_read_end(sheet, 0, step.source, tables), _read_end(sheet, 1, step.target, tables)]
    properties = [sheet.column(position) for position in range(2, len(sheet.names))]
    kinds = (step.source, step.type, step.target)
    if step.direction == "in":
        ends.reverse()
        kinds = kinds[::-1]
    return kinds, pa.table([*ends, *properties], names=["source", "target", *sheet.names[2:]])


def _read_end(sheet: _Sheet, position: int, kind: str, tables: Mapping[str, pa.Table]) -> pa.Array:
    keys, given = tables[kind].column(0), sheet.columns[position]
    ends = cells.declared(given, "int") if pa.types.is_integer(keys.type) else given
    for row in _where(pc.is_null(given)):
        sheet.note(row, f"no {kind}")
    for row in _where(pc.and_(pc.is_valid(given), pc.invert(pc.is_in(ends, value_set=keys.drop_null())))):
        sheet.note(row, f"no {kind} has the key {given[row].as_py()!r}")
    return ends


def _where(mask: pa.Array) -> list[int]:
    rows: list[int] = pc.indices_nonzero(mask).to_pylist()
    return rows


def _step(text: str, kinds: Mapping[str, object]) -> Step:
    pattern = Pattern.parse(text)
    step = pattern.steps[0]
    if len(pattern.steps) > 1 or step.direction == "both" or step.weight or not step.type:
        raise ParameterError(f"relation {text!r} must be one step with an arrow, for example Author-WROTE->Paper")
    for kind in pattern.kinds:
        if kind not in kinds:
            raise ParameterError(f"relation {text!r} needs a file of {kind} nodes{nearest(kind, kinds)}")
    return step
