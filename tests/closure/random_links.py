"""Random constraints over three small kinds, and what they mean pair by pair."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from graphmine.model import Constraints, Groups, Links

Node = tuple[str, int]
Pair = tuple[Node, Node]
Place = str | tuple[str, str]

SIZES = {"Author": 7, "Paper": 4, "Venue": 5}
PLACES: tuple[Place, ...] = (*SIZES, ("Author", "Venue"), ("Venue", "Author"), ("Venue", "Paper"))


@dataclass(frozen=True)
class Meant:
    """A link with the pairs of nodes that it stands for."""

    pairs: tuple[Pair, ...]
    must: bool
    hard: bool
    weight: float
    rule: int


def kinds_of(place: Place) -> tuple[str, str]:
    return (place, place) if isinstance(place, str) else place


def meant(constraints: Constraints) -> list[Meant]:
    """Write every link out."""
    found = []
    every: list[tuple[Place, Links]] = [*constraints.within.items(), *constraints.across.items()]
    for place, links in every:
        first, second = kinds_of(place)
        for i in range(len(links)):
            left, right = int(links.left[i]), int(links.right[i])
            lefts = nodes_of(first, left, links.groups)
            rights = nodes_of(second, right, links.groups if links.others is None else links.others)
            loop = links.others is None and left == right
            pairs = combinations(lefts, 2) if loop else product(lefts, rights)
            sense = bool(links.must[i]), bool(links.hard[i]), float(links.weight[i]), int(links.rule[i])
            found.append(Meant(tuple(pairs), *sense))
    return found


def nodes_of(kind: str, unit: int, groups: Groups) -> list[Node]:
    return [(kind, unit)] if unit >= 0 else [(kind, each) for each in groups[-1 - unit].tolist()]


def hard_pairs(constraints: Constraints, *, must: bool) -> set[frozenset[Node]]:
    """Return all pairs that hard links of a sense stand for; of a node with itself, that node alone."""
    return {frozenset(pair) for link in meant(constraints) if link.hard and link.must == must for pair in link.pairs}


def wished(constraints: Constraints) -> Counter[tuple[frozenset[Node], bool, int]]:
    """Return how much each pair of different nodes is wished for, in each sense by each rule."""
    found: Counter[tuple[frozenset[Node], bool, int]] = Counter()
    for link in meant(constraints):
        for pair in link.pairs:
            if not link.hard and pair[0] != pair[1]:
                found[frozenset(pair), link.must, link.rule] += link.weight  # type: ignore[assignment]
    return found


def components(constraints: Constraints) -> dict[Node, frozenset[Node]]:
    """Return what hard must-links tie to each node, by merging sets."""
    part = {node: frozenset([node]) for node in ((kind, i) for kind, size in SIZES.items() for i in range(size))}
    for pair in hard_pairs(constraints, must=True):
        whole = frozenset.union(*(part[node] for node in pair))
        part |= dict.fromkeys(whole, whole)
    return part


def contradicted(constraints: Constraints) -> list[Meant]:
    """Return the hard cannot-links that part two nodes of one component, or a node from itself."""
    part = components(constraints)
    cannot = (link for link in meant(constraints) if link.hard and not link.must)
    return [link for link in cannot if any(part[a] == part[b] for a, b in link.pairs)]


@st.composite
def place_links(draw: st.DrawFn, place: Place, most: int) -> Links:
    first, second = kinds_of(place)
    within = first == second
    sets = [
        [sorted(draw(st.sets(st.integers(0, SIZES[kind] - 1), max_size=4))) for _ in range(draw(st.integers(0, 3)))]
        for kind in ((first,) if within else (first, second))
    ]
    ends = st.tuples(
        st.integers(-len(sets[0]), SIZES[first] - 1), st.integers(-len(sets[-1]), SIZES[second] - 1)
    ).filter(lambda units: not within or units[0] != units[1] or units[0] < 0)
    if within and sets[0]:  # groups linked with themselves, which would be rare otherwise
        ends |= st.integers(-len(sets[0]), -1).map(lambda unit: (unit, unit))
    row = st.tuples(ends, st.booleans(), st.booleans(), st.sampled_from([1.0, 2.0, 0.5]), st.integers(-1, 1))
    rows = draw(st.lists(row, max_size=most))
    return Links(
        left=np.array([row[0][0] for row in rows], dtype=np.int64),
        right=np.array([row[0][1] for row in rows], dtype=np.int64),
        must=np.array([row[1] for row in rows], dtype=np.bool_),
        hard=np.array([row[2] for row in rows], dtype=np.bool_),
        weight=np.array([row[3] for row in rows], dtype=np.float64),
        rule=np.array([row[4] for row in rows], dtype=np.int64),
        groups=Groups.of(sets[0]),
        others=None if within else Groups.of(sets[1]),
    )


@st.composite
def any_constraints(draw: st.DrawFn, most: int = 5) -> Constraints:
    chosen = draw(st.lists(st.sampled_from(PLACES), unique=True, min_size=1, max_size=4))
    links = {place: draw(place_links(place, most)) for place in chosen}
    return Constraints(
        {place: each for place, each in links.items() if isinstance(place, str)},
        {place: each for place, each in links.items() if not isinstance(place, str)},
        {"Paper": np.arange(SIZES["Paper"])},
        ("first", "second"),
    )
