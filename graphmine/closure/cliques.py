"""Sets of nodes that all exclude one another, of which there must not be more than clusters."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Ints
from graphmine.checks import check_integer
from graphmine.closure.components import Node, Place, places, standing
from graphmine.closure.hard_links import closed
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups

__all__ = ["clusters_needed", "crowded"]


_TRIES = 50
"""From how many units, those with the most cannot-links first, a crowd is looked for."""


def crowded(constraints: Constraints, k: int) -> tuple[Node, ...]:
    """Return k + 1 nodes that all exclude one another, so that k clusters can not hold them; nothing if none are seen.

    Parameters
    ----------
    constraints
        Links in any order, closed or not; hard ones must not contradict each other.
    k
        How many clusters there are to be.

    Notes
    -----
    Whether there is such a set is the clique problem, which nobody can solve quickly. From each of the nodes and groups
    with the most cannot-links one is grown greedily. What is found is real; that nothing is found proves nothing.

    Examples
    --------
    >>> from graphmine.model.links import Groups, Links
    >>> classes = Links.parting(Groups.of([[0, 1], [2, 3], [5]]), hard=True)
    >>> crowded(Constraints({"Author": classes}), 2)
    (('Author', 0), ('Author', 2), ('Author', 5))
    >>> crowded(Constraints({"Author": classes}), 3)
    ()
    """
    check_integer("k", k, least=1)
    exclusion = _exclusion(places(closed(constraints)))
    for start in np.argsort(-exclusion.degree, kind="stable")[:_TRIES].tolist():
        nodes = [node for vertex in exclusion.crowd(start, k) for node in exclusion.nodes(vertex)]
        if len(nodes) > k:
            return tuple(sorted(nodes[: k + 1]))
    return ()


def clusters_needed(constraints: Constraints) -> int:
    """Return how many clusters the largest set that is seen of nodes that all exclude one another needs; 1 at least.

    With so many clusters or more, `crowded` finds nothing.

    >>> from graphmine.model.links import Groups, Links
    >>> clusters_needed(Constraints({"Author": Links.parting(Groups.of([[0, 1], [2, 3], [5]]), hard=True)}))
    3
    """
    exclusion = _exclusion(places(closed(constraints)))
    without_end = int(exclusion.room.sum())
    starts = np.argsort(-exclusion.degree, kind="stable")[:_TRIES].tolist()
    return max((int(exclusion.room[exclusion.crowd(start, without_end)].sum()) for start in starts), default=1)


@dataclass(frozen=True, eq=False)
class _Exclusion:
    """Which units, of all kinds, exclude each other.

    Parameters
    ----------
    kinds, units
        Of each vertex, its kind and its unit.
    groups
        What the units of each kind below 0 stand for.
    graph
        Who excludes whom.
    room
        How many clusters a unit needs by itself: a group whose nodes exclude one another as many as it has nodes.
    """

    kinds: list[str]
    units: list[int]
    groups: dict[str, Groups]
    graph: csr_array
    room: Ints

    @property
    def degree(self) -> Ints:
        """How much each vertex promises."""
        return np.diff(self.graph.indptr) + self.room

    def crowd(self, start: int, k: int) -> list[int]:
        """Grow a set of vertices that all exclude one another, until it needs more than k clusters or none is left."""
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


def _exclusion(every: list[Place]) -> _Exclusion:
    """Bring the hard cannot-links of closed constraints together, in which all links of a kind share their groups."""
    groups = {side.kind: side.groups for place in every for side in place.sides}
    names = list(groups)
    n_units = 1 + max((int(abs(side.units).max(initial=0)) for place in every for side in place.sides), default=0)
    ends = [[np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]]
    for place in every:
        which = standing(place.links, must=False)
        for side, column in zip(place.sides, ends, strict=True):
            column.append((2 * names.index(side.kind) + 1) * n_units + side.units[which])
    codes, vertices = np.unique(np.concatenate([*ends[0], *ends[1]]), return_inverse=True)
    left, right = vertices.reshape(2, -1)
    of, units = codes // (2 * n_units), codes % (2 * n_units) - n_units
    room, alone = np.ones(len(codes), dtype=np.int64), np.unique(left[left == right])
    for number, kind in enumerate(names):
        here = alone[of[alone] == number]
        room[here] = groups[kind].sizes[-1 - units[here]]
    kinds = [names[number] for number in of.tolist()]
    return _Exclusion(kinds, units.tolist(), groups, _symmetric(left, right, len(codes)), room)


def _symmetric(left: Ints, right: Ints, n: int) -> csr_array:
    """Return the graph of some edges, without those of a vertex with itself."""
    apart = left != right
    heads, tails = np.concatenate([left[apart], right[apart]]), np.concatenate([right[apart], left[apart]])
    return csr_array(coo_array((np.ones(len(heads)), (heads, tails)), shape=(n, n)))
