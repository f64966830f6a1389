"""The source of facts for rules: the exchange layer implements it with a database, tests in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.model import Filter, Nodes, Pattern, Relation

__all__ = ["Earlier", "Source"]


@dataclass(frozen=True, eq=False)
class Earlier:
    """The labels of an earlier run: the nodes of each kind and their cluster numbers, -1 for none."""

    run: str
    labels: dict[str, tuple[Nodes, Ints]]


class Source(Protocol):
    """The facts that rules turn into links."""

    def relation(self, pattern: Pattern, where: Sequence[Filter]) -> Relation:
        """Return the relation of a pattern, over the nodes that pass the filters."""

    def values(self, kind: str, property_: str, where: Sequence[Filter]) -> tuple[Nodes, pa.Array]:
        """Return the nodes of a kind that pass the filters, and their values of a property; null for none."""

    def earlier(self, run: str, last: int) -> list[Earlier]:
        """Return the labels of a run, or of the last few complete runs that wrote a property, the latest first."""
