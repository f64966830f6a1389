"""Filters as Cypher, and keys in one order: what everything that reads nodes has in common."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphmine.errors import DataError
from graphmine.model import Filter
from graphmine.store import Raw, query

__all__ = ["key_order", "where_clause"]


def where_clause(dialect: str, kind: str, filters: Sequence[Filter]) -> tuple[Raw, dict[str, object]]:
    """Return the filters on a kind as a WHERE clause, and the values of its parameters."""
    tests: list[str] = []
    values: dict[str, object] = {}
    for number, each in enumerate(each for each in filters if each.kind == kind):
        name = f"value_{number}"
        values[name] = each.value
        names = {"property": each.property, "operator": Raw.operator(each.operator), "value": Raw(f"${name}")}
        tests.append(query(dialect, "where", **names))
    return Raw("WHERE " + " AND ".join(tests) if tests else ""), values


def key_order(kind: str, key: str, column: pa.ChunkedArray) -> NDArray[np.uint64]:
    """Return the order of the keys, which all nodes must have."""
    if column.null_count:
        raise DataError(
            f"{column.null_count} of {len(column)} {kind} nodes have no {key!r}; name another key or fill it"
        )
    try:
        return np.asarray(pc.sort_indices(column))
    except pa.ArrowNotImplementedError:  # what has no order is no key, and Nodes says so
        return np.arange(len(column), dtype=np.uint64)
