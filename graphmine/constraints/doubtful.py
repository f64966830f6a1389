"""Doubtful links: those that a fit does not trust, with the keys of their nodes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.constraints.pair_counts import RuleLinks, count_link_pairs, links_by_rule
from graphmine.constraints.trust import check_trust, trust_in
from graphmine.model import UNPLACED, Clustering, Constraints, Nodes

__all__ = ["Doubt", "Doubts", "doubts"]

Classes = Mapping[str, Ints]

_PAIR = 2


@dataclass(frozen=True)
class Doubt:
    """A link that contradicts the data, or a member that does not fit its group.

    Parameters
    ----------
    rule
        The rule of the link; empty for none.
    kind, key, other_kind, other_key
        Its two nodes; for a group its first keys, and the number of further ones.
    must
        Whether they should share a cluster, or should not.
    trust
        The trust in the link, or in the member of the group, from 0 to 1.
    broken
        Whether the clustering breaks it.
    wrong
        Whether known classes say that it is wrong; None if they do not say.
    """

    rule: str
    kind: str
    key: str | int
    other_kind: str
    other_key: str | int
    must: bool
    trust: float
    broken: bool
    wrong: bool | None


@dataclass(frozen=True)
class Doubts:
    """All doubtful links, the least trusted first, and how far known classes confirm them.

    Parameters
    ----------
    precision
        The share of wrong links among the doubtful ones with known classes; None if there are none.
    recall
        The share of doubtful links among the wrong ones; None if none is wrong.
    """

    found: tuple[Doubt, ...]
    precision: float | None = None
    recall: float | None = None


def doubts(
    constraints: Constraints,
    clustering: Clustering,
    nodes: Mapping[str, Nodes],
    *,
    below: float = 1.0,
    truth: Classes | None = None,
) -> Doubts:
    """Return the soft links whose trust is below a bound.

    For a group that must be together, the members outside the cluster of its majority are listed. Their trust is
    `Clustering.belonging` if the method provides it, otherwise that of the group. Other links of groups are listed as
    one entry if most of their pairs are broken.

    Parameters
    ----------
    below
        The bound; with 1, all links that are not met exactly.
    truth
        The known class of each node of each kind, as a number; negative if unknown.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> met = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]], rule=0)}, rules=("friends",))
    >>> found = Clustering({"Author": [0, 0, 1]}, trust={("Author", "Author"): np.array([1.0, 0.25])})
    >>> doubt, = doubts(met, found, {"Author": Nodes("Author", ["Ann", "Bob", "Cem"])}).found
    >>> doubt.key, doubt.other_key, doubt.trust, doubt.broken
    ('Bob', 'Cem', 0.25, True)
    """
    check_trust(constraints, clustering)
    unknown = {kind: np.full(len(each), -1, dtype=np.int64) for kind, each in nodes.items()}
    classes = unknown | dict(truth or {})
    judged = [
        _JudgedRule(made, trust, clustering, nodes, classes)
        for made, trust in _judged_soft_links(constraints, clustering)
    ]
    every = (each for part in judged for each in part.below(below))
    found = tuple(sorted(every, key=lambda each: each.trust))
    known = [each.wrong for each in found if each.wrong is not None]
    wrong = sum(part.n_wrong() for part in judged)
    return Doubts(found, sum(known) / len(known) if known else None, sum(known) / wrong if wrong else None)


def _judged_soft_links(constraints: Constraints, clustering: Clustering) -> Iterator[tuple[RuleLinks, Floats]]:
    for made in links_by_rule(constraints):
        trust = trust_in(made, clustering)
        if trust is not None and not made.hard:
            yield made, trust


class _Verdicts(NamedTuple):
    """For each link: whether most of its pairs with known classes break it, and whether there are such pairs."""

    against: Bools
    known: Bools


@dataclass(frozen=True, eq=False)
class _JudgedRule:
    """The links of one rule, with the trust in them and the known classes of their nodes."""

    made: RuleLinks
    trust: Floats
    clustering: Clustering
    nodes: Mapping[str, Nodes]
    truth: Classes

    @property
    def _in_large_group(self) -> Bools:
        """Whether each link is a must-link within a group of three or more nodes; a group of two is a pair."""
        links = self.made.links
        tied: Bools = (links.left < 0) & (links.left == links.right)
        tied &= self.made.must and links.others is None
        tied[tied] = links.groups.sizes[-1 - links.left[tied]] > _PAIR
        return tied

    def below(self, bound: float) -> Iterator[Doubt]:
        """Yield the links with less trust, or for a must-link within a group the members outside its majority."""
        tied = self._in_large_group
        # A few outlying members hardly lower the trust in a group.
        looked_at = (self.trust < bound) | (tied & (self.made.kinds[0] in self.clustering.belonging))
        for number in np.flatnonzero(looked_at).tolist():
            if tied[number]:
                yield from (each for each in self._members(number, self._units(number)[0]) if each.trust < bound)
                continue
            left, right = self._units(number)
            link = self._link(number, left, right)
            if link.broken or len(left) == len(right) == 1:
                yield link

    def n_wrong(self) -> int:
        """Return the number of links, or of members of groups, that known classes show to be wrong."""
        tied = self._in_large_group
        groups = [self._units(number)[0] for number in np.flatnonzero(tied).tolist()]
        return int(np.count_nonzero(self._wrong.against & ~tied)) + sum(self._strangers(group) for group in groups)

    @cached_property
    def _broken(self) -> _Verdicts:
        return self._verdicts(self.clustering.labels)

    @cached_property
    def _wrong(self) -> _Verdicts:
        return self._verdicts(self.truth)

    def _verdicts(self, classes: Classes) -> _Verdicts:
        counts = count_link_pairs(self.made.links, self.made.kinds, classes)
        known = counts.known > 0
        against = 2 * counts.equal < counts.known if self.made.must else 2 * counts.equal >= counts.known
        return _Verdicts(against & known, known)

    def _strangers(self, members: Ints) -> int:
        known = self._known(self.made.kinds[0], members)
        return int(np.count_nonzero((known >= 0) & (known != _commonest(known))))

    def _units(self, number: int) -> tuple[Ints, Ints]:
        """Return the nodes on both sides of a link; for a group of two, one on each side."""
        links = self.made.links
        sides = ((links.left, links.groups), (links.right, links.right_groups))
        one, two = (groups[-1 - int(at[number])] if at[number] < 0 else at[[number]] for at, groups in sides)
        if len(one) == _PAIR and links.others is None and links.left[number] == links.right[number]:
            return one[:1], one[1:]
        return one, two

    def _link(self, number: int, one: Ints, two: Ints) -> Doubt:
        first, second = self.made.kinds[0], self.made.kinds[-1]
        return Doubt(
            self.made.rule,
            first,
            self._keys_text(first, one),
            second,
            self._keys_text(second, two),
            self.made.must,
            float(self.trust[number]),
            bool(self._broken.against[number]),
            bool(self._wrong.against[number]) if self._wrong.known[number] else None,
        )

    def _members(self, number: int, members: Ints) -> Iterator[Doubt]:
        """Give the members of a group that are not where most of it is."""
        kind = self.made.kinds[0]
        labels, known = self.clustering.labels[kind][members], self._known(kind, members)
        near = self.clustering.belonging.get(kind)
        trust = np.full(len(members), self.trust[number]) if near is None else near[members]
        most, usual = _commonest(labels), _commonest(known)
        for at in np.flatnonzero((labels != most) & (labels != UNPLACED)).tolist():
            yield Doubt(
                self.made.rule,
                kind,
                self.nodes[kind][int(members[at])],
                kind,
                self._keys_text(kind, np.delete(members, at)),
                True,
                float(trust[at]),
                True,
                None if known[at] < 0 else bool(known[at] != usual),
            )

    def _known(self, kind: str, positions: Ints) -> Ints:
        return self.truth[kind][positions]

    def _keys_text(self, kind: str, positions: Ints, most: int = 3) -> str | int:
        keys: Sequence[str | int] = [self.nodes[kind][int(at)] for at in positions[:most]]
        if len(positions) == 1:
            return keys[0]
        return ", ".join(map(str, keys)) + (f", … ({len(positions)} nodes)" if len(positions) > most else "")


def _commonest(classes: Ints) -> int:
    """Return the most frequent number from 0 up; -1 where there is none."""
    there = classes[classes >= 0]
    return int(np.bincount(there).argmax()) if len(there) else -1
