"""Links between nodes, and between groups of nodes, that must or must not share a cluster.

A link joins two *units*. A unit of 0 or more is the node at that position, one below 0 is a group: -1 the first, -2 the
second. A must-link of a group with itself ties all of its nodes together, a cannot-link between two groups parts each
node of the one from each of the other. So a class of m nodes costs m numbers, not the m² / 2 pairs that it stands for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from graphmine.arrays import Bools, Floats, Ints
from graphmine.errors import ConstraintError

__all__ = ["Groups", "Links"]


@dataclass(frozen=True, eq=False)
class Groups:
    """Sets of node positions, stored end to end.

    Parameters
    ----------
    starts
        Where each group begins among the members; last, where the last one ends.
    members
        The positions; a node may be in several groups, in each of them once.

    Examples
    --------
    >>> groups = Groups.of([[4, 1], [0, 1, 2]])
    >>> len(groups), groups.sizes.tolist(), groups[1].tolist()
    (2, [2, 3], [0, 1, 2])
    """

    starts: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    members: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def of(cls, groups: Iterable[ArrayLike]) -> "Groups":
        """Make groups from sets of positions."""
        sets = [_distinct(_whole("the members of a group", group)) for group in groups]
        ends = np.cumsum([0, *map(len, sets)], dtype=np.int64)
        return cls(ends, np.concatenate([np.empty(0, dtype=np.int64), *sets]))

    @classmethod
    def by_value(cls, values: ArrayLike) -> "Groups":
        """Make a group of the nodes that share a value, in the order of the values; negative values are ignored.

        >>> Groups.by_value([2, -1, 0, 2])[1].tolist()
        [0, 3]
        """
        numbers = _whole("values", values)
        order = np.argsort(numbers, kind="stable")
        order = order[np.searchsorted(numbers[order], 0) :]
        first = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        return cls(np.append(first, len(order)).astype(np.int64), order)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Ints:
        return self.members[self.starts[number] : self.starts[number + 1]]

    @property
    def sizes(self) -> Ints:
        """The number of nodes of each group."""
        return np.diff(self.starts)

    def __add__(self, other: "Groups") -> "Groups":
        starts = np.concatenate([self.starts, self.starts[-1] + other.starts[1:]])
        return Groups(starts, np.concatenate([self.members, other.members]))


@dataclass(frozen=True, eq=False)
class Links:
    """Links between the nodes of one kind, or of two.

    Parameters
    ----------
    left, right
        The two units of each link. Across kinds, a left one is of the first kind and a right one of the second.
    must
        Whether the two must share a cluster, or must not.
    hard
        Whether this has to be so, or is only wished for.
    weight
        How much a wish weighs; above 0.
    rule
        Which rule made the link, as a position in `Constraints.rules`; -1 where none did.
    groups
        What units below 0 stand for.
    others
        Across kinds, what they stand for on the right; None within a kind.

    Examples
    --------
    >>> links = Links.of_pairs([[0, 1]]) + Links.of_pairs([[1, 2]], must=False, hard=True)
    >>> len(links), links.must.tolist(), links.hard.tolist()
    (2, [True, False], [False, True])
    >>> class_ = Links.tying(Groups.of([range(1000)]))
    >>> len(class_), int(class_.n_pairs.sum())
    (1, 499500)
    """

    left: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    right: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    must: Bools = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    hard: Bools = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    weight: Floats = field(default_factory=lambda: np.empty(0))
    rule: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    groups: Groups = field(default_factory=Groups)
    others: Groups | None = None

    def __post_init__(self) -> None:
        """Refuse units that do not exist, nodes linked with themselves, and weights that mean nothing."""
        columns = (self.left, self.right, self.must, self.hard, self.weight, self.rule)
        if len(set(map(len, columns))) > 1:
            raise ConstraintError("the columns of links must be of one length")
        for units, groups in ((self.left, self.groups), (self.right, self.right_groups)):
            if units.size and units.min() < -len(groups):
                raise ConstraintError(f"a link names group {-1 - units.min()}, and there are {len(groups)} groups")
        if self.others is None and np.any((self.left == self.right) & (self.left >= 0)):
            node = int(self.left[(self.left == self.right) & (self.left >= 0)][0])
            raise ConstraintError(f"the node at position {node} is linked with itself")
        if self.must.dtype != np.bool_ or self.hard.dtype != np.bool_:
            raise ConstraintError("whether a link is a must and whether it is hard must be true or false")
        if self.rule.size and self.rule.min() < -1:
            raise ConstraintError(f"the rule of a link must be a number from -1 up, was {self.rule.min()}")
        if not np.all(np.isfinite(self.weight) & (self.weight > 0)):
            raise ConstraintError("the weight of a link must be a number above 0")

    @classmethod
    def of_pairs(
        cls,
        pairs: ArrayLike,
        *,
        must: bool = True,
        hard: bool = False,
        weight: ArrayLike = 1.0,
        rule: int = -1,
        across: bool = False,
    ) -> "Links":
        """Make links from pairs of node positions, with one weight for all of them or one for each."""
        ends = _pairs(pairs)
        return cls._alike(ends[:, 0], ends[:, 1], must, hard, weight, rule, Groups(), Groups() if across else None)

    @classmethod
    def tying(
        cls, groups: Groups, *, must: bool = True, hard: bool = False, weight: ArrayLike = 1.0, rule: int = -1
    ) -> "Links":
        """Link all nodes of each group with each other; groups of one node need no link."""
        several = -1 - np.flatnonzero(groups.sizes > 1)
        given = np.asarray(weight, dtype=np.float64)
        each = given[-1 - several] if given.ndim else given
        return cls._alike(several, several, must, hard, each, rule, groups, None)

    @classmethod
    def between(
        cls,
        left: Groups,
        right: Groups,
        pairs: ArrayLike,
        *,
        must: bool = True,
        hard: bool = False,
        weight: ArrayLike = 1.0,
        rule: int = -1,
    ) -> "Links":
        """Link groups of one kind with groups of another: pairs of group numbers."""
        ends = -1 - _pairs(pairs)
        return cls._alike(ends[:, 0], ends[:, 1], must, hard, weight, rule, left, right)

    @classmethod
    def parting(
        cls, groups: Groups, *, must: bool = False, hard: bool = False, weight: ArrayLike = 1.0, rule: int = -1
    ) -> "Links":
        """Link every two different groups, nodes of the one with nodes of the other. Groups must be disjoint.

        >>> Links.parting(Groups.of([[0, 1], [2], [3]])).n_pairs.tolist()
        [2, 2, 1]
        """
        first, second = np.triu_indices(len(groups), 1)
        return cls._alike(-1 - first, -1 - second, must, hard, weight, rule, groups, None)

    @classmethod
    def _alike(
        cls,
        left: Ints,
        right: Ints,
        must: bool,
        hard: bool,
        weight: ArrayLike,
        rule: int,
        groups: Groups,
        others: Groups | None,
    ) -> "Links":
        n = len(left)
        weights = np.asarray(weight, dtype=np.float64)
        if weights.ndim and weights.shape != (n,):
            raise ConstraintError(f"there must be one weight a link, {n}, not {weights.size}")
        return cls(
            left=left.astype(np.int64),
            right=right.astype(np.int64),
            must=np.full(n, must),
            hard=np.full(n, hard),
            weight=np.broadcast_to(weights, n).copy(),
            rule=np.full(n, rule, dtype=np.int64),
            groups=groups,
            others=others,
        )

    def __len__(self) -> int:
        return len(self.left)

    def __add__(self, other: "Links") -> "Links":
        if (self.others is None) != (other.others is None):
            raise ConstraintError("links within a kind and links across kinds can not be put together")
        left = np.concatenate([self.left, _moved(other.left, len(self.groups))])
        if self.others is None or other.others is None:
            others, right = None, _moved(other.right, len(self.groups))
        else:
            others, right = self.others + other.others, _moved(other.right, len(self.others))
        rest = {
            name: np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("must", "hard", "weight", "rule")
        }
        groups, right = self.groups + other.groups, np.concatenate([self.right, right])
        return Links(left=left, right=right, groups=groups, others=others, **rest)

    def only(self, which: Bools | Ints) -> "Links":
        """Return some of the links, by a mask or by their numbers; groups stay as they are."""
        names = ("left", "right", "must", "hard", "weight", "rule")
        return replace(self, **{name: getattr(self, name)[which] for name in names})

    def ends(self) -> tuple[Ints, Ints]:
        """Return the distinct positions of all nodes that links name on the left, and on the right.

        >>> Links.tying(Groups.of([[4, 2]])).ends()[0].tolist()
        [2, 4]
        """
        return _named(self.left, self.groups), _named(self.right, self.right_groups)

    def turned(self) -> "Links":
        """Return the links with their sides exchanged.

        >>> Links.of_pairs([[0, 1]], across=True).turned().left.tolist()
        [1]
        """
        others = None if self.others is None else self.groups
        return replace(self, left=self.right, right=self.left, groups=self.right_groups, others=others)

    @property
    def right_groups(self) -> Groups:
        """The groups that negative units stand for on the right."""
        return self.groups if self.others is None else self.others

    @property
    def n_pairs(self) -> Ints:
        """The number of pairs of nodes that each link stands for."""
        counts = _sizes(self.left, self.groups) * _sizes(self.right, self.right_groups)
        loops = (self.left == self.right) & (self.others is None)
        sizes = _sizes(self.left[loops], self.groups)
        counts[loops] = sizes * (sizes - 1) // 2
        return counts


def _named(units: Ints, groups: Groups) -> Ints:
    used = np.zeros(len(groups), dtype=np.bool_)
    used[-1 - units[units < 0]] = True
    return _distinct(np.concatenate([units[units >= 0], groups.members[np.repeat(used, groups.sizes)]]))


def _distinct(numbers: Ints) -> Ints:
    """Return the distinct numbers, sorted. With counts numpy sorts; without them it hashes, ten times as slowly."""
    return np.unique(numbers, return_counts=True)[0]


def _sizes(units: Ints, groups: Groups) -> Ints:
    sizes = np.ones(len(units), dtype=np.int64)
    grouped = units < 0
    sizes[grouped] = groups.sizes[-1 - units[grouped]]
    return sizes


def _moved(units: Ints, by: int) -> Ints:
    return np.where(units < 0, units - by, units)


def _whole(what: str, given: ArrayLike) -> Ints:
    numbers = np.asarray(given)
    if numbers.size and (numbers.ndim != 1 or numbers.dtype.kind not in "iu"):
        raise ConstraintError(f"{what} must be whole numbers")
    return numbers.astype(np.int64)


def _pairs(given: ArrayLike) -> Ints:
    try:
        pairs = np.asarray(given)
    except ValueError as error:  # rows of different lengths
        raise ConstraintError("links must be pairs of node positions") from error
    if pairs.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or pairs.min() < 0:
        raise ConstraintError("links must be pairs of node positions")
    return pairs.astype(np.int64)
