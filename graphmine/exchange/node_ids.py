"""The relationships of a type as internal ids of their ends, both in one number: it takes less time and memory."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphmine.arrays import Ints
from graphmine.exchange.counts import count_at_ends, count_nodes
from graphmine.exchange.names import key_order
from graphmine.model import Nodes, Step
from graphmine.store import Raw, Reader, query

__all__ = ["Members", "Pairs", "as_ids", "id_parts", "in_order", "read_pairs"]

_SPAN = 1 << 20  # up to so many ids a look-up table is always made
_PART = 1 << 16  # so many ids are looked up at a time


@dataclass(frozen=True)
class Members:
    """The internal ids of a kind's nodes, in the order of their keys, ready to be looked up."""

    ids: Ints
    nodes: Nodes | None

    def positions(self, ids: Iterable[Ints], count: int) -> NDArray[np.int32]:
        """Return where each id stands, -1 for ids that are not among these nodes; a part at a time, to save memory."""
        places = np.full(count, -1, dtype=np.int32)
        start = 0
        for part in ids if len(self.ids) else ():
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
    order = key_order(kind, key, table["key"])
    return Members(as_ids(table["id"])[order], Nodes(kind, table["key"].take(pa.array(order))))


def id_parts(column: pa.ChunkedArray) -> Iterator[Ints]:
    """Cut a column of ids into parts that are small beside the block."""
    for chunk in column.chunks:
        for start in range(0, len(chunk), _PART):
            yield as_ids(chunk[start : start + _PART])


def as_ids(column: pa.Array | pa.ChunkedArray) -> Ints:
    """Return a column of ids as an array."""
    return np.asarray(column.cast(pa.int64()), dtype=np.int64)


_BITS = 31
"""From LadybugDB the second id comes in so many bits."""

_TOGETHER = 5000
"""So many relationships, about, come in one record from Neo4j, and they leave no more nodes than that."""


class Pairs(NamedTuple):
    """Relationships: the ids of both ends, some at a time, how many there are, and the weights, if they were asked."""

    sources: Iterator[Ints]
    targets: Iterator[Ints]
    total: int
    weights: pa.ChunkedArray | None


def read_pairs(tx: Reader, dialect: str, source: str, step: Step, target: str) -> Pairs:
    """Read the relationships of a step's type from one kind to another; a weight that is missing is not a number.

    Ends of other kinds may be among them.
    """
    name, names, values = "pull_edges", {"type": step.type}, {}
    if step.weight is not None:
        name, names, values = "pull_weights", names | {"weight": step.weight}, {"missing": math.nan}
    if dialect == "ladybug":
        table = tx.read(query(dialect, name, source=source, target=target, **names), **values)
        pair = table["pair"]
        sources = (part >> _BITS for part in id_parts(pair))
        targets = (part & (1 << _BITS) - 1 for part in id_parts(pair))
    else:
        outward, block = _walk(tx, source, step.type, target)
        names |= {"near": source, "left": Raw("-"), "right": Raw("->")}
        if not outward:
            names |= {"near": target, "left": Raw("<-"), "right": Raw("-")}
        table = tx.read(query(dialect, name, **names), **values, block=block)
        pair, first = table["pair"], table["first"]
        near = (base + part % block for base, part in zip(id_parts(first), id_parts(pair), strict=True))
        far = (part // block for part in id_parts(pair))
        sources, targets = (near, far) if outward else (far, near)
    return Pairs(sources, targets, len(pair), None if step.weight is None else table["weight"])


def _walk(tx: Reader, source: str, type_: str, target: str) -> tuple[bool, int]:
    """Return whether to go from sources to targets, or back, whichever costs less, and from how many ids at a time."""
    nodes = [count_nodes(tx, "neo4j", kind) for kind in (source, target)]
    links = count_at_ends(tx, source, type_, target)
    outward = nodes[0] + links[0] <= nodes[1] + links[1]
    near = 0 if outward else 1
    return outward, min(max(_TOGETHER * nodes[near] // max(links[near], 1), 1), _TOGETHER)
