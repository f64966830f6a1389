"""Internal ids of nodes, and of both ends of relationships, as arrays that are read some at a time to save memory."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints

__all__ = ["LinkIds", "as_ids", "id_parts"]

_PART = 1 << 16  # so many ids are looked up at a time


class LinkIds(NamedTuple):
    """Relationships: the ids of both ends, some at a time, how many there are, and the weights, if they were asked."""

    sources: Iterator[Ints]
    targets: Iterator[Ints]
    total: int
    weights: pa.ChunkedArray | None


def id_parts(column: pa.ChunkedArray) -> Iterator[Ints]:
    """Cut a column of ids into parts that are small beside the block."""
    for chunk in column.chunks:
        for start in range(0, len(chunk), _PART):
            yield as_ids(chunk[start : start + _PART])


def as_ids(column: pa.Array | pa.ChunkedArray) -> Ints:
    """Return a column of ids as an array, without Arrow's own conversion, which imports pandas where there is one."""
    ids = column.cast(pa.int64())
    whole = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    return np.from_dlpack(whole).astype(np.int64, copy=False)
