"""Small constraints drawn at random, and every pair that they stand for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from graphmine.model import Constraints, Groups, Links

KINDS = ("Author", "Venue")
N_NODES = 7
RULES = ("first", "second")


@dataclass(frozen=True)
class Pair:
    """A pair of nodes that a link stands for, by brute force."""

    kinds: tuple[str, ...]
    link: int
    left: int
    right: int
    must: bool
    hard: bool
    weight: float
    rule: int

    @property
    def ends(self) -> tuple[tuple[str, int], tuple[str, int]]:
        return (self.kinds[0], self.left), (self.kinds[-1], self.right)


positions = st.integers(0, N_NODES - 1)
some_groups = st.lists(st.sets(positions), max_size=3).map(lambda sets: Groups.of([sorted(each) for each in sets]))


@st.composite
def some_links(draw: st.DrawFn, across: bool = False) -> Links:
    """Draw links between nodes and groups that may overlap or be empty, of both senses, both firmnesses and rules."""
    groups = draw(some_groups)
    others = draw(some_groups) if across else None
    first = st.integers(-len(groups), N_NODES - 1)
    second = first if others is None else st.integers(-len(others), N_NODES - 1)
    ends = st.tuples(first, second).filter(lambda pair: across or pair[0] != pair[1] or pair[0] < 0)
    about = st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.5, 1.0, 2.0]), st.integers(-1, len(RULES) - 1))
    drawn = draw(st.lists(st.tuples(ends, about), max_size=6))
    return Links(
        left=np.array([ends[0] for ends, _ in drawn], dtype=np.int64),
        right=np.array([ends[1] for ends, _ in drawn], dtype=np.int64),
        must=np.array([about[0] for _, about in drawn], dtype=np.bool_),
        hard=np.array([about[1] for _, about in drawn], dtype=np.bool_),
        weight=np.array([about[2] for _, about in drawn], dtype=np.float64),
        rule=np.array([about[3] for _, about in drawn], dtype=np.int64),
        groups=groups,
        others=others,
    )


@st.composite
def some_constraints(draw: st.DrawFn) -> Constraints:
    """Draw links of two kinds and across them."""
    within = {kind: draw(some_links()) for kind in draw(st.sets(st.sampled_from(KINDS))) or ()}
    across = {KINDS: draw(some_links(across=True))} if draw(st.booleans()) else {}
    return Constraints(within, across, rules=RULES)


def expanded(constraints: Constraints) -> list[Pair]:
    """Return every pair of nodes that constraints stand for."""
    named: list[tuple[tuple[str, ...], Links]] = [((kind,), links) for kind, links in constraints.within.items()]
    return [pair for kinds, links in (*named, *constraints.across.items()) for pair in _pairs(kinds, links)]


def _pairs(kinds: tuple[str, ...], links: Links) -> Iterator[Pair]:
    for number, (left, right) in enumerate(zip(links.left.tolist(), links.right.tolist(), strict=True)):
        first = _nodes(left, links.groups)
        second = _nodes(right, links.groups if links.others is None else links.others)
        loop = left == right and links.others is None
        about = (bool(links.must[number]), bool(links.hard[number]), float(links.weight[number]))
        for a in first:
            for b in second:
                if not loop or a < b:
                    yield Pair(kinds, number, a, b, *about, int(links.rule[number]))


def _nodes(unit: int, groups: Groups) -> list[int]:
    return [unit] if unit >= 0 else groups[-1 - unit].tolist()
