"""Constraints: what is known or wanted about a clustering beforehand."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.errors import ConstraintError
from graphmine.model.links import Groups, Links

__all__ = ["FREE", "UNRANKED", "Constraints"]

Kinds = tuple[str, str]

UNRANKED = -1
"""The rank of a node that an order does not name."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Links within kinds and across them, and orders.

    Parameters
    ----------
    within
        The links between the nodes of a kind.
    across
        The links between the nodes of two kinds, under the two names in the order of the links' left and right.
    order
        For a kind, the rank of each of its nodes, so that clusters can be asked to be intervals; `UNRANKED` where a
        node has none.
    rules
        What made the links: `Links.rule` counts into these.
    repeats
        The rules whose links come from the same records as the relation itself, as co-authors of papers do where
        authors are clustered by the venues of these papers; they repeat what is in the relation already.

    Examples
    --------
    >>> met = Constraints({"Author": Links.of_pairs([[0, 1]], rule=0)}, rules=("co-authors",))
    >>> same = Constraints({"Author": Links.of_pairs([[2, 3]], rule=0)}, rules=("same town",))
    >>> both = met + same
    >>> bool(FREE), bool(both), both.rules, both.within["Author"].rule.tolist()
    (False, True, ('co-authors', 'same town'), [0, 1])
    >>> (both - met).within["Author"].left.tolist()
    [2]
    """

    within: Mapping[str, Links] = field(default_factory=dict)
    across: Mapping[tuple[str, str], Links] = field(default_factory=dict)
    order: Mapping[str, Ints] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    repeats: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse links in the wrong place, and links of rules that are not named."""
        for kind, links in self.within.items():
            if links.others is not None:
                raise ConstraintError(f"links of {kind} with itself are written as links across kinds")
        for (first, second), links in self.across.items():
            if links.others is None or first == second:
                raise ConstraintError(f"links between {first} and {second} are not written as links across two kinds")
        for name in sorted(self.repeats - set(self.rules)):
            raise ConstraintError(f"repeats names a rule {name!r}, and the rules are {', '.join(self.rules) or 'none'}")
        for links in self.values():
            if len(links) and links.rule.max() >= len(self.rules):
                raise ConstraintError(f"a link is of rule {links.rule.max()}, and {len(self.rules)} rules are named")

    def __bool__(self) -> bool:
        return any(map(len, self.values())) or bool(self.order)

    def __add__(self, other: "Constraints") -> "Constraints":
        """Return the links of both; rules of the same name are one rule, and two kinds one place in either order."""
        rules = (*self.rules, *(rule for rule in other.rules if rule not in self.rules))
        numbers = np.array([*map(rules.index, other.rules), -1])  # the last is for links of no rule
        moved = replace(other, rules=rules)._each(lambda links: replace(links, rule=numbers[links.rule]))
        twice = sorted(set(self.order) & set(other.order))
        if twice:
            raise ConstraintError(f"{', '.join(twice)} can not be in two orders at once")
        return Constraints(
            _joined(self.within, moved.within),
            _joined_across(self.across, moved.across),
            {**self.order, **other.order},
            rules,
            self.repeats | other.repeats,
        )

    def __sub__(self, other: "Constraints") -> "Constraints":
        """Return the links of the first that are not in the second, and the orders of kinds that it does not order.

        A link is the same if it joins the same nodes, or the same groups, in the same sense; whatever its weight and
        rule, and whichever of two kinds is named first. Pairs inside a group are not looked for.
        """
        return replace(
            self,
            within={kind: _less(links, other.within.get(kind, Links())) for kind, links in self.within.items()},
            across={kinds: _less(links, other._between(*kinds)) for kinds, links in self.across.items()},
            order={kind: ranks for kind, ranks in self.order.items() if kind not in other.order},
        )

    def items(self) -> Iterator[tuple[Kinds, Links]]:
        """Yield all links with the kinds of their left and right sides, which are equal for links within a kind.

        >>> [kinds for kinds, _ in Constraints({"Author": Links()}).items()]
        [('Author', 'Author')]
        """
        yield from (((kind, kind), links) for kind, links in self.within.items())
        yield from self.across.items()

    def values(self) -> list[Links]:
        """Return all links, in the order of `items`."""
        return [*self.within.values(), *self.across.values()]

    def select(self, wanted: Callable[[Links], Bools]) -> "Constraints":
        """Return the links for which a function of links is true; orders are kept."""
        return self._each(lambda links: links.only(wanted(links)))

    def of_rule(self, rule: str) -> "Constraints":
        """Return the links of one rule."""
        if rule not in self.rules:
            raise ConstraintError(f"there is no rule {rule!r}, only {', '.join(self.rules) or 'none'}")
        number = self.rules.index(rule)
        return replace(self.select(lambda links: links.rule == number), order={})

    def touched(self, kind: str, n_nodes: int) -> Bools:
        """Return a mask of the nodes of a kind that a link or an order names.

        >>> Constraints({"Author": Links.of_pairs([[0, 2]])}).touched("Author", 4).tolist()
        [True, False, True, False]
        """
        found = np.zeros(n_nodes, dtype=np.bool_)
        for kinds, links in self.items():
            for end, name in zip(links.ends(), kinds, strict=True):
                if name == kind:
                    found[end] = True
        if kind in self.order:
            found |= self.order[kind] != UNRANKED
        return found

    def _between(self, first: str, second: str) -> Links:
        """Return the links across two kinds, in whichever order the kinds are named."""
        none = Links.of_pairs([], across=True)
        return self.across.get((first, second), none) + self.across.get((second, first), none).turned()

    def _each(self, change: Callable[[Links], Links]) -> "Constraints":
        return replace(
            self,
            within={kind: change(links) for kind, links in self.within.items()},
            across={kinds: change(links) for kinds, links in self.across.items()},
        )


