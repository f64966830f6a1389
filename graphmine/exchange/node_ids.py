"""The nodes of a kind by their internal ids."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphmine.arrays import Ints
from graphmine.exchange.names import key_order
from graphmine.model import Nodes
from graphmine.store.link_ids import as_ids

__all__ = ["Members", "in_order"]

_SPAN = 1 << 20  # up to so many ids a look-up table is always made


@dataclass(frozen=True)
class Members:
    """The internal ids of a kind's nodes, in the order of their keys, ready to be looked up."""

    ids: Ints
    nodes: Nodes | None

    def positions(self, ids: Iterable[Ints], count: int) -> NDArray[np.int32]:
        """Return the position of each id, -1 for ids of other nodes; one part at a time, to save memory."""
        places = np.full(count, -1, dtype=np.int32)
        if not len(self.ids):
            return places
        start = 0
        for part in ids:
            places[start : start + len(part)] = self._places(part)
            start += len(part)
        return places

    def _places(self, ids: Ints) -> NDArray[np.int32]:
        if self._table is not None:
            low, table = self._table
            at = ids - low
            np.putmask(at, (at < 0) | (at >= len(table)), len(table) - 1)
            return table[at]
        order = self._sorted
        found = np.minimum(np.searchsorted(self.ids, ids, sorter=order), len(order) - 1)
        places = order[found]
        return np.where(self.ids[places] == ids, places, -1).astype(np.int32)

    @cached_property
    def _table(self) -> tuple[int, NDArray[np.int32]] | None:
        """The lowest id and the position of each from there on, last a -1; None where ids are too far apart."""
        low, span = int(self.ids.min()), int(np.ptp(self.ids)) + 1
        if span > 16 * len(self.ids) + _SPAN:
            return None
        table = np.full(span + 1, -1, dtype=np.int32)
        table[self.ids - low] = np.arange(len(self.ids), dtype=np.int32)
        return low, table

    @cached_property
    def _sorted(self) -> Ints:
        return np.argsort(self.ids)


def in_order(kind: str, key: str, table: pa.Table) -> Members:
    """Put ids and keys in the order of the keys."""
    ordered = table.take(key_order(kind, key, table["key"]))
    return Members(as_ids(ordered["id"]), Nodes(kind, ordered["key"]))
