"""Cliques of hard cannot-links: sets of nodes that all exclude each other and so need a cluster each."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Ints
from graphmine.checks import check_integer
from graphmine.closure.components import LinkBlock, Node, active_hard_links, link_blocks
from graphmine.closure.hard_links import closed
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups

__all__ = ["clusters_needed", "find_clique"]


_TRIES = 50
"""The search for a clique starts from this many units, those with the most cannot-links first."""


def find_clique(constraints: Constraints, k: int) -> tuple[Node, ...]:
    """Return k + 1 nodes that all exclude each other, so that k clusters are not enough; nothing if none are found.

    Parameters
    ----------
    constraints
        Links in any order, closed or not; hard ones must not contradict each other.
    k
        The number of clusters.

    Notes
    -----
    This is the clique problem, which is NP-hard. A clique is grown greedily from each of the nodes and groups with the
    most cannot-links. A clique that is found is real; finding none does not prove that there is none.

    Examples
    --------
    >>> from graphmine.model.links import Groups, Links
    >>> classes = Links.parting(Groups.of([[0, 1], [2, 3], [5]]), hard=True)
    >>> find_clique(Constraints({"Author": classes}), 2)
    (('Author', 0), ('Author', 2), ('Author', 5))
    >>> find_clique(Constraints({"Author": classes}), 3)
    ()
    """
    check_integer("k", k, least=1)
    exclusion = _exclusion_graph(link_blocks(closed(constraints)))
    for start in np.argsort(-exclusion.degree, kind="stable")[:_TRIES].tolist():
        nodes = [node for vertex in exclusion.grow_clique(start, k) for node in exclusion.nodes(vertex)]
        if len(nodes) > k:
            return tuple(sorted(nodes[: k + 1]))
    return ()


def clusters_needed(constraints: Constraints) -> int:
    """Return the size of the largest clique of cannot-links that is found; at least 1.

    With so many clusters or more, `find_clique` finds nothing.

    >>> from graphmine.model.links import Groups, Links
    >>> clusters_needed(Constraints({"Author": Links.parting(Groups.of([[0, 1], [2, 3], [5]]), hard=True)}))
    3
    """
    exclusion = _exclusion_graph(link_blocks(closed(constraints)))
    without_end = int(exclusion.room.sum())
    starts = np.argsort(-exclusion.degree, kind="stable")[:_TRIES].tolist()
    return max((int(exclusion.room[exclusion.grow_clique(start, without_end)].sum()) for start in starts), default=1)


@dataclass(frozen=True, eq=False)
class _ExclusionGraph:
    """The graph of units, of all kinds, that exclude each other.

    Parameters
    ----------
    kinds, units
        Of each vertex, its kind and its unit.
    groups
        The groups that negative units of each kind stand for.
    graph
        The adjacency matrix.
    room
        How many clusters a unit needs by itself: 1, or the number of nodes of a group whose nodes exclude each other.
    """

    kinds: list[str]
    units: list[int]
    groups: dict[str, Groups]
    graph: csr_array
    room: Ints

    @property
    def degree(self) -> Ints:
        """The greedy priority of each vertex: its number of neighbours plus its room."""
        return np.diff(self.graph.indptr) + self.room

    def grow_clique(self, start: int, k: int) -> list[int]:
        """Grow a clique from a vertex, until it needs more than k clusters or no vertex can be added."""
        found, room, degree = [start], int(self.room[start]), self.degree
        others, excluded = self._excluded(start), np.zeros(len(degree), dtype=np.bool_)
        while others.size and room <= k:
            found.append(int(others[np.argmax(degree[others])]))
            room += int(self.room[found[-1]])
            more = self._excluded(found[-1])
            excluded[more] = True
            others = others[excluded[others]]
            excluded[more] = False
        return found

    def nodes(self, vertex: int) -> list[Node]:
        """Return as many nodes of a vertex as need clusters of their own."""
        kind, unit = self.kinds[vertex], self.units[vertex]
        positions = self.groups[kind][-1 - unit] if unit < 0 else np.array([unit])
        return [(kind, position) for position in positions[: self.room[vertex]].tolist()]

    def _excluded(self, vertex: int) -> Ints:
        return self.graph.indices[self.graph.indptr[vertex] : self.graph.indptr[vertex + 1]].astype(np.int64)


def _exclusion_graph(every: list[LinkBlock]) -> _ExclusionGraph:
    """Return the graph of the hard cannot-links of closed constraints, where all links of a kind share their groups."""
    groups = {side.kind: side.groups for block in every for side in block.sides}
    names = list(groups)
    n_units = 1 + max((int(abs(side.units).max(initial=0)) for block in every for side in block.sides), default=0)
    ends = [[np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]]
    for block in every:
        which = active_hard_links(block.links, must=False)
        for side, column in zip(block.sides, ends, strict=True):
            column.append((2 * names.index(side.kind) + 1) * n_units + side.units[which])
    # A unit of kind number i has the code (2 i + 1) n_units + unit, where units lie between -n_units and n_units.
    codes, vertices = np.unique(np.concatenate([*ends[0], *ends[1]]), return_inverse=True)
    left, right = vertices.reshape(2, -1)
    of, units = codes // (2 * n_units), codes % (2 * n_units) - n_units
    room, alone = np.ones(len(codes), dtype=np.int64), np.unique(left[left == right])
    for number, kind in enumerate(names):
        here = alone[of[alone] == number]
        room[here] = groups[kind].sizes[-1 - units[here]]
    kinds = [names[number] for number in of.tolist()]
    return _ExclusionGraph(kinds, units.tolist(), groups, _symmetric(left, right, len(codes)), room)


def _symmetric(left: Ints, right: Ints, n: int) -> csr_array:
    """Return the graph of some edges, without those of a vertex with itself."""
    apart = left != right
    heads, tails = np.concatenate([left[apart], right[apart]]), np.concatenate([right[apart], left[apart]])
    return csr_array(coo_array((np.ones(len(heads)), (heads, tails)), shape=(n, n)))
