"""From the records that Neo4j returns to Arrow tables."""

from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import neo4j.time
import numpy as np
import pyarrow as pa

from graphmine.errors import DataError

__all__ = ["end_to_end", "table_of"]

_IDS = frozenset({"id", "pair", "source", "target"})
"""Columns of packed records that hold internal ids."""


def table_of(result: neo4j.Result, *, packed: bool) -> pa.Table:
    """Return records as a table; the parallel lists of packed ones are laid end to end."""
    names = list(result.keys())
    if packed:
        chunks = [_unpacked(names, record) for record in result]
    else:
        columns = [list(column) for column in zip(*result, strict=True)] or [[] for _ in names]
        chunks = [[_array(name, column) for name, column in zip(names, columns, strict=True)]]
    return pa.table({name: _joined(name, (chunk[i] for chunk in chunks)) for i, name in enumerate(names)})


def _unpacked(names: Sequence[str], record: neo4j.Record) -> list[pa.Array]:
    length = max((len(column) for column in record if not isinstance(column, int)), default=1)
    return [
        pa.repeat(column, length) if isinstance(column, int) else _packed(name, column)
        for name, column in zip(names, record, strict=True)
    ]


def _packed(name: str, column: Iterable[Any]) -> pa.Array:
    if name in _IDS:  # these are most of a pull, and Arrow takes twice as long to find out what they are
        with suppress(TypeError):
            return pa.array(np.frombuffer(array("q", column), dtype=np.int64))
    return _array(name, column)


def _array(name: str, column: Iterable[Any]) -> pa.Array:
    values = list(column)
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        types = {type(value) for value in values if value is not None}
    if types == {int, float}:
        return pa.array([None if value is None else float(value) for value in values])
    if len(types) > 1:
        raise DataError(f"the values of {name} are of different types, and they must be of one")
    if types <= {neo4j.time.Date, neo4j.time.DateTime}:
        return pa.array([None if value is None else value.to_native() for value in values])
    return pa.array([None if value is None else str(value) for value in values])


def end_to_end(tables: Sequence[pa.Table]) -> pa.Table:
    """Lay tables of the same columns end to end; a part without rows does not know their types."""
    names = tables[0].column_names
    return pa.table({name: _joined(name, (chunk for each in tables for chunk in each[name].chunks)) for name in names})


def _joined(name: str, chunks: Iterable[pa.Array]) -> pa.ChunkedArray:
    arrays = [chunk for chunk in chunks if len(chunk)]
    types = {chunk.type for chunk in arrays if not pa.types.is_null(chunk.type)}
    for whole, any_number in ((pa.int64(), pa.float64()), (pa.list_(pa.int64()), pa.list_(pa.float64()))):
        if types == {whole, any_number}:
            types = {any_number}
    if len(types) > 1:
        raise DataError(f"the values of {name} are of different types, and they must be of one")
    kind = types.pop() if types else pa.null()
    return pa.chunked_array([chunk.cast(kind) for chunk in arrays], type=kind)
