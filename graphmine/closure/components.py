"""Connected components of hard must-links over all kinds at once, and the hard cannot-links between them.

Nodes of all kinds are numbered consecutively, kind after kind. The components are those of a graph in which a group is
an additional vertex, joined to each of its members: m edges for a group of m nodes.
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

__all__ = [
    "CannotLinks",
    "Components",
    "LinkBlock",
    "LinkSide",
    "Node",
    "active_hard_links",
    "clashes",
    "expand_ranges",
    "hard_cannot_links",
    "link_blocks",
    "must_link_components",
]

Node = tuple[str, int]

_AT_ONCE = 4_000_000
"""The number of group members compared at a time, so that memory stays small however many links there are."""


class LinkSide(NamedTuple):
    """One side of some links: the kind, the units, the groups that negative units stand for, and their first number."""

    kind: str
    units: Ints
    groups: Groups
    first: int


@dataclass(frozen=True, eq=False)
class LinkBlock:
    """The links within one kind, or across two.

    The groups of all blocks are numbered consecutively; `first` is the number of the first group of this block.
    """

    name: str | tuple[str, str]
    links: Links
    first: int

    @property
    def sides(self) -> tuple[LinkSide, LinkSide]:
        """The left ends and the right ones."""
        left, right, groups = self.links.left, self.links.right, self.links.groups
        if isinstance(self.name, str) or self.links.others is None:
            return LinkSide(str(self.name), left, groups, self.first), LinkSide(
                str(self.name), right, groups, self.first
            )
        second = LinkSide(self.name[1], right, self.links.others, self.first + len(groups))
        return LinkSide(self.name[0], left, groups, self.first), second

    @property
    def pools(self) -> tuple[LinkSide, ...]:
        """The sides that have groups of their own: within a kind both share theirs."""
        return self.sides if self.links.others is not None else self.sides[:1]

    def members(self, pool: int, which: Ints) -> tuple[Ints, Ints]:
        """Return the members of the groups that some links name: the number of the group of each, and its index."""
        groups = self.pools[pool].groups
        used = np.zeros(len(groups), dtype=np.bool_)
        sides = self.sides if self.links.others is None else (self.sides[pool],)
        for side in sides:
            units = side.units[which]
            used[-1 - units[units < 0]] = True
        if used.all():
            return np.repeat(np.arange(len(groups)), groups.sizes), np.arange(len(groups.members))
        numbers = np.flatnonzero(used)
        group, index = expand_ranges(groups.starts[numbers], groups.starts[numbers + 1])
        return numbers[group], index


def link_blocks(constraints: Constraints) -> list[LinkBlock]:
    """Return the blocks of links of constraints: one for each kind, and one for each two kinds."""
    found: list[LinkBlock] = []
    first = 0
    every: list[tuple[str | tuple[str, str], Links]] = [*constraints.within.items(), *constraints.across.items()]
    for name, links in every:
        found.append(LinkBlock(name, links, first))
        first += sum(len(side.groups) for side in found[-1].pools)
    return found


def active_hard_links(links: Links, *, must: bool) -> Ints:
    """Return the numbers of the hard links of one sense that stand for at least one pair of nodes."""
    which = links.hard & (links.must if must else ~links.must)
    if len(links.groups) or (links.others is not None and len(links.others)):
        which &= links.n_pairs > 0
    return np.flatnonzero(which)


def expand_ranges(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Concatenate ranges of whole numbers; return the range that each number comes from, and the numbers.

    >>> [each.tolist() for each in expand_ranges(np.array([3, 7]), np.array([5, 8]))]
    [[0, 0, 1], [3, 4, 7]]
    """
    sizes = ends - starts
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of the hard must-links between nodes of all kinds.

    Parameters
    ----------
    starts
        The number of the first node of each kind, in the order of the kinds' names.
    component
        The component of each node, numbered by their first nodes; a single node is a component too. Nodes after the
        last one of their kind that any link names are left out.

    Examples
    --------
    >>> ties = must_link_components(Constraints({"Author": Links.of_pairs([[0, 2], [2, 3]], hard=True)}))
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
        """Return the kind and the position of a node by its number."""
        kind = [kind for kind, start in self.starts.items() if start <= number][-1]
        return kind, number - self.starts[kind]


