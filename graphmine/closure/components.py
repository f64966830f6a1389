"""Which nodes hard must-links tie together, over all kinds at once, and which of those hard cannot-links part.

Nodes of all kinds are numbered in one row, kind after kind. What the must-links tie is found by one search for
connected components in which a group is a vertex beside the nodes, joined to each of its members: m edges for m nodes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import Bools, Ints
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups, Links

__all__ = ["Cannots", "Node", "Place", "Side", "Ties", "cannots", "clashes", "places", "spans", "standing", "tied"]

Node = tuple[str, int]

_AT_ONCE = 4_000_000
"""How many members of groups are compared at a time, so that memory stays small however many links there are."""


class Side(NamedTuple):
    """One end of some links: the kind, the units, what those below 0 stand for, and how many groups come before."""

    kind: str
    units: Ints
    groups: Groups
    first: int


@dataclass(frozen=True, eq=False)
class Place:
    """Where links stand: within a kind, or across two.

    Groups of all places are numbered in one row; `first` is where those of this place begin in it.
    """

    name: str | tuple[str, str]
    links: Links
    first: int

    @property
    def sides(self) -> tuple[Side, Side]:
        """The left ends and the right ones."""
        left, right, groups = self.links.left, self.links.right, self.links.groups
        if isinstance(self.name, str) or self.links.others is None:
            return Side(str(self.name), left, groups, self.first), Side(str(self.name), right, groups, self.first)
        second = Side(self.name[1], right, self.links.others, self.first + len(groups))
        return Side(self.name[0], left, groups, self.first), second

    @property
    def pools(self) -> tuple[Side, ...]:
        """The sides that have groups of their own: within a kind both share theirs."""
        return self.sides if self.links.others is not None else self.sides[:1]

    def members(self, pool: int, which: Ints) -> tuple[Ints, Ints]:
        """Return the members of the groups that some of the links name: for each the number of its group, its index."""
        groups = self.pools[pool].groups
        used = np.zeros(len(groups), dtype=np.bool_)
        for side in self.sides if self.links.others is None else (self.sides[pool],):
            units = side.units[which]
            used[-1 - units[units < 0]] = True
        if used.all():
            return np.repeat(np.arange(len(groups)), groups.sizes), np.arange(len(groups.members))
        numbers = np.flatnonzero(used)
        group, index = spans(groups.starts[numbers], groups.starts[numbers + 1])
        return numbers[group], index


def places(constraints: Constraints) -> list[Place]:
    """Return all links of constraints with where they stand."""
    found: list[Place] = []
    first = 0
    every: list[tuple[str | tuple[str, str], Links]] = [*constraints.within.items(), *constraints.across.items()]
    for name, links in every:
        found.append(Place(name, links, first))
        first += sum(len(side.groups) for side in found[-1].pools)
    return found


def standing(links: Links, *, must: bool) -> Ints:
    """Return the numbers of the hard links of one sense that stand for any pair of nodes."""
    which = links.hard & (links.must if must else ~links.must)
    if len(links.groups) or (links.others is not None and len(links.others)):
        which &= links.n_pairs > 0
    return np.flatnonzero(which)


def spans(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Lay ranges of whole numbers end to end: for each number, which range it is of, and the number.

    >>> [each.tolist() for each in spans(np.array([3, 7]), np.array([5, 8]))]
    [[0, 0, 1], [3, 4, 7]]
    """
    sizes = ends - starts
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)


