"""Count the pairs that links stand for without creating them, from the class counts of each unit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import AnyArray, Ints
from graphmine.closure.components import expand_ranges
from graphmine.errors import ConstraintError
from graphmine.model import Constraints, Groups, Links

__all__ = [
    "DistinctUnits",
    "LinksOfKinds",
    "PairCounts",
    "RuleLinks",
    "class_counts",
    "count_link_pairs",
    "distinct_units",
    "link_ends",
    "links_by_kinds",
    "links_by_rule",
    "row_products",
]  # fmt: skip

LinksOfKinds = tuple[tuple[str, ...], Links]

_CHUNK = 4_000_000  # entries of sparse rows that are laid side by side at once


@dataclass(frozen=True)
class RuleLinks:
    """The links of one rule within one kind, or across two, with the same sense and hardness.

    ``numbers`` are their positions among all links of these kinds.
    """

    rule: str
    kinds: tuple[str, ...]
    must: bool
    hard: bool
    links: Links
    numbers: Ints


@dataclass(frozen=True, eq=False)
class DistinctUnits:
    """The distinct units on one side of links.

    Parameters
    ----------
    row
        For each link, the index of its unit.
    units
        The units in ascending order, so groups first.
    owner, positions
        The index of a unit and the position of a node, for each membership.
    """

    row: Ints
    units: Ints
    owner: Ints
    positions: Ints


@dataclass(frozen=True, eq=False)
class PairCounts:
    """For each link: the number of its pairs, of pairs with two known classes, and of pairs with equal classes."""

    pairs: Ints
    known: Ints
    equal: Ints


def links_by_kinds(constraints: Constraints, *, empty: bool = False) -> list[LinksOfKinds]:
    """Return all links with their kinds (one, or two for links across kinds); with ``empty``, empty ones too."""
    return [(tuple(dict.fromkeys(kinds)), links) for kinds, links in constraints.items() if empty or len(links)]


def links_by_rule(constraints: Constraints) -> Iterator[RuleLinks]:
    """Yield the links of constraints rule by rule, links of no rule last; must before cannot, hard before soft.

    >>> some = Links.of_pairs([[0, 1], [1, 2]], rule=0) + Links.of_pairs([[0, 2]], must=False)
    >>> for each in links_by_rule(Constraints({"Author": some}, rules=("friends",))):
    ...     print(repr(each.rule), each.kinds, each.must, each.hard, len(each.links))
    'friends' ('Author',) True False 2
    '' ('Author',) False False 1
    """
    every = links_by_kinds(constraints)
    codes = [_codes(links) for _, links in every]
    for number in (*range(len(constraints.rules)), -1):
        for (kinds, links), code in zip(every, codes, strict=True):
            for sense in (3, 2, 1, 0):
                which = np.flatnonzero(code == 4 * number + sense)
                if len(which):
                    rule = constraints.rules[number] if number >= 0 else ""
                    yield RuleLinks(rule, kinds, sense >= 2, sense % 2 == 1, links.only(which), which)


def link_ends(links: Links, kinds: tuple[str, ...], counts: Mapping[str, int]) -> tuple[DistinctUnits, DistinctUnits]:
    """Return the distinct units on both sides; raise an error if a link names a node that does not exist."""
    left, right = distinct_units(links.left, links.groups), distinct_units(links.right, links.right_groups)
    for kind, side in ((kinds[0], left), (kinds[-1], right)):
        if kind not in counts:
            raise ConstraintError(f"there are links of {kind}, and no such nodes, only {', '.join(counts) or 'none'}")
        last = int(side.positions.max(initial=-1))
        if last >= counts[kind]:
            raise ConstraintError(f"a link names the {kind} node at position {last}, and there are {counts[kind]}")
    return left, right


def count_link_pairs(links: Links, kinds: tuple[str, ...], classes: Mapping[str, Ints]) -> PairCounts:
    """Count the pairs of each link whose nodes have the same class.

    Parameters
    ----------
    classes
        The class number of each node of each kind; negative if unknown.

    Notes
    -----
    Each unit is counted once, however many links it is in, and two units are compared class by class. The cost is
    O(members), plus the number of classes in the units of each link. A node in both of two linked groups makes a pair
    with itself, as in `Links.n_pairs`.

    Examples
    --------
    >>> links, classes = Links.tying(Groups.of([range(5)])), {"Author": np.array([0, 0, 0, 1, -1])}
    >>> found = count_link_pairs(links, ("Author",), classes)
    >>> found.pairs.tolist(), found.known.tolist(), found.equal.tolist()
    ([10], [6], [3])
    """
    left, right = link_ends(links, kinds, {kind: len(each) for kind, each in classes.items()})
    n_classes = 1 + max(int(classes[kind].max(initial=0)) for kind in kinds)
    first = class_counts(left, classes[kinds[0]], n_classes)
    second = class_counts(right, classes[kinds[-1]], n_classes)
    own, theirs = _sums(first)[left.row], _sums(second)[right.row]
    known, equal = own * theirs, row_products(first, left.row, second, right.row)
    loops = (links.left == links.right) & (links.others is None)
    known[loops] = (known - own)[loops] // 2
    equal[loops] = (equal - own)[loops] // 2  # Σ h² over the classes counts every pair twice, and each node once
    return PairCounts(links.n_pairs, known, equal)


def distinct_units(units: Ints, groups: Groups) -> DistinctUnits:
    """Return the distinct units among some, and the nodes of each."""
    lowest = int(units.min(initial=0))
    used = np.bincount(units - lowest) > 0
    distinct, row = np.flatnonzero(used) + lowest, (np.cumsum(used) - 1)[units - lowest]
    numbers = -1 - distinct[distinct < 0]
    sizes = np.ones(len(distinct), dtype=np.int64)
    sizes[: len(numbers)] = groups.sizes[numbers]
    _, index = expand_ranges(groups.starts[numbers], groups.starts[numbers + 1])
    owner = np.repeat(np.arange(len(distinct)), sizes)
    return DistinctUnits(row, distinct, owner, np.concatenate([groups.members[index], distinct[len(numbers) :]]))


def class_counts(side: DistinctUnits, classes: Ints, n_classes: int) -> csr_array:
    """Return the number of nodes of each class (column) in each unit (row)."""
    of = classes[side.positions]
    known = of >= 0
    entries = (np.ones(np.count_nonzero(known), dtype=np.int64), (side.owner[known], of[known]))
    return csr_array(coo_array(entries, shape=(len(side.units), n_classes)))


def row_products(first: csr_array, rows: Ints, second: csr_array, others: Ints) -> AnyArray:
    """Return the dot products of rows of one sparse matrix with rows of another, computed in chunks.

    >>> block = csr_array([[1, 2], [0, 3]])
    >>> row_products(block, np.array([0, 0]), block, np.array([0, 1])).tolist()
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


def _codes(links: Links) -> Ints:
    return 4 * links.rule + 2 * links.must + links.hard  # so that each rule, sense and hardness has its own code


def _sums(counts: csr_array) -> Ints:
    return np.asarray(counts.sum(axis=1), dtype=np.int64)
