"""Networks from CSV files: one for each kind and each relationship type."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from graphmine.datasets import cells
from graphmine.datasets.checked_tables import CheckedTable, build_network, steps_of, where
from graphmine.datasets.network import Network
from graphmine.errors import DataError

__all__ = ["read_csv"]


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
    steps = steps_of(relationships, nodes)
    node_sheets = {kind: _CsvTable.read(Path(path)) for kind, path in nodes.items()}
    link_sheets = {pattern: _CsvTable.read(Path(path)) for pattern, path in relationships.items()}
    return build_network(node_sheets, link_sheets, steps)


class _CsvTable(CheckedTable):
    """A CSV file as columns of cells, with the line each row begins on."""

    unit = "line"
    types: tuple[str | None, ...] = ()

    @classmethod
    def read(cls, path: Path) -> "_CsvTable":
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
        columns = [cells.text_column(column) for column in zip(*kept, strict=True)] or [cells.text_column([])] * len(
            names
        )
        sheet = cls(str(path), names, columns, lines)
        sheet.types, sheet.bad = types, bad
        return sheet

    def key(self) -> pa.Array:
        """Return the first column; numbers with a fraction are text as keys."""
        if self.types[0] not in (None, "int", "string"):
            raise DataError(f"{self.name}: the key {self.names[0]} is declared {self.types[0]}; a key is int or string")
        key = self.column(0)
        return self.columns[0] if pa.types.is_floating(key.type) else key

    def end(self, position: int, kind: str, keys: pa.ChunkedArray) -> pa.Array:
        """Return a column as whole numbers where the keys are."""
        given = self.columns[position]
        return cells.typed_column(given, "int") if pa.types.is_integer(keys.type) else given

    def column(self, position: int) -> pa.Array:
        """Return a column in its type; cells that are not of the declared type are noted."""
        given, declared = self.columns[position], self.types[position]
        if declared is None:
            return cells.inferred_column(given)
        column = cells.typed_column(given, declared)
        for row in where(pc.and_(pc.is_null(column), pc.is_valid(given))):
            self.note(row, f"{self.names[position]} is {given[row].as_py()!r}, not {declared}")
        return column


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
