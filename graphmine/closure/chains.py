"""Shortest chains of hard must-links from some nodes to others, also while links are being taken away.

A group stands in the web as two gates: its members lead into the one, the other leads to its members. A must-link of
the group with itself leads from its first gate to its second, one between two groups from each one's first to the
other's second. So every way from a node to the next passes exactly one link, and a group of m nodes costs 2m edges.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.closure.components import Place, Side, Ties, places, spans, standing
from graphmine.model.constraints import Constraints

__all__ = ["Chain", "Web", "web"]


_UNSEEN, _ORIGIN = -2, -1


class Chain(NamedTuple):
    """A way through the web: the nodes, and for each hop to the next the parts of the web that it passes."""

    nodes: list[int]
    hops: list[list[int]]


@dataclass(frozen=True, eq=False)
class Web:
    """Hard must-links as a graph of nodes and gates.

    Every edge belongs to a part of the web: a link (the first parts) or the membership of a node in a group. A part
    that is taken away takes its edges with it.

    Parameters
    ----------
    n_nodes
        Vertices below this are nodes, by their numbers in the row of all kinds.
    starts, heads
        The edges by vertex, as in a CSR matrix.
    tails, parts
        Of each edge, where it comes from and which part it belongs to.
    links
        Of each link its place and its number there.
    memberships
        Of each membership its place, which of the place's pools of groups, where among the members, and the node.
    left
        Of each part, whether it is still there; `take` changes it.
    """

    n_nodes: int
    starts: Ints
    heads: Ints
    tails: Ints
    parts: Ints
    links: Ints
    memberships: Ints
    left: Bools

    def removable(self, hop: list[int]) -> list[int]:
        """Return the parts of a hop that can be taken away: a group loses a member rather than its link."""
        return [part for part in hop if part >= len(self.links)] or hop

    def take(self, part: int) -> None:
        """Take a part away."""
        self.left[part] = False

    def link_of(self, hop: list[int]) -> tuple[int, int]:
        """Return the place and the number of the one link of a hop."""
        place, number = self.links[min(hop)].tolist()
        return place, number

    def chain(self, sources: Iterable[int] | Ints, targets: Iterable[int] | Ints) -> Chain | None:
        """Return a shortest chain from any of the sources to any of the targets; None where there is none."""
        fronts = [np.asarray(sources, dtype=np.int64), np.asarray(targets, dtype=np.int64)]
        reached = [np.full(len(self.starts) - 1, _UNSEEN) for _ in fronts]
        for via, front in zip(reached, fronts, strict=True):
            via[front] = _ORIGIN
        meeting = fronts[0][reached[1][fronts[0]] != _UNSEEN]
        while not meeting.size:
            side = int(len(fronts[1]) < len(fronts[0]))
            fronts[side] = self._hop(reached[side], fronts[side])
            if not fronts[side].size:
                return None
            meeting = fronts[side][reached[1 - side][fronts[side]] != _UNSEEN]
        there = self._back(reached[0], int(meeting[0]))
        onward = self._back(reached[1], int(meeting[0]))
        return Chain([*there.nodes[::-1], *onward.nodes[1:]], [*there.hops[::-1], *onward.hops])

    def _hop(self, via: Ints, front: Ints) -> Ints:
        """Go one hop on from some nodes, noting for every vertex that is new the edge that led there."""
        found = []
        while front.size:
            _, edges = spans(self.starts[front], self.starts[front + 1])
            edges = edges[self.left[self.parts[edges]]]
            edges = edges[via[self.heads[edges]] == _UNSEEN]
            via[self.heads[edges]] = edges
            heads = self.heads[edges[via[self.heads[edges]] == edges]]  # each of them once
            found.append(heads[heads < self.n_nodes])
            front = heads[heads >= self.n_nodes]
        return np.concatenate([np.empty(0, dtype=np.int64), *found])

    def _back(self, via: Ints, vertex: int) -> Chain:
        """Return the way from a node back to where the search began."""
        chain, hop = Chain([vertex], []), list[int]()
        while (edge := int(via[vertex])) != _ORIGIN:
            hop.append(int(self.parts[edge]))
            vertex = int(self.tails[edge])
            if vertex < self.n_nodes:
                chain.nodes.append(vertex)
                chain.hops.append(hop)
                hop = []
        return chain


def web(constraints: Constraints, ties: Ties, among: Ints) -> Web:
    """Build the web of the hard must-links inside some components.

    >>> from graphmine.model.links import Groups, Links
    >>> from graphmine.closure.components import tied
    >>> links = Links.tying(Groups.of([[0, 1, 2]]), hard=True) + Links.of_pairs([[2, 3]], hard=True)
    >>> known = Constraints({"Author": links})
    >>> web(known, tied(known), np.array([0])).chain([0], [3]).nodes
    [0, 2, 3]
    """
    wanted = np.zeros(ties.n, dtype=np.bool_)
    wanted[among] = True
    edges, links, memberships = ([np.empty((0, columns), dtype=np.int64)] for columns in (3, 2, 4))
    n_links = n_memberships = 0
    for number, place in enumerate(places(constraints)):
        which = _inside(place, ties, wanted)
        links.append(_columns(number, which))
        edges += _passages(place, which, ties, n_links)
        n_links += len(which)
        for pool, side in enumerate(place.pools):
            group, index = place.members(pool, which)
            memberships.append(_columns(number, pool, index, ties.starts[side.kind] + side.groups.members[index]))
            edges += _entries(side, group, index, ties, -1 - n_memberships)
            n_memberships += len(index)
    n_groups = sum(len(side.groups) for place in places(constraints) for side in place.pools)
    n_vertices = len(ties.component) + 2 * n_groups
    tails, heads, parts = np.concatenate(edges).T
    order = np.argsort(tails, kind="stable")
    return Web(
        n_nodes=len(ties.component),
        starts=np.searchsorted(tails[order], np.arange(n_vertices + 1)),
        heads=heads[order],
        tails=tails[order],
        parts=np.where(parts < 0, n_links - 1 - parts, parts)[order],
        links=np.concatenate(links),
        memberships=np.concatenate(memberships),
        left=np.ones(n_links + n_memberships, dtype=np.bool_),
    )


def _inside(place: Place, ties: Ties, wanted: Bools) -> Ints:
    """Return the hard must-links that tie some of the wanted components; the left ends tell which."""
    which, side = standing(place.links, must=True), place.sides[0]
    position = side.units[which]
    grouped = position < 0
    position[grouped] = side.groups.members[side.groups.starts[-1 - position[grouped]]]
    return which[wanted[ties.of(side.kind)[position]]]


def _passages(place: Place, which: Ints, ties: Ties, first: int) -> list[Ints]:
    """Return the edges of links, there and back; the parts count on from the first."""
    left, right = place.sides
    part = first + np.arange(len(which))
    return [
        _columns(_vertices(a, which, ties, out=False), _vertices(b, which, ties, out=True), part)
        for a, b in ((left, right), (right, left))
    ]


def _entries(side: Side, group: Ints, index: Ints, ties: Ties, first: int) -> list[Ints]:
    """Return the edges from members into gates, and from gates to members; the parts count down from the first."""
    node = ties.starts[side.kind] + side.groups.members[index]
    gate = len(ties.component) + 2 * (side.first + group)
    part = first - np.arange(len(index))
    return [_columns(node, gate, part), _columns(gate + 1, node, part)]


def _vertices(side: Side, which: Ints, ties: Ties, *, out: bool) -> Ints:
    units = side.units[which]
    gate = len(ties.component) + 2 * (side.first - 1 - units) + int(out)
    return np.where(units < 0, gate, ties.starts[side.kind] + units)


def _columns(*columns: Ints | int) -> Ints:
    return np.stack(np.broadcast_arrays(*columns), axis=1)