@dataclass(frozen=True, eq=False)
class Ties:
    """The components that hard must-links make of the nodes of all kinds.

    Parameters
    ----------
    starts
        Where each kind's nodes begin in the one row of all nodes, in the order of the kinds' names.
    component
        For each node in the row the number of its component, counted by first nodes; a node alone is a component too.
        Nodes behind the last that any link names are not there.

    Examples
    --------
    >>> ties = tied(Constraints({"Author": Links.of_pairs([[0, 2], [2, 3]], hard=True)}))
    >>> ties.component.tolist(), ties.n
    ([0, 1, 0, 0], 2)
    """

    starts: dict[str, int]
    component: Ints

    @property
    def n(self) -> int:
        """How many components there are."""
        return int(self.component.max(initial=-1)) + 1

    def of(self, kind: str) -> Ints:
        """Return the components of a kind's nodes."""
        end = min((start for start in self.starts.values() if start > self.starts[kind]), default=len(self.component))
        return self.component[self.starts[kind] : end]

    def node(self, number: int) -> Node:
        """Return the kind and the position of a node by its number in the row."""
        kind = [kind for kind, start in self.starts.items() if start <= number][-1]
        return kind, number - self.starts[kind]


def tied(constraints: Constraints) -> Ties:
    """Return what hard must-links tie together; it is found once and kept as long as the constraints are.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 2]], hard=True)})
    >>> tied(known) is tied(known)
    True
    """
    if constraints not in _FOUND:
        _FOUND[constraints] = _components(constraints)
    return _FOUND[constraints]


_FOUND: WeakKeyDictionary[Constraints, Ties] = WeakKeyDictionary()
"""The components of constraints that are in use; constraints never change, and are told apart by identity."""


def _components(constraints: Constraints) -> Ties:
    """Find connected components of the graph of nodes and groups."""
    every = places(constraints)
    starts, n_nodes = _row(every)
    heads, tails = _incidence(every, starts, n_nodes)
    n = n_nodes + sum(len(side.groups) for place in every for side in place.pools)
    graph = coo_array((np.ones(len(heads), dtype=np.int8), (heads, tails)), shape=(n, n))
    _, component = connected_components(graph.tocsr(), directed=False)
    own = component[:n_nodes].astype(np.int64)
    own.flags.writeable = False  # many read it
    return Ties(starts, own)


def _row(every: list[Place]) -> tuple[dict[str, int], int]:
    """Return where each kind begins in the row of all nodes that links name, and how long the row is."""
    lengths: dict[str, int] = {}
    named = [(side.kind, side.units) for place in every for side in place.sides]
    named += [(side.kind, side.groups.members) for place in every for side in place.pools]
    for kind, positions in named:
        lengths[kind] = max(lengths.get(kind, 1), int(positions.max(initial=-1)) + 1)
    ends = np.cumsum([0, *(lengths[kind] for kind in sorted(lengths))]).tolist()
    return dict(zip(sorted(lengths), ends[:-1], strict=True)), ends[-1]


def _incidence(every: list[Place], starts: dict[str, int], n_nodes: int) -> tuple[Ints, Ints]:
    """Return the edges that hard must-links make between nodes, and groups behind the nodes."""
    edges = [(np.empty(0, dtype=np.int64),) * 2]
    for place in every:
        which = standing(place.links, must=True)
        left, right = (
            np.where(side.units < 0, n_nodes + side.first - 1 - side.units, starts[side.kind] + side.units)[which]
            for side in place.sides
        )
        edges.append((left, right))
        for pool, side in enumerate(place.pools):
            group, index = place.members(pool, which)
            edges.append((n_nodes + side.first + group, starts[side.kind] + side.groups.members[index]))
    heads, tails = (np.concatenate(column) for column in zip(*edges, strict=True))
    return heads, tails


@dataclass(frozen=True, eq=False)
class Cannots:
    """The hard cannot-links of all places, each between two ends.

    An end below `n` is a component, one from there on a set of components: those of the members of a group.

    Parameters
    ----------
    place, link
        Where each stands, as a position in `places`, and its number there.
    left, right
        The two ends. Where they are the same set, its members exclude one another.
    n
        How many components there are.
    keys
        In order, end * n + component for each component of each set.
    doubled
        Whether more than one member of the group is in that component.
    """

    place: Ints
    link: Ints
    left: Ints
    right: Ints
    n: int
    keys: Ints
    doubled: Bools

    @property
    def loops(self) -> Bools:
        """Which links part the members of one group."""
        loops: Bools = (self.left == self.right) & (self.left >= self.n)
        return loops


