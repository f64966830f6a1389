"""What rules ask of a network; the exchange layer answers from a database, tests may answer from anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.model import Filter, Nodes, Pattern, Relation

__all__ = ["Earlier", "Source"]


@dataclass(frozen=True, eq=False)
class Earlier:
    """The labels that an earlier run wrote: for each kind its nodes and their cluster numbers, -1 where it had none."""

    run: str
    labels: dict[str, tuple[Nodes, Ints]]


class Source(Protocol):
    """Where the facts come from that rules turn into links."""

    def relation(self, pattern: Pattern, where: Sequence[Filter]) -> Relation:
        """Return the relation of a pattern, over the nodes that pass the filters."""

    def values(self, kind: str, property_: str, where: Sequence[Filter]) -> tuple[Nodes, pa.Array]:
        """Return the nodes of a kind that pass the filters, and what stands in a property of each; null for nothing."""

    def earlier(self, run: str, last: int) -> list[Earlier]:
        """Return the labels of a run, or of the last few complete ones that wrote a property, the latest first."""
