"""Shortest chains of hard must-links between two sets of nodes, also while links are being removed.

A group is represented by two extra vertices, called gates: edges lead from its members into the first gate, and from
the second gate to its members. A must-link of a group with itself is an edge from its first gate to its second; a
must-link between two groups leads from the first gate of each to the second gate of the other. So every path from a
node to the next node passes exactly one link, and a group of m nodes costs 2m edges.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.closure.components import Components, LinkBlock, LinkSide, active_hard_links, expand_ranges, link_blocks
from graphmine.model.constraints import Constraints

__all__ = ["Chain", "MustLinkGraph", "must_link_graph"]


_UNSEEN, _ORIGIN = -2, -1


class Chain(NamedTuple):
    """A path through the graph: its nodes, and for each hop to the next node the parts of the graph that it uses."""

    nodes: list[int]
    hops: list[list[int]]


@dataclass(frozen=True, eq=False)
class MustLinkGraph:
    """Hard must-links as a graph of nodes and gates.

    Every edge belongs to a part of the graph: a link (the first parts) or the membership of a node in a group. Removing
    a part removes its edges.

    Parameters
    ----------
    n_nodes
        Vertices below this are nodes, numbered over all kinds.
    starts, heads
        The edges by vertex, as in a CSR matrix.
    tails, parts
        For each edge, the vertex it comes from and the part it belongs to.
    links
        Of each link its block and its number there.
    memberships
        Of each membership its block, which of the block's pools of groups, where among the members, and the node.
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
        """Return the parts of a hop that may be removed: a group loses a member rather than its link."""
        return [part for part in hop if part >= len(self.links)] or hop

    def take(self, part: int) -> None:
        """Remove a part."""
        self.left[part] = False

    def link_of(self, hop: list[int]) -> tuple[int, int]:
        """Return the block and the number of the one link of a hop."""
        block, number = self.links[min(hop)].tolist()
        return block, number

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
            _, edges = expand_ranges(self.starts[front], self.starts[front + 1])
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


def must_link_graph(constraints: Constraints, ties: Components, among: Ints) -> MustLinkGraph:
    """Build the graph of the hard must-links inside some components.

    >>> from graphmine.model.links import Groups, Links
    >>> from graphmine.closure.components import must_link_components
    >>> links = Links.tying(Groups.of([[0, 1, 2]]), hard=True) + Links.of_pairs([[2, 3]], hard=True)
    >>> known = Constraints({"Author": links})
    >>> must_link_graph(known, must_link_components(known), np.array([0])).chain([0], [3]).nodes
    [0, 2, 3]
    """
    wanted = np.zeros(ties.n, dtype=np.bool_)
    wanted[among] = True
    edges, links, memberships = ([np.empty((0, columns), dtype=np.int64)] for columns in (3, 2, 4))
    n_links = n_memberships = 0
    for number, block in enumerate(link_blocks(constraints)):
        which = _links_inside(block, ties, wanted)
        links.append(_columns(number, which))
        edges += _link_edges(block, which, ties, n_links)
        n_links += len(which)
        for pool, side in enumerate(block.pools):
            group, index = block.members(pool, which)
            memberships.append(_columns(number, pool, index, ties.starts[side.kind] + side.groups.members[index]))
            edges += _membership_edges(side, group, index, ties, -1 - n_memberships)
            n_memberships += len(index)
    n_groups = sum(len(side.groups) for block in link_blocks(constraints) for side in block.pools)
    n_vertices = len(ties.component) + 2 * n_groups
    tails, heads, parts = np.concatenate(edges).T
    order = np.argsort(tails, kind="stable")
    return MustLinkGraph(
        n_nodes=len(ties.component),
        starts=np.searchsorted(tails[order], np.arange(n_vertices + 1)),
        heads=heads[order],
        tails=tails[order],
        parts=np.where(parts < 0, n_links - 1 - parts, parts)[order],
        links=np.concatenate(links),
        memberships=np.concatenate(memberships),
        left=np.ones(n_links + n_memberships, dtype=np.bool_),
    )


def _links_inside(block: LinkBlock, ties: Components, wanted: Bools) -> Ints:
    """Return the hard must-links inside the wanted components; the component of the left end decides."""
    which, side = active_hard_links(block.links, must=True), block.sides[0]
    position = side.units[which]
    grouped = position < 0
    position[grouped] = side.groups.members[side.groups.starts[-1 - position[grouped]]]
    return which[wanted[ties.of(side.kind)[position]]]


def _link_edges(block: LinkBlock, which: Ints, ties: Components, first: int) -> list[Ints]:
    """Return the edges of links in both directions; parts are numbered upwards from ``first``."""
    left, right = block.sides
    part = first + np.arange(len(which))
    return [
        _columns(_vertices(a, which, ties, out=False), _vertices(b, which, ties, out=True), part)
        for a, b in ((left, right), (right, left))
    ]


def _membership_edges(side: LinkSide, group: Ints, index: Ints, ties: Components, first: int) -> list[Ints]:
    """Return the edges between members and gates; parts are numbered downwards from ``first``."""
    node = ties.starts[side.kind] + side.groups.members[index]
    gate = len(ties.component) + 2 * (side.first + group)
    part = first - np.arange(len(index))
    return [_columns(node, gate, part), _columns(gate + 1, node, part)]


def _vertices(side: LinkSide, which: Ints, ties: Components, *, out: bool) -> Ints:
    units = side.units[which]
    gate = len(ties.component) + 2 * (side.first - 1 - units) + int(out)
    return np.where(units < 0, gate, ties.starts[side.kind] + units)


def _columns(*columns: Ints | int) -> Ints:
    return np.stack(np.broadcast_arrays(*columns), axis=1)
