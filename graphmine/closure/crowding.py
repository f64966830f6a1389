"""Sets of nodes that all exclude one another, of which there must not be more than clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from graphmine.checks import check_integer
from graphmine.closure.closing import closed
from graphmine.closure.ties import Node, Place, places, standing
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups

__all__ = ["crowded"]

Integers = NDArray[np.int64]

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
    room: Integers

    @property
    def degree(self) -> Integers:
        """How much each vertex promises."""
        return np.diff(self.graph.indptr) + self.room

    def crowd(self, start: int, k: int) -> list[int]:
        """Grow a set of vertices that all exclude one another, until it needs more than k clusters or none is left."""
        found, degree = [start], self.degree
        others = self._excluded(start)
        while others.size and self.room[found].sum() <= k:
            found.append(int(others[np.argmax(degree[others])]))
            others = np.intersect1d(others, self._excluded(found[-1]), assume_unique=True)
        return found

    def nodes(self, vertex: int) -> list[Node]:
        """Return as many nodes of a vertex as need clusters of their own."""
        kind, unit = self.kinds[vertex], self.units[vertex]
        positions = self.groups[kind][-1 - unit] if unit < 0 else np.array([unit])
        return [(kind, position) for position in positions[: self.room[vertex]].tolist()]

    def _excluded(self, vertex: int) -> Integers:
        return self.graph.indices[self.graph.indptr[vertex] : self.graph.indptr[vertex + 1]].astype(np.int64)


def _exclusion(every: list[Place]) -> _Exclusion:
    """Bring the hard cannot-links of closed constraints together, in which all links of a kind share their groups."""
    groups = {side.kind: side.groups for place in every for side in place.sides}
    names = list(groups)
    ends: list[list[Integers]] = [[], []]
    for place in every:
        which = standing(place.links, must=False)
        for side, column in zip(place.sides, ends, strict=True):
            column.append(np.stack([np.full(len(which), names.index(side.kind)), side.units[which]], axis=1))
    rows = np.concatenate([np.empty((0, 2), dtype=np.int64), *ends[0], *ends[1]])
    named, vertices = np.unique(rows, axis=0, return_inverse=True)
    left, right = vertices.reshape(2, -1)
    kinds, units = [names[number] for number in named[:, 0]], named[:, 1].tolist()
    room = np.ones(len(named), dtype=np.int64)
    for vertex in np.unique(left[left == right]).tolist():
        room[vertex] = groups[kinds[vertex]].sizes[-1 - units[vertex]]
    return _Exclusion(kinds, units, groups, _symmetric(left, right, len(named)), room)


def _symmetric(left: Integers, right: Integers, n: int) -> csr_array:
    """Return the graph of some edges, without those of a vertex with itself."""
    apart = left != right
    heads, tails = np.concatenate([left[apart], right[apart]]), np.concatenate([right[apart], left[apart]])
    return csr_array(coo_array((np.ones(len(heads)), (heads, tails)), shape=(n, n)))