FREE = Constraints()


def _joined(ours: Mapping[str, Links], theirs: Mapping[str, Links]) -> dict[str, Links]:
    both = dict(ours)
    for kind, links in theirs.items():
        both[kind] = both[kind] + links if kind in both else links
    return both


def _joined_across(ours: Mapping[Kinds, Links], theirs: Mapping[Kinds, Links]) -> dict[Kinds, Links]:
    both = dict(ours)
    for kinds, links in theirs.items():
        turned = kinds not in both and kinds[::-1] in both
        name, more = (kinds[::-1], links.turned()) if turned else (kinds, links)
        both[name] = both[name] + more if name in both else more
    return both


def _less(links: Links, taken: Links) -> Links:
    """Return the links that are not among others; groups of the same nodes are the same."""
    if not len(links) or not len(taken):
        return links
    names: dict[bytes, int] = {}
    ends = [
        np.stack([_renamed(each.left, each.groups, names), _renamed(each.right, each.right_groups, names)])
        for each in (links, taken)
    ]
    lowest = min(int(each.min()) for each in ends)
    width = max(int(each.max()) for each in ends) - lowest + 1
    codes = [
        2 * ((low - lowest) * width + high - lowest) + each.must
        for each, (low, high) in zip((links, taken), ends if links.others is not None else _ordered(ends), strict=True)
    ]
    return links.only(~np.isin(codes[0], codes[1]))


def _renamed(units: Ints, groups: Groups, names: dict[bytes, int]) -> Ints:
    """Return units in which groups of the same nodes have the same number."""
    grouped = units < 0
    numbers, back = np.unique(-1 - units[grouped], return_inverse=True)
    new = [names.setdefault(np.sort(groups[number]).tobytes(), len(names)) for number in numbers.tolist()]
    found = units.copy()
    found[grouped] = -1 - np.array(new, dtype=np.int64)[back]
    return found


def _ordered(ends: list[Ints]) -> list[Ints]:
    return [np.sort(each, axis=0) for each in ends]
