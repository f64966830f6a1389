"""A network in memory that answers rules, for exact expectations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphmine.constraints.draw import Drawn, draw
from graphmine.constraints.rules import Rule
from graphmine.constraints.source import Earlier
from graphmine.errors import RunError
from graphmine.model import Filter, Links, Nodes, Pattern, Relation
from tests.model.test_links import expanded

TESTS: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass
class Memory:
    """Keys and properties of each kind, dense blocks under their patterns, and earlier runs."""

    tables: Mapping[str, Mapping[str, Any]]
    blocks: Mapping[str, Any] = field(default_factory=dict)
    runs: Sequence[Earlier] = ()

    @property
    def nodes(self) -> dict[str, Nodes]:
        return {kind: Nodes(kind, table["key"]) for kind, table in self.tables.items()}

    def passing(self, kind: str, where: Sequence[Filter]) -> list[int]:
        table = self.tables[kind]
        tests = [each for each in where if each.kind == kind]
        return [
            i
            for i in range(len(table["key"]))
            if all(
                table[test.property][i] is not None and TESTS[test.operator](table[test.property][i], test.value)
                for test in tests
            )
        ]

    def relation(self, pattern: Pattern, where: Sequence[Filter]) -> Relation:
        rows, cols = self.passing(pattern.rows, where), self.passing(pattern.cols, where)
        block = np.array(self.blocks[str(pattern)], dtype=float)[np.ix_(rows, cols)]
        ends = [
            Nodes(kind, pa.array(self.tables[kind]["key"]).take(pa.array(kept, pa.int64())))
            for kind, kept in ((pattern.rows, rows), (pattern.cols, cols))
        ]
        return Relation(ends[0], ends[1], csr_array(block), str(pattern))

    def values(self, kind: str, property_: str, where: Sequence[Filter]) -> tuple[Nodes, pa.Array]:
        kept = pa.array(self.passing(kind, where), pa.int64())
        table = self.tables[kind]
        return Nodes(kind, pa.array(table["key"]).take(kept)), pa.array(table[property_]).take(kept)

    def earlier(self, run: str, last: int) -> list[Earlier]:
        if not self.runs:
            raise RunError("there is no complete run")
        return list(self.runs[:last])


def drawn(memory: Memory, *rules: str, nodes: Mapping[str, Nodes] | None = None) -> Drawn:
    return draw([Rule.parse(rule) for rule in rules], nodes or memory.nodes, memory)


def links_of(memory: Memory, rule: str, kind: str | tuple[str, str], nodes: Mapping[str, Nodes] | None = None) -> Links:
    """Return the links of one rule, which must have made some."""
    found = drawn(memory, rule, nodes=nodes)
    assert found.warnings == ()
    return found.constraints.within[kind] if isinstance(kind, str) else found.constraints.across[kind]


def pairs_of(links: Links) -> set[tuple[int, int]]:
    """Return the pairs that links stand for, each of which must be there once."""
    ends = expanded(links)
    pairs = [(min(pair), max(pair)) for pair in ends] if links.others is None else ends
    assert len(set(pairs)) == len(pairs)
    return set(pairs)
