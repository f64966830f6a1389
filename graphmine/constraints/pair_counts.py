"""Counting the pairs that links stand for without making them: by what each unit holds of every class."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import AnyArray, Ints
from graphmine.closure.components import expand_ranges
from graphmine.errors import ConstraintError
from graphmine.model import Constraints, Groups, Links

__all__ = [
    "Named", "RuleLinks", "Side", "Tally", "cells", "distinct_units", "histogram", "link_ends", "named", "parted",
    "row_dots", "tally",
]  # fmt: skip

Named = tuple[tuple[str, ...], Links]

_CHUNK = 4_000_000  # entries of sparse rows that are laid side by side at once


@dataclass(frozen=True)
class RuleLinks:
    """The links that one rule made between the nodes of one kind, or of two, in one sense and as firmly.

    ``numbers`` says where they stand among all links of these kinds.
    """

    rule: str
    kinds: tuple[str, ...]
    must: bool
    hard: bool
    links: Links
    numbers: Ints


@dataclass(frozen=True, eq=False)
class Side:
    """The units on one side of links, each of them once.

    Parameters
    ----------
    row
        For each link, the number of its unit here.
    units
        The units, in rising order: groups first.
    owner, positions
        Which unit holds which node, an entry each.
    """

    row: Ints
    units: Ints
    owner: Ints
    positions: Ints


@dataclass(frozen=True, eq=False)
class Tally:
    """For each link: its pairs, those whose two nodes both have a class, and those whose classes are equal."""

    pairs: Ints
    known: Ints
    equal: Ints


def named(constraints: Constraints, *, empty: bool = False) -> list[Named]:
    """Return all links with their kinds, one kind, or two across kinds; with ``empty`` also where there are none."""
    return [(tuple(dict.fromkeys(kinds)), links) for kinds, links in constraints.items() if empty or len(links)]


def parted(constraints: Constraints) -> Iterator[RuleLinks]:
    """Yield the links of constraints rule by rule, those of no rule last; must before cannot, hard before soft.

    >>> some = Links.of_pairs([[0, 1], [1, 2]], rule=0) + Links.of_pairs([[0, 2]], must=False)
    >>> for each in parted(Constraints({"Author": some}, rules=("friends",))):
    ...     print(repr(each.rule), each.kinds, each.must, each.hard, len(each.links))
    'friends' ('Author',) True False 2
    '' ('Author',) False False 1
    """
    every = named(constraints)
    codes = [_codes(links) for _, links in every]
    for number in (*range(len(constraints.rules)), -1):
        for (kinds, links), code in zip(every, codes, strict=True):
            for sense in (3, 2, 1, 0):
                which = np.flatnonzero(code == 4 * number + sense)
                if len(which):
                    rule = constraints.rules[number] if number >= 0 else ""
                    yield RuleLinks(rule, kinds, sense >= 2, sense % 2 == 1, links.only(which), which)


def link_ends(links: Links, kinds: tuple[str, ...], counts: Mapping[str, int]) -> tuple[Side, Side]:
    """Return the units on the left and on the right, whose nodes must be among so many of their kinds."""
    left, right = distinct_units(links.left, links.groups), distinct_units(links.right, links.right_groups)
    for kind, side in ((kinds[0], left), (kinds[-1], right)):
        if kind not in counts:
            raise ConstraintError(f"there are links of {kind}, and no such nodes, only {', '.join(counts) or 'none'}")
        last = int(side.positions.max(initial=-1))
        if last >= counts[kind]:
            raise ConstraintError(f"a link names the {kind} node at position {last}, and there are {counts[kind]}")
    return left, right


def tally(links: Links, kinds: tuple[str, ...], classes: Mapping[str, Ints]) -> Tally:
    """Count for each link the pairs whose nodes are of the same class.

    Parameters
    ----------
    classes
        For each kind a number a node, below 0 where its class is not known.

    Notes
    -----
    A unit is counted once, however many links it is in, and two units are compared class by class: O(members) and, for
    each link, as many steps as its units hold classes. A node that stands in both of two different groups that are
    linked makes a pair with itself, as in `Links.n_pairs`.

    Examples
    --------
    >>> found = tally(Links.tying(Groups.of([range(5)])), ("Author",), {"Author": np.array([0, 0, 0, 1, -1])})
    >>> found.pairs.tolist(), found.known.tolist(), found.equal.tolist()
    ([10], [6], [3])
    """
    left, right = link_ends(links, kinds, {kind: len(each) for kind, each in classes.items()})
    n_classes = 1 + max(int(classes[kind].max(initial=0)) for kind in kinds)
    first = histogram(left, classes[kinds[0]], n_classes)
    second = histogram(right, classes[kinds[-1]], n_classes)
    own, theirs = _sums(first)[left.row], _sums(second)[right.row]
    known, equal = own * theirs, row_dots(first, left.row, second, right.row)
    loops = (links.left == links.right) & (links.others is None)
    known[loops] = (known - own)[loops] // 2
    equal[loops] = (equal - own)[loops] // 2  # Σ h² over the classes holds every pair twice, and each node once
    return Tally(links.n_pairs, known, equal)


def distinct_units(units: Ints, groups: Groups) -> Side:
    """Return the different units among some, and the nodes that each of them holds."""
    lowest = int(units.min(initial=0))
    used = np.bincount(units - lowest) > 0
    distinct, row = np.flatnonzero(used) + lowest, (np.cumsum(used) - 1)[units - lowest]
    numbers = -1 - distinct[distinct < 0]
    sizes = np.ones(len(distinct), dtype=np.int64)
    sizes[: len(numbers)] = groups.sizes[numbers]
    _, index = expand_ranges(groups.starts[numbers], groups.starts[numbers + 1])
    owner = np.repeat(np.arange(len(distinct)), sizes)
    return Side(row, distinct, owner, np.concatenate([groups.members[index], distinct[len(numbers) :]]))


def histogram(side: Side, classes: Ints, n_classes: int) -> csr_array:
    """Return how many nodes of each class (column) a unit (row) holds."""
    of = classes[side.positions]
    known = of >= 0
    entries = (np.ones(np.count_nonzero(known), dtype=np.int64), (side.owner[known], of[known]))
    return csr_array(coo_array(entries, shape=(len(side.units), n_classes)))


def row_dots(first: csr_array, rows: Ints, second: csr_array, others: Ints) -> AnyArray:
    """Return the products of rows of one sparse matrix with rows of another, a few at a time.

    >>> block = csr_array([[1, 2], [0, 3]])
    >>> row_dots(block, np.array([0, 0]), block, np.array([0, 1])).tolist()
    [5, 6]
    """
    entries = np.cumsum(np.diff(first.indptr)[rows] + np.diff(second.indptr)[others], dtype=np.int64)
    found = np.zeros(len(rows), dtype=first.dtype)
    start = 0
    while start < len(rows):
        before = entries[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(entries, before + _CHUNK, side="right")))
        some = first[rows[start:end]].multiply(second[others[start:end]])
        found[start:end] = some.sum(axis=1)
        start = end
    return found


def cells(matrix: csr_array, rows: Ints, cols: Ints) -> AnyArray:
    """Return the values in some places of a sparse matrix.

    >>> cells(csr_array([[1, 2], [0, 3]]), np.array([0, 1]), np.array([1, 0])).tolist()
    [2, 0]
    """
    matrix.sort_indices()  # so that a place is found quickly
    return np.asarray(matrix[rows, cols]) if len(rows) else np.empty(0, dtype=matrix.dtype)


def _codes(links: Links) -> Ints:
    return 4 * links.rule + 2 * links.must + links.hard


def _sums(counts: csr_array) -> Ints:
    return np.asarray(counts.sum(axis=1), dtype=np.int64)
