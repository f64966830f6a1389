"""Which nodes must-links tie together when they are followed to the end, and which wishes stand against that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from graphmine.constraints.tally import Named, Side, cells, named, ranges, row_dots, sides, units_of
from graphmine.model import Constraints, Groups, Links

__all__ = ["against", "tied"]

Integers = NDArray[np.int64]


def tied(musts: Iterable[Named], counts: Mapping[str, int]) -> dict[str, Integers]:
    """Return for every node the set that must-links tie it into, over all kinds; -1 if it stays alone.

    Sets are numbered from the largest on. A unit is a vertex between its nodes, so that a group of m nodes costs m.

    Examples
    --------
    >>> musts = Links.of_pairs([[0, 1]]) + Links.tying(Groups.of([[2, 3, 4]]))
    >>> tied([(("Author",), musts)], {"Author": 6})["Author"].tolist()
    [1, 1, 0, 0, 0, -1]
    """
    begin = _begin(counts)
    first, second, total = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], sum(counts.values())
    for kinds, links in musts:
        some = links.only(links.n_pairs > 0)
        rows = []
        for kind, side in zip((kinds[0], kinds[-1]), sides(some, kinds, counts), strict=True):
            first.append(total + side.owner)
            second.append(begin[kind] + side.positions)
            rows.append(total + side.row)
            total += len(side.units)
        first.append(rows[0])
        second.append(rows[1])
    ends = np.concatenate(first), np.concatenate(second)
    graph = csr_array(coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(total, total)))
    graph.data[:] = 1  # doubles were summed, and may have come to 0
    _, labels = connected_components(graph, directed=False)
    return _split(_by_size(labels[: sum(counts.values())]), counts)


def against(constraints: Constraints, counts: Mapping[str, int]) -> int:
    """Return how many soft links stand against hard ones.

    These are soft must-links between nodes that hard links keep apart, and soft cannot-links between nodes that hard
    links tie together, directly or through others; of groups, one such pair is enough.

    Examples
    --------
    >>> hard = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[2, 3]], must=False, hard=True)
    >>> soft = Links.of_pairs([[0, 3], [3, 4]]) + Links.of_pairs([[0, 2], [0, 4]], must=False)
    >>> against(Constraints({"Author": hard + soft}), {"Author": 5})
    2
    """
    every = named(constraints)
    sets = tied(((kinds, links.only(links.hard & links.must)) for kinds, links in every), counts)
    parts = _parts(sets, counts)
    fences = _Fences.of([(kinds, links.only(links.hard & ~links.must)) for kinds, links in every], parts)
    count = 0
    for kinds, links in every:
        soft = links.only(~links.hard)
        apart, together = soft.only(~soft.must), soft.only(soft.must)
        count += int(np.count_nonzero(_within_sets(apart, kinds, parts)))
        count += int(np.count_nonzero(fences.between(*_lifted(together, kinds, parts))))
    return count


@dataclass(frozen=True, eq=False)
class _Fences:
    """Hard cannot-links between sets of nodes.

    ``touches`` says which units (columns) a set (row) has a part in, ``links`` which units are linked, and ``own`` how
    often a set is linked with itself because it has a part in a group that is.
    """

    touches: csr_array
    links: csr_array
    own: Integers

    @classmethod
    def of(cls, cannots: Iterable[Named], parts: Mapping[str, Integers]) -> "_Fences":
        owners, units, left, right = ([np.empty(0, dtype=np.int64)] for _ in range(4))
        loops = [np.empty(0, dtype=np.bool_)]
        n_units, n_parts = 0, 1 + max((int(each.max(initial=-1)) for each in parts.values()), default=-1)
        for kinds, links in cannots:
            some = links.only(links.n_pairs > 0)
            for side, rows in zip(_lifted(some, kinds, parts), (left, right), strict=True):
                owners.append(side.positions)
                units.append(n_units + side.owner)
                rows.append(n_units + side.row)
                n_units += len(side.units)
            loops.append((some.left == some.right) & (some.others is None))
        where = np.concatenate(owners), np.concatenate(units)
        touches = csr_array(coo_array((np.ones(len(where[0]), dtype=np.int64), where), shape=(n_parts, n_units)))
        touches.data[:] = 1  # however many of its nodes are in a unit
        one, other, loop = np.concatenate(left), np.concatenate(right), np.concatenate(loops)
        looped = csr_array(touches @ _both_ways(one[loop], other[loop], n_units))
        numbers = np.arange(n_parts)
        return cls(touches, _both_ways(one, other, n_units), row_dots(looped, numbers, touches, numbers))

    def between(self, left: Side, right: Side) -> NDArray[np.bool_]:
        """Return for each link whether a cannot-link parts two nodes of its."""
        shape = self.touches.shape[0]
        first, second = _members(left, shape), _members(right, shape)
        nodes = (left.units[left.row] >= 0) & (right.units[right.row] >= 0)
        found = np.zeros(len(left.row), dtype=np.bool_)
        found[nodes] = self._parted(left.units[left.row[nodes]], right.units[right.row[nodes]])
        one, other = left.row[~nodes], right.row[~nodes]
        used, row = np.unique(one, return_inverse=True)
        reached = csr_array(csr_array(first[used] @ self.touches) @ self.links)
        crossing = row_dots(reached, row, csr_array(second @ self.touches), other)
        same = row_dots(csr_array(first.multiply(self.own)), one, second, other)
        found[~nodes] = crossing > same
        return found

    def _parted(self, one: Integers, other: Integers) -> NDArray[np.bool_]:
        """Return whether two sets are parted, by looking at every two units that they have a part in."""
        starts, indices = self.touches.indptr.astype(np.int64), self.touches.indices.astype(np.int64)
        lengths = np.diff(starts)
        combinations = lengths[one] * lengths[other]
        pair = np.repeat(np.arange(len(one)), combinations)
        number = ranges(np.zeros(len(one), dtype=np.int64), combinations)
        first = indices[starts[one][pair] + number // lengths[other][pair]]
        second = indices[starts[other][pair] + number % lengths[other][pair]]
        hits = np.bincount(pair, cells(self.links, first, second), minlength=len(one))
        parted: NDArray[np.bool_] = (hits > 0) & (one != other)
        return parted


def _within_sets(links: Links, kinds: tuple[str, ...], parts: Mapping[str, Integers]) -> NDArray[np.bool_]:
    """Return for each link whether two different nodes of its are of one set."""
    left, right = _lifted(links, kinds, parts)
    n_parts = 1 + max(int(each.max(initial=-1)) for each in parts.values())
    first, second = _members(left, n_parts), _members(right, n_parts)
    equal = row_dots(first, left.row, second, right.row)
    loops = (links.left == links.right) & (links.others is None)
    itself = np.asarray(first.sum(axis=1))[left.row] * loops
    found: NDArray[np.bool_] = equal > itself
    return found


def _members(side: Side, n_parts: int) -> csr_array:
    ones = np.ones(len(side.owner), dtype=np.int64)
    return csr_array(coo_array((ones, (side.owner, side.positions)), shape=(len(side.units), n_parts)))


def _both_ways(one: Integers, other: Integers, size: int) -> csr_array:
    ends = np.concatenate([one, other]), np.concatenate([other, one])
    return csr_array(coo_array((np.ones(len(ends[0]), dtype=np.int64), ends), shape=(size, size)))


def _lifted(links: Links, kinds: tuple[str, ...], parts: Mapping[str, Integers]) -> tuple[Side, Side]:
    """Return the units of links with every node replaced by the set it is in."""
    right_groups = links.groups if links.others is None else links.others
    both = []
    for units, groups, kind in ((links.left, links.groups, kinds[0]), (links.right, right_groups, kinds[-1])):
        part = parts[kind]
        lifted = units.copy()
        lifted[units >= 0] = part[units[units >= 0]]
        both.append(units_of(lifted, Groups(groups.starts, part[groups.members])))
    return both[0], both[1]


def _parts(sets: Mapping[str, Integers], counts: Mapping[str, int]) -> dict[str, Integers]:
    """Return sets in which a node that is alone is a set of its own."""
    every = np.concatenate([np.empty(0, dtype=np.int64), *sets.values()])
    alone = every < 0
    every[alone] = 1 + every.max(initial=-1) + np.arange(np.count_nonzero(alone))
    return _split(every, counts)


def _begin(counts: Mapping[str, int]) -> dict[str, int]:
    ends = np.cumsum([0, *counts.values()]).tolist()
    return dict(zip(counts, ends, strict=False))


def _split(every: Integers, counts: Mapping[str, int]) -> dict[str, Integers]:
    begin = _begin(counts)
    return {kind: every[begin[kind] : begin[kind] + count] for kind, count in counts.items()}


def _by_size(labels: NDArray[np.int32]) -> Integers:
    """Number sets of two nodes or more from the largest on; of equal ones, that of the first node comes first."""
    _, first, number, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    return np.where(sizes[number] > 1, rank[number], -1)
