"""The relationships of a type as internal ids of their ends, both in one number: it takes less time and memory."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from graphmine.exchange.members import Ids, id_parts
from graphmine.exchange.sizes import count_at_ends, count_nodes
from graphmine.model import Step
from graphmine.store import Raw, Reader, query

__all__ = ["Pairs", "read_pairs"]

_BITS = 31
"""From LadybugDB the second id comes in so many bits."""

_TOGETHER = 5000
"""So many relationships, about, come in one record from Neo4j, and they leave no more nodes than that."""


class Pairs(NamedTuple):
    """Relationships: the ids of both ends, some at a time, how many there are, and the weights, if they were asked."""

    sources: Iterator[Ids]
    targets: Iterator[Ids]
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