def must_link_components(constraints: Constraints) -> Components:
    """Return what hard must-links tie together; it is found once and kept as long as the constraints are.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 2]], hard=True)})
    >>> must_link_components(known) is must_link_components(known)
    True
    """
    if constraints not in _FOUND:
        _FOUND[constraints] = _components(constraints)
    return _FOUND[constraints]


_FOUND: WeakKeyDictionary[Constraints, Components] = WeakKeyDictionary()
"""The components of constraints that are in use; constraints never change, and are told apart by identity."""


def _components(constraints: Constraints) -> Components:
    """Find connected components of the graph of nodes and groups."""
    every = link_blocks(constraints)
    starts, n_nodes = _node_starts(every)
    heads, tails = _incidence(every, starts, n_nodes)
    n = n_nodes + sum(len(side.groups) for block in every for side in block.pools)
    graph = coo_array((np.ones(len(heads), dtype=np.int8), (heads, tails)), shape=(n, n))
    _, component = connected_components(graph.tocsr(), directed=False)
    own = component[:n_nodes].astype(np.int64)
    own.flags.writeable = False  # many read it
    return Components(starts, own)


def _node_starts(every: list[LinkBlock]) -> tuple[dict[str, int], int]:
    """Return the number of the first node of each kind, and the number of all nodes that links may name."""
    lengths: dict[str, int] = {}
    named = [(side.kind, side.units) for block in every for side in block.sides]
    named += [(side.kind, side.groups.members) for block in every for side in block.pools]
    for kind, positions in named:
        lengths[kind] = max(lengths.get(kind, 1), int(positions.max(initial=-1)) + 1)
    ends = np.cumsum([0, *(lengths[kind] for kind in sorted(lengths))]).tolist()
    return dict(zip(sorted(lengths), ends[:-1], strict=True)), ends[-1]


def _incidence(every: list[LinkBlock], starts: dict[str, int], n_nodes: int) -> tuple[Ints, Ints]:
    """Return the edges of hard must-links between nodes and groups; groups are numbered after the nodes."""
    edges = [(np.empty(0, dtype=np.int64),) * 2]
    for block in every:
        which = active_hard_links(block.links, must=True)
        left, right = (
            np.where(side.units < 0, n_nodes + side.first - 1 - side.units, starts[side.kind] + side.units)[which]
            for side in block.sides
        )
        edges.append((left, right))
        for pool, side in enumerate(block.pools):
            group, index = block.members(pool, which)
            edges.append((n_nodes + side.first + group, starts[side.kind] + side.groups.members[index]))
    heads, tails = (np.concatenate(column) for column in zip(*edges, strict=True))
    return heads, tails


@dataclass(frozen=True, eq=False)
class CannotLinks:
    """The hard cannot-links of all blocks, each between two ends.

    An end below `n` is a component; an end from `n` on is the set of the components of a group's members.

    Parameters
    ----------
    block, link
        Where each stands, as a position in `link_blocks`, and its number there.
    left, right
        The two ends. Where they are the same set, its members exclude each other.
    n
        How many components there are.
    keys
        Sorted: end * n + component, for each component of each set.
    doubled
        Whether more than one member of the group is in that component.
    """

    block: Ints
    link: Ints
    left: Ints
    right: Ints
    n: int
    keys: Ints
    doubled: Bools

    @property
    def loops(self) -> Bools:
        """Whether each link separates the members of one group."""
        loops: Bools = (self.left == self.right) & (self.left >= self.n)
        return loops


