"""Soft links, which closing leaves as they are but for doubles, and the pool of groups that links of a kind share."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.closure.components import Place, Side
from graphmine.model.links import Groups

__all__ = ["Pool", "Wishes", "flipped", "merged", "named_groups", "wishes"]


class Pool:
    """Groups of a kind: some that are given, and behind them others, each set of nodes once, in a fixed order.

    >>> pool = Pool(Groups.of([[0, 1]]), [np.array([2, 3]), np.array([1, 2]), np.array([2, 3])])
    >>> len(pool.groups), pool.unit(np.array([1, 2])), pool.unit(np.array([2, 3]))
    (3, -2, -3)
    """

    def __init__(self, first: Groups, others: Iterable[Ints]) -> None:
        contents = sorted({members.tobytes() for members in others})
        ends = np.cumsum([0, *map(len, contents)], dtype=np.int64) // np.dtype(np.int64).itemsize
        self.groups = first + Groups(ends, np.frombuffer(b"".join(contents), dtype=np.int64))
        self._units = {content: -1 - len(first) - i for i, content in enumerate(contents)}

    def unit(self, members: Ints) -> int:
        """Return the unit of a group by its members, in order; not one of those that were given."""
        return self._units[members.tobytes()]


class Wishes(NamedTuple):
    """Columns of soft links."""

    left: Ints
    right: Ints
    must: Bools
    weight: Floats
    rule: Ints


def named_groups(place: Place, pool: int) -> dict[int, Ints]:
    """Return the members, in order, of the groups of several nodes that soft links of a place name."""
    group, index = place.members(pool, _which(place))
    members = place.pools[pool].groups.members[index]
    order = np.lexsort((members, group))
    group, members = group[order], members[order]
    cuts = np.flatnonzero(np.diff(group, prepend=-1, append=-1)).tolist()
    return {int(group[start]): members[start:end] for start, end in pairwise(cuts) if end - start > 1}


def wishes(place: Place, named: Sequence[Mapping[int, Ints]], pools: tuple[Pool, Pool]) -> Wishes:
    """Return the soft links of a place that stand for any pair of different nodes, by the units of other pools.

    ``named`` are the place's `named_groups`, of each of its pools. Two groups of the same nodes are one; each pair of
    those is then wished for twice.
    """
    which, links = _which(place), place.links
    left, right = (
        _moved(side, which, groups, pool)
        for side, groups, pool in zip(place.sides, (named[0], named[-1]), pools, strict=True)
    )
    weight = links.weight[which]
    if links.others is None:
        weight = np.where((left == right) & (links.left[which] != links.right[which]), 2 * weight, weight)
    found = Wishes(left, right, links.must[which], weight, links.rule[which])
    itself = (left == right) & (left >= 0) & (links.others is None)
    return Wishes(*(column[~itself] for column in found))


def flipped(soft: Wishes) -> Wishes:
    """Return soft links with their sides changed."""
    return soft._replace(left=soft.right, right=soft.left)


def merged(soft: list[Wishes], *, within: bool) -> Wishes:
    """Merge links with the same ends, sense and rule, and sum their weights; within a kind sides do not matter.

    >>> there, back, ones = np.array([0, 1]), np.array([1, 0]), np.array([1, 1])
    >>> twice = Wishes(there, back, ones > 0, np.array([1.0, 2.0]), ones)
    >>> merged([twice], within=True).weight.tolist(), merged([twice], within=False).weight.tolist()
    ([3.0], [1.0, 2.0])
    """
    nothing = np.empty(0, dtype=np.int64)
    none = Wishes(nothing, nothing, np.empty(0, dtype=np.bool_), np.empty(0), nothing)
    left, right, must, weight, rule = (np.concatenate(column) for column in zip(none, *soft, strict=True))
    if within:
        left, right = np.minimum(left, right), np.maximum(left, right)
    order = np.lexsort((weight, rule, must, right, left))  # by weight too, so that sums are the same in any order
    left, right, must, weight, rule = (column[order] for column in (left, right, must, weight, rule))
    new = np.zeros(len(left), dtype=np.bool_)
    for column in (left, right, must, rule):
        new[1:] |= column[1:] != column[:-1]
    new[:1] = True
    first = np.flatnonzero(new)
    summed = np.add.reduceat(weight, first) if len(first) else weight
    return Wishes(left[first], right[first], must[first], summed, rule[first])


def _which(place: Place) -> Ints:
    return np.flatnonzero(~place.links.hard & (place.links.n_pairs > 0))


def _moved(side: Side, which: Ints, named: Mapping[int, Ints], pool: Pool) -> Ints:
    """Return units of a side as those of a pool; a group of one node becomes the node."""
    units = side.units[which]
    grouped = units < 0
    new = np.empty(len(side.groups), dtype=np.int64)
    one = side.groups.sizes == 1
    new[one] = side.groups.members[side.groups.starts[:-1][one]]
    for number, members in named.items():
        new[number] = pool.unit(members)
    units[grouped] = new[-1 - units[grouped]]
    return units