def cannots(constraints: Constraints, ties: Ties) -> Cannots:
    """Return the hard cannot-links, their ends as components."""
    nothing = np.empty(0, dtype=np.int64)
    columns: list[tuple[Ints, ...]] = [(nothing,) * 4]
    keys = [nothing]
    for number, place in enumerate(places(constraints)):
        which = standing(place.links, must=False)
        left, right = (_ends(side, which, ties) for side in place.sides)
        columns.append((np.full(len(which), number), which, left, right))
        for pool, side in enumerate(place.pools):
            group, index = place.members(pool, which)
            keys.append((ties.n + side.first + group) * ties.n + ties.of(side.kind)[side.groups.members[index]])
    found, counts = np.unique(np.concatenate(keys), return_counts=True)
    where, link, lefts, rights = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Cannots(where, link, lefts, rights, ties.n, found, counts > 1)


def _ends(side: Side, which: Ints, ties: Ties) -> Ints:
    units = side.units[which]
    return np.where(units < 0, ties.n + side.first - 1 - units, ties.of(side.kind)[np.maximum(units, 0)])


def clashes(parted: Cannots) -> tuple[Ints, Ints]:
    """Return which hard cannot-links part nodes of one component, and the component; several for one link, maybe.

    >>> links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    >>> known = Constraints({"Author": links})
    >>> [each.tolist() for each in clashes(cannots(known, tied(known)))]
    [[0], [0]]
    """
    single = (parted.left < parted.n) & (parted.right < parted.n)
    same = np.flatnonzero(single & (parted.left == parted.right))
    found = [(same, parted.left[same]), *_inside(parted), *_between(parted, ~single & ~parted.loops)]
    link, component = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((component, link))
    return link[order], component[order]


def _inside(parted: Cannots) -> Iterator[tuple[Ints, Ints]]:
    """Find sets whose members exclude one another though several are of one component."""
    loops, keys = np.flatnonzero(parted.loops), parted.keys[parted.doubled]
    for which, index in _chunks(keys, parted.left[loops], parted.n):
        yield loops[which], keys[index] % parted.n


def _between(parted: Cannots, chosen: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Find components that both ends of a link have in common, looking each of the smaller end's up in the larger."""
    n, links = parted.n, np.flatnonzero(chosen)
    left, right = parted.left[links], parted.right[links]
    single = np.unique(np.concatenate([left[left < n], right[right < n]]))
    keys = np.union1d(parted.keys, single * n + single)
    keys = keys[np.bincount(keys % max(n, 1), minlength=n)[keys % max(n, 1)] > 1]  # in one end only: of no interest
    sizes = [np.diff(np.searchsorted(keys, [end * n, (end + 1) * n]), axis=0)[0] for end in (left, right)]
    small, large = np.where(sizes[0] <= sizes[1], (left, right), (right, left))
    for which, index in _chunks(keys, small, n):
        component = keys[index] % n
        wanted = large[which] * n + component
        common = _among(keys, wanted)
        yield links[which[common]], component[common]


def _among(keys: Ints, wanted: Ints) -> Bools:
    """Say of each value whether it is one of the keys, which are in order."""
    at = np.searchsorted(keys, wanted)
    among: Bools = np.append(keys, -1)[at] == wanted
    return among


def _chunks(keys: Ints, ends: Ints, n: int) -> Iterator[tuple[Ints, Ints]]:
    """Lay out where the keys of each end are, some millions at a time: which end, and where."""
    starts, stops = np.searchsorted(keys, ends * n), np.searchsorted(keys, (ends + 1) * n)
    before = np.cumsum(stops - starts)
    cuts = np.searchsorted(before, np.arange(_AT_ONCE, before.max(initial=0), _AT_ONCE))
    for part in np.split(np.arange(len(ends)), cuts):
        which, index = spans(starts[part], stops[part])
        yield part[which], index