def hard_cannot_links(constraints: Constraints, ties: Components) -> CannotLinks:
    """Return the hard cannot-links, their ends as components."""
    nothing = np.empty(0, dtype=np.int64)
    columns: list[tuple[Ints, ...]] = [(nothing,) * 4]
    keys = [nothing]
    for number, block in enumerate(link_blocks(constraints)):
        which = active_hard_links(block.links, must=False)
        left, right = (_ends(side, which, ties) for side in block.sides)
        columns.append((np.full(len(which), number), which, left, right))
        for pool, side in enumerate(block.pools):
            group, index = block.members(pool, which)
            keys.append((ties.n + side.first + group) * ties.n + ties.of(side.kind)[side.groups.members[index]])
    found, counts = np.unique(np.concatenate(keys), return_counts=True)
    where, link, lefts, rights = (np.concatenate(column) for column in zip(*columns, strict=True))
    return CannotLinks(where, link, lefts, rights, ties.n, found, counts > 1)


def _ends(side: LinkSide, which: Ints, ties: Components) -> Ints:
    units = side.units[which]
    return np.where(units < 0, ties.n + side.first - 1 - units, ties.of(side.kind)[np.maximum(units, 0)])


def clashes(cannot_links: CannotLinks) -> tuple[Ints, Ints]:
    """Return the hard cannot-links inside a component, and that component; a link may be listed with several.

    >>> links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    >>> known = Constraints({"Author": links})
    >>> [each.tolist() for each in clashes(hard_cannot_links(known, must_link_components(known)))]
    [[0], [0]]
    """
    single = (cannot_links.left < cannot_links.n) & (cannot_links.right < cannot_links.n)
    same = np.flatnonzero(single & (cannot_links.left == cannot_links.right))
    found = [
        (same, cannot_links.left[same]),
        *_clashes_in_sets(cannot_links),
        *_clashes_between_ends(cannot_links, ~single & ~cannot_links.loops),
    ]
    link, component = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((component, link))
    return link[order], component[order]


def _clashes_in_sets(cannot_links: CannotLinks) -> Iterator[tuple[Ints, Ints]]:
    """Find sets whose members exclude each other though several belong to one component."""
    loops, keys = np.flatnonzero(cannot_links.loops), cannot_links.keys[cannot_links.doubled]
    for which, index in _key_ranges(keys, cannot_links.left[loops], cannot_links.n):
        yield loops[which], keys[index] % cannot_links.n


def _clashes_between_ends(cannot_links: CannotLinks, chosen: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Find the components that both ends of a link share, by looking up those of the smaller end in the larger."""
    n, links = cannot_links.n, np.flatnonzero(chosen)
    left, right = cannot_links.left[links], cannot_links.right[links]
    single = np.unique(np.concatenate([left[left < n], right[right < n]]))
    keys = np.union1d(cannot_links.keys, single * n + single)
    keys = keys[np.bincount(keys % max(n, 1), minlength=n)[keys % max(n, 1)] > 1]  # in one end only: of no interest
    sizes = [np.diff(np.searchsorted(keys, [end * n, (end + 1) * n]), axis=0)[0] for end in (left, right)]
    small, large = np.where(sizes[0] <= sizes[1], (left, right), (right, left))
    for which, index in _key_ranges(keys, small, n):
        component = keys[index] % n
        wanted = large[which] * n + component
        common = _is_key(keys, wanted)
        yield links[which[common]], component[common]


def _is_key(keys: Ints, wanted: Ints) -> Bools:
    """Return whether each value is one of the sorted keys."""
    at = np.searchsorted(keys, wanted)
    among: Bools = np.append(keys, -1)[at] == wanted
    return among


def _key_ranges(keys: Ints, ends: Ints, n: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the positions of the keys of each end, some millions at a time: the ends, and the positions."""
    starts, stops = np.searchsorted(keys, ends * n), np.searchsorted(keys, (ends + 1) * n)
    before = np.cumsum(stops - starts)
    cuts = np.searchsorted(before, np.arange(_AT_ONCE, before.max(initial=0), _AT_ONCE))
    for part in np.split(np.arange(len(ends)), cuts):
        which, index = expand_ranges(starts[part], stops[part])
        yield part[which], index
