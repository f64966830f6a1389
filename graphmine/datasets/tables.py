"""Networks from tables: pandas, Arrow, Parquet files."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from graphmine.datasets.checked_tables import CheckedTable, build_network, steps_of
from graphmine.datasets.network import Network, plain_column
from graphmine.errors import DataError, ParameterError

__all__ = ["from_tables", "read_parquet"]


def from_tables(nodes: Mapping[str, Any], relationships: Mapping[str, Any] | None = None) -> Network:
    """Take over tables: pandas' data frames, Arrow's tables, and all that hands itself over as Arrow, as polars does.

    Parameters
    ----------
    nodes
        Kind to table: ``{"Author": authors}``. The first column is the key, the others are properties; a data frame's
        index is left out.
    relationships
        Pattern to table: ``{"Author-WROTE->Paper": wrote}``. The first two columns hold the keys of the kinds in the
        order of the pattern, whatever the columns are called; the others are properties.

    Examples
    --------
    >>> authors, papers = pa.table({"name": ["ann", "bob"], "age": [41, None]}), pa.table({"id": [7]})
    >>> wrote = pa.table({"who": ["ann"], "what": [7]})
    >>> from_tables({"Author": authors, "Paper": papers}, {"Author-WROTE->Paper": wrote})
    Network(Author 2, Paper 1; Author-WROTE->Paper 1)
    >>> from_tables({"Author": pa.table({"name": ["ann", "ann"]})})
    Traceback (most recent call last):
    graphmine.errors.DataError: 1 mistake, nothing was read:
    the table of Author, row 2: the key 'ann' was already given on row 1
    """
    links = relationships or {}
    steps = steps_of(links, nodes, "table")
    return build_network(
        {kind: _Table.of(f"the table of {kind}", table) for kind, table in nodes.items()},
        {pattern: _Table.of(f"the table of {pattern}", table) for pattern, table in links.items()},
        steps,
    )


def read_parquet(nodes: Mapping[str, str | Path], relationships: Mapping[str, str | Path]) -> Network:
    """Read a network from Parquet files, as `read_csv` does from CSV; types are the files'.

    Examples
    --------
    >>> import pyarrow.parquet as pq
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     pq.write_table(pa.table({"name": ["ann", "bob"], "age": [41, None]}), f"{folder}/authors.parquet")
    ...     read_parquet({"Author": f"{folder}/authors.parquet"}, {})
    Network(Author 2)
    """
    steps = steps_of(relationships, nodes)
    return build_network(
        {kind: _Table.of(str(path), _read(Path(path))) for kind, path in nodes.items()},
        {pattern: _Table.of(str(path), _read(Path(path))) for pattern, path in relationships.items()},
        steps,
    )


class _Table(CheckedTable):
    """A table whose columns have types already."""

    @classmethod
    def of(cls, name: str, given: object) -> "_Table":
        table = _as_arrow(name, given)
        return cls(name, table.column_names, table.columns, range(1, len(table) + 1))

    def key(self) -> pa.Array:
        return self._naming(0)

    def end(self, position: int, kind: str, keys: pa.ChunkedArray) -> pa.Array:
        ends = self._naming(position)
        if ends.type != keys.type and not pa.types.is_null(self.columns[position].type):
            words = {pa.int64(): "whole numbers", pa.string(): "text"}
            raise DataError(
                f"{self.name}: {self.names[position]} is {words[ends.type]}, the key of {kind} is {words[keys.type]}"
            )
        return ends.cast(keys.type)

    def column(self, position: int) -> pa.Array:
        return plain_column(f"{self.name}: {self.names[position]}", self.columns[position])

    def _naming(self, position: int) -> pa.Array:
        """Return a column that names nodes; where a cell is empty, pandas has made fractions of whole numbers."""
        column = self.column(position)
        if pa.types.is_floating(column.type):
            with suppress(pa.ArrowInvalid):
                column = column.cast(pa.int64())
        if column.type not in (pa.int64(), pa.string()):
            raise DataError(
                f"{self.name}: {self.names[position]} is {self.columns[position].type}; a key is whole numbers or text"
            )
        return column


def _as_arrow(name: str, given: object) -> pa.Table:
    if isinstance(given, pa.Table):
        return given
    try:
        if type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "columns"):
            return pa.Table.from_pandas(given, preserve_index=False)
        if hasattr(given, "__arrow_c_stream__") or isinstance(given, pa.RecordBatch):
            return pa.table(given)
    except (ValueError, TypeError) as error:  # Arrow's own are among these
        raise DataError(f"{name} can not be read: {' '.join(str(error).split())}") from error
    raise ParameterError(f"{name} must be a pandas DataFrame or an Arrow table, was a {type(given).__name__}")


def _read(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as file:
            return pq.ParquetFile(file).read()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise DataError(f"{path} is no Parquet file, or a damaged one: {_first(error)}") from None
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror or _first(error)}") from None


def _first(error: Exception) -> str:
    return " ".join(str(error).split()).partition(". ")[0]
