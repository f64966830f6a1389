"""Everything that is known or wished about a clustering beforehand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmine.errors import ConstraintError
from graphmine.model.links import Links

__all__ = ["FREE", "UNRANKED", "Constraints"]

Name = TypeVar("Name", str, tuple[str, str])

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
    order: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse links in the wrong place, and links of rules that are not named."""
        for kind, links in self.within.items():
            if links.others is not None:
                raise ConstraintError(f"links of {kind} with itself are written as links across kinds")
        for (first, second), links in self.across.items():
            if links.others is None or first == second:
                raise ConstraintError(f"links between {first} and {second} are not written as links across two kinds")
        for links in self._links():
            if len(links) and links.rule.max() >= len(self.rules):
                raise ConstraintError(f"a link is of rule {links.rule.max()}, and {len(self.rules)} rules are named")

    def __bool__(self) -> bool:
        return any(map(len, self._links())) or bool(self.order)

    def __add__(self, other: "Constraints") -> "Constraints":
        """Return the links of both; rules of the same name are one rule."""
        rules = (*self.rules, *(rule for rule in other.rules if rule not in self.rules))
        numbers = np.array([*map(rules.index, other.rules), -1])  # the last is for links of no rule
        moved = replace(other, rules=rules)._each(lambda links: replace(links, rule=numbers[links.rule]))
        twice = sorted(set(self.order) & set(other.order))
        if twice:
            raise ConstraintError(f"{', '.join(twice)} can not be in two orders at once")
        return Constraints(
            _joined(self.within, moved.within),
            _joined(self.across, moved.across),
            {**self.order, **other.order},
            rules,
        )

    def __sub__(self, other: "Constraints") -> "Constraints":
        """Return the links of the first that are not in the second, and the orders of kinds that it does not order.

        A link is the same if it joins the same nodes, or the same groups, in the same sense; whatever its weight and
        rule. Pairs inside a group are not looked for.
        """
        return replace(
            self,
            within={kind: _less(links, other.within.get(kind)) for kind, links in self.within.items()},
            across={kinds: _less(links, other.across.get(kinds)) for kinds, links in self.across.items()},
            order={kind: ranks for kind, ranks in self.order.items() if kind not in other.order},
        )

    def select(self, wanted: Callable[[Links], NDArray[np.bool_]]) -> "Constraints":
        """Return the links for which a function of links is true; orders stay."""
        return self._each(lambda links: links.only(wanted(links)))

    def of_rule(self, rule: str) -> "Constraints":
        """Return what one rule made."""
        if rule not in self.rules:
            raise ConstraintError(f"there is no rule {rule!r}, only {', '.join(self.rules) or 'none'}")
        number = self.rules.index(rule)
        return replace(self.select(lambda links: links.rule == number), order={})

    def touched(self, kind: str, n_nodes: int) -> NDArray[np.bool_]:
        """Return which nodes of a kind a link or an order names.

        >>> Constraints({"Author": Links.of_pairs([[0, 2]])}).touched("Author", 4).tolist()
        [True, False, True, False]
        """
        found = np.zeros(n_nodes, dtype=np.bool_)
        for ends in (links.ends() for name, links in self.within.items() if name == kind):
            found[ends[0]] = found[ends[1]] = True
        for kinds, links in self.across.items():
            for end, name in zip(links.ends(), kinds, strict=True):
                if name == kind:
                    found[end] = True
        if kind in self.order:
            found |= self.order[kind] != UNRANKED
        return found

    def _each(self, change: Callable[[Links], Links]) -> "Constraints":
        return replace(
            self,
            within={kind: change(links) for kind, links in self.within.items()},
            across={kinds: change(links) for kinds, links in self.across.items()},
        )

    def _links(self) -> list[Links]:
        return [*self.within.values(), *self.across.values()]


FREE = Constraints()


def _joined(ours: Mapping[Name, Links], theirs: Mapping[Name, Links]) -> dict[Name, Links]:
    both = dict(ours)
    for name, links in theirs.items():
        both[name] = both[name] + links if name in both else links
    return both


def _less(links: Links, taken: Links | None) -> Links:
    if taken is None or not len(taken):
        return links
    kept = ~np.isin(_codes(links), _codes(taken))
    gone = {_name(taken, i) for i in np.flatnonzero(_grouped(taken)).tolist()}
    for i in np.flatnonzero(_grouped(links)).tolist():
        kept[i] = _name(links, i) not in gone
    return links.only(kept)


def _grouped(links: Links) -> NDArray[np.bool_]:
    return (links.left < 0) | (links.right < 0)


def _codes(links: Links) -> NDArray[np.void]:
    """Return each link as one value that can be compared, ends in order within a kind."""
    ends = np.stack([links.left, links.right])
    if links.others is None:
        ends = np.sort(ends, axis=0)
    codes = np.empty(len(links), dtype=[("left", np.int64), ("right", np.int64), ("must", np.bool_)])
    codes["left"], codes["right"], codes["must"] = *ends, links.must
    return codes


def _name(links: Links, i: int) -> tuple[object, ...]:
    """Return what makes a link of groups the same as another: who is in them, and its sense."""
    right_groups = links.groups if links.others is None else links.others
    ends = [
        unit if unit >= 0 else tuple(sorted(groups[-1 - unit].tolist()))
        for unit, groups in ((int(links.left[i]), links.groups), (int(links.right[i]), right_groups))
    ]
    if links.others is None:
        ends.sort(key=repr)
    return (*ends, bool(links.must[i]))
