"""Soft links, which closing only deduplicates, and the pool of groups that the links of a kind share."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.closure.components import LinkBlock, LinkSide
from graphmine.model.links import Groups

__all__ = ["GroupPool", "SoftLinkColumns", "merge_duplicates", "named_groups", "soft_link_columns", "swap_sides"]


class GroupPool:
    """Groups of a kind: the given ones first, then others in a fixed order, each set of nodes once.

    >>> pool = GroupPool(Groups.of([[0, 1]]), [np.array([2, 3]), np.array([1, 2]), np.array([2, 3])])
    >>> len(pool.groups), pool.unit(np.array([1, 2])), pool.unit(np.array([2, 3]))
    (3, -2, -3)
    """

    def __init__(self, first: Groups, others: Iterable[Ints]) -> None:
        contents = sorted({members.tobytes() for members in others})
        ends = np.cumsum([0, *map(len, contents)], dtype=np.int64) // np.dtype(np.int64).itemsize
        self.groups = first + Groups(ends, np.frombuffer(b"".join(contents), dtype=np.int64))
        self._units = {content: -1 - len(first) - i for i, content in enumerate(contents)}

    def unit(self, members: Ints) -> int:
        """Return the unit of one of the other groups by its members, in order."""
        return self._units[members.tobytes()]


class SoftLinkColumns(NamedTuple):
    """The columns of a table of soft links."""

    left: Ints
    right: Ints
    must: Bools
    weight: Floats
    rule: Ints


def named_groups(block: LinkBlock, pool: int) -> dict[int, Ints]:
    """Return the sorted members of the groups with several nodes that soft links of a block name."""
    group, index = block.members(pool, _soft_link_numbers(block))
    members = block.pools[pool].groups.members[index]
    order = np.lexsort((members, group))
    group, members = group[order], members[order]
    cuts = np.flatnonzero(np.diff(group, prepend=-1, append=-1)).tolist()
    return {int(group[start]): members[start:end] for start, end in pairwise(cuts) if end - start > 1}


def soft_link_columns(
    block: LinkBlock, named: Sequence[Mapping[int, Ints]], pools: tuple[GroupPool, GroupPool]
) -> SoftLinkColumns:
    """Return the soft links of a block that stand for any pair of different nodes, in the units of other pools.

    ``named`` holds the `named_groups` of each pool of the block. Two groups of the same nodes become one, so that a
    link between them stands for each pair twice, and its weight is doubled.
    """
    which, links = _soft_link_numbers(block), block.links
    left, right = (
        _units_in_pool(side, which, groups, pool)
        for side, groups, pool in zip(block.sides, (named[0], named[-1]), pools, strict=True)
    )
    weight = links.weight[which]
    if links.others is None:
        weight = np.where((left == right) & (links.left[which] != links.right[which]), 2 * weight, weight)
    found = SoftLinkColumns(left, right, links.must[which], weight, links.rule[which])
    itself = (left == right) & (left >= 0) & (links.others is None)
    return SoftLinkColumns(*(column[~itself] for column in found))


def swap_sides(soft: SoftLinkColumns) -> SoftLinkColumns:
    """Return soft links with their sides exchanged."""
    return soft._replace(left=soft.right, right=soft.left)


def merge_duplicates(soft: list[SoftLinkColumns], *, within: bool) -> SoftLinkColumns:
    """Merge links with the same ends, sense and rule, and add their weights; within a kind, sides do not matter.

    >>> there, back, ones = np.array([0, 1]), np.array([1, 0]), np.array([1, 1])
    >>> twice = SoftLinkColumns(there, back, ones > 0, np.array([1.0, 2.0]), ones)
    >>> merge_duplicates([twice], within=True).weight.tolist(), merge_duplicates([twice], within=False).weight.tolist()
    ([3.0], [1.0, 2.0])
    """
    nothing = np.empty(0, dtype=np.int64)
    none = SoftLinkColumns(nothing, nothing, np.empty(0, dtype=np.bool_), np.empty(0), nothing)
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
    return SoftLinkColumns(left[first], right[first], must[first], summed, rule[first])


def _soft_link_numbers(block: LinkBlock) -> Ints:
    return np.flatnonzero(~block.links.hard & (block.links.n_pairs > 0))


def _units_in_pool(side: LinkSide, which: Ints, named: Mapping[int, Ints], pool: GroupPool) -> Ints:
    """Return the units of a side in terms of a pool; a group of one node becomes the node."""
    units = side.units[which]
    grouped = units < 0
    new = np.empty(len(side.groups), dtype=np.int64)
    one = side.groups.sizes == 1
    new[one] = side.groups.members[side.groups.starts[:-1][one]]
    for number, members in named.items():
        new[number] = pool.unit(members)
    units[grouped] = new[-1 - units[grouped]]
    return units
