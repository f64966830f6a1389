"""The rows of the link matrix C of L1: each link as weighted pairs of vertices, of a group no more than members."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.methods.graph_problem import GraphProblem
from graphmine.model import UNPLACED, Constraints, Groups, Links

__all__ = ["MEMBERS", "PAIRS", "LinkPairs", "link_pairs"]

_Kinds = tuple[str, str]

PAIRS, MEMBERS = "pairs", "members"
"""How much a group weighs: as much as all pairs of its nodes, or as much as it has members."""


class LinkPairs(NamedTuple):
    """Pairs of vertices that links stand for.

    Parameters
    ----------
    ends
        The two vertices of each pair; they are the same where hard must-links tie what a link is about.
    alike
        Whether they should share a cluster, or should not.
    weight
        How much each weighs: those of a link together as much as all pairs of nodes that it stands for.
    link
        The number of its link among all links, in the order of `Constraints.items`.
    tied
        Whether it says of its first vertex that this is where its group is.
    """

    ends: Ints
    alike: Bools
    weight: Floats
    link: Ints
    tied: Bools

    @property
    def live(self) -> Bools:
        """Which pairs are of two vertices."""
        live: Bools = self.ends[:, 0] != self.ends[:, 1]
        return live

    def trust(self, constraints: Constraints, distance: Floats) -> dict[_Kinds, Floats]:
        """Return for each link 1 less the mean distance of its pairs from being met; 1 for hard links.

        A distance is 0 where a pair is met and 1, or more, where the two are as far from that as clusters are from each
        other. A link whose nodes have no place is not contradicted by anything.
        """
        n, before = sum(map(len, constraints.values())), 0
        missed = np.bincount(self.link, self.weight * np.minimum(distance, 1.0), n)
        whole = np.bincount(self.link, self.weight, n)
        met = 1 - np.divide(missed, whole, out=np.zeros(n), where=whole > 0)
        trust = {}
        for kinds, links in constraints.items():
            trust[kinds] = np.where(links.hard, 1.0, met[before : before + len(links)])
            before += len(links)
        return trust

    def belonging(self, problem: GraphProblem, distance: Floats) -> dict[str, Floats]:
        """Return for each node 1 less its greatest distance from where a group is that it must be with.

        The member in the middle of a group is where that is, and so are nodes of no group, and those without a place.
        """
        distances = np.zeros(1 + problem.n_vertices)  # the last stands for those without a place
        np.maximum.at(distances, self.ends[self.tied, 0], np.minimum(distance[self.tied], 1.0))
        return {kind: 1 - distances[vertex] for kind, vertex in problem.spread(np.arange(problem.n_vertices)).items()}


class _PairsOfLink(NamedTuple):
    """Pairs of one link: ends, and how many pairs of nodes each of them stands for."""

    ends: Ints
    shares: Floats
    tied: bool = False


def link_pairs(constraints: Constraints, problem: GraphProblem, x: Floats, groups: str = PAIRS) -> LinkPairs:
    """Return the pairs of all links but hard must-links, which the frame has put together already.

    Parameters
    ----------
    constraints
        Links between nodes of the two kinds.
    frame
        Which nodes are which vertices.
    x
        A number for each vertex, by which the members of groups are put in order.
    groups
        Whether what is said of groups weighs as much as all pairs of nodes that it is about, `PAIRS`, or no more than
        links of two would that say it of each node once, `MEMBERS`: 1 a pair of a star or of two halves, and ½ a pair
        of a member and the middle of another group.

    Notes
    -----
    - A group of m that must be together is a star of m - 1 pairs: each member and the one in the middle of the order. A
      chain would have as few, but would break once where a group has two parts, wherever the wrong members are; in a
      star every pair speaks of one member. No other star has a smaller Σ|xᵢ - xⱼ|, and as the sum over all pairs of the
      group is between m/2 and m - 1 times that, each weighs as m/2.
    - Two groups are joined by the pairs of each member with the middle of the other group.
    - The members of a group that exclude one another can not all be in two clusters. The most that these can do is to
      part it in half: the first of the order from the last, the second from the last but one, and so on.

    Examples
    --------
    >>> from graphmine import gallery
    >>> from graphmine.methods.graph_problem import graph_problem
    >>> known = Constraints({"Author": Links.tying(Groups.of([range(5)]), weight=2.0)})
    >>> pairs = link_pairs(known, graph_problem(gallery.islands()[0].arms[0], known), np.arange(22.0))
    >>> pairs.ends.tolist(), pairs.weight.tolist()
    ([[0, 2], [1, 2], [3, 2], [4, 2]], [5.0, 5.0, 5.0, 5.0])
    """
    none = np.empty(0, dtype=np.bool_)
    found = [(np.empty((0, 2), dtype=np.int64), none, np.empty(0), np.empty(0, dtype=np.int64), none)]
    before = 0
    for kinds, links in constraints.items():
        for number, some in _pairs_of_links(kinds, links, problem, x, groups == MEMBERS):
            numbers = np.broadcast_to(number, len(some.ends))
            weight, tied = some.shares * links.weight[numbers], np.full(len(some.ends), some.tied)
            found.append((some.ends, links.must[numbers], weight, before + numbers, tied))
        before += len(links)
    return LinkPairs(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _pairs_of_links(
    kinds: _Kinds, links: Links, problem: GraphProblem, x: Floats, once: bool
) -> Iterator[tuple[Ints, _PairsOfLink]]:
    """Give pairs of links with the numbers of these: of all links between two nodes at once, then of the others."""
    if not len(links):
        return
    wanted = ~(links.must & links.hard)
    left, right = (problem.vertex[problem.starts[kind] :] for kind in kinds)
    single = np.flatnonzero(wanted & (links.left >= 0) & (links.right >= 0))
    ends = np.stack([left[links.left[single]], right[links.right[single]]], axis=1)
    there = np.all(ends != UNPLACED, axis=1)
    yield single[there], _PairsOfLink(ends[there], np.ones(np.count_nonzero(there)))
    for number in np.flatnonzero(wanted & ((links.left < 0) | (links.right < 0))).tolist():
        one = _order_vertices(int(links.left[number]), links.groups, left, x)
        if links.others is None and links.left[number] == links.right[number]:
            some, most = _star(one) if links.must[number] else _halves(one), 1.0
        else:
            some, most = _join(one, _order_vertices(int(links.right[number]), links.right_groups, right, x)), 0.5
        yield np.array([number]), some._replace(shares=np.minimum(some.shares, most)) if once else some


def _order_vertices(unit: int, groups: Groups, vertex: Ints, x: Floats) -> Ints:
    """Return the vertices of a unit, each once, in the order of their numbers x."""
    vertices = np.unique(vertex[groups[-1 - unit] if unit < 0 else [unit]])
    vertices = vertices[vertices != UNPLACED]
    ordered: Ints = vertices[np.argsort(x[vertices], kind="stable")]
    return ordered


def _star(members: Ints) -> _PairsOfLink:
    m = len(members)
    others = np.delete(members, m // 2) if m else members
    return _PairsOfLink(_pair_with_middle(others, members), np.full(len(others), m / 2), tied=True)


def _halves(members: Ints) -> _PairsOfLink:
    m, half = len(members), len(members) // 2
    ends = np.stack([members[:half], members[::-1][:half]], axis=1)
    return _PairsOfLink(ends, np.full(half, m * (m - 1) / 2 / max(half, 1)))


def _join(one: Ints, two: Ints) -> _PairsOfLink:
    ends = np.concatenate([_pair_with_middle(one, two), _pair_with_middle(two, one)])
    shares = np.repeat([len(two) / 2, len(one) / 2], [len(one), len(two)])
    return _PairsOfLink(ends, shares[: len(ends)])


def _pair_with_middle(vertices: Ints, members: Ints) -> Ints:
    """Return pairs of some vertices with the middle one of some members; none if there are no members."""
    middle = members[len(members) // 2 : len(members) // 2 + 1]
    return np.stack(np.broadcast_arrays(vertices, middle), axis=1) if len(middle) else np.empty((0, 2), dtype=np.int64)
