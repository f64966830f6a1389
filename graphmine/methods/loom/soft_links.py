"""Soft links as messages between units, each weighted by how well the network supports it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmine.arrays import AnyArray, Bools, Floats, Labels
from graphmine.closure.components import expand_ranges
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import Constraints, Groups, Links

__all__ = ["LEAST", "SoftLinks", "belief", "shares"]


_STEPS = 30
"""So many steps of expectation and maximisation; each costs a few numbers a pair."""

_DOUBT = 2.0
"""As if so many pairs of each rule had been seen to be wrong: a rule of a few pairs has to earn its trust."""

LEAST, _MOST = 1e-4, 1 - 1e-4
"""The trust in a rule is kept within these, so that no message is infinite."""

_TINY = 1e-300
"""The least probability, so that its logarithm is finite."""

_GOLDEN = 0.382
"""A step of so much of a group leads far from the first neighbours."""


@dataclass(frozen=True, eq=False)
class SoftLinks:
    """Pairs of units that soft links name.

    Parameters
    ----------
    kinds
        The kinds of the two ends of each pair, as numbers.
    ends
        The two units of each pair.
    must, weight
        Whether they are to share a cluster, and how much that weighs.
    rule
        Whose trust the pair shares: a number for each rule and sense.
    link
        Which link the pair stands for, counted over all links of the constraints.
    repeats
        Whether it comes from the same records as the relation.

    Notes
    -----
    A pair is right with the probability π of its rule, else it says nothing. With q_i the belief that unit i is in each
    cluster and p the share of each cluster, a must-link is r = Σ_a q_ia q_ja / p_a times as likely if it is right as if
    it is not, and a cannot-link r = (1 - Σ_a q_ia q_ja) / (1 - Σ_a p_a²) times. π is found by expectation and
    maximisation: t = π r / (π r + 1 - π), the trust in a pair; π ← the mean of t. The message to i is the logarithm of
    Σ_b q_jb ψ_ab^w, with w the weight of the link and ψ_ab = 1 - π + π [a = b] / p_a, or, for a cannot-link,
    1 - π + π [a ≠ b] / (1 - Σ p²); of a must-link of weight 1 that is 1 - π + π q_ja / p_a. Where the ends agree no
    more often than by chance, π goes to 0 and nothing is said.

    Pairs at chance agree a little more often than that every other time, and what they then say moves both of their
    ends, so that they agree the more. A rule is therefore not trusted at all unless Σ log(1 - π + π r) over its pairs
    is more than ½ log Σ (r - 1)²: by Schwarz's criterion, what a number has to gain that is fitted to so much
    information, which is that on π where π = 0. Pairs whose ends are vague have little of it.

    Pairs that repeat the relation hang together as well, as all pairs of the authors of one paper do: each weighs
    1 / √(d_i d_j) of its weight, with d the number of such pairs of a unit.

    A soft link on a group is told by four pairs a member or so, and one between two groups alike, not by all of them:
    they hang together, and counting each would make a large group certain of itself. Together these weigh what
    all pairs do, but none of them more than 1, or than the link where that is more.
    """

    kinds: Labels
    ends: Labels
    must: Bools
    weight: Floats
    rule: Labels
    link: Labels
    repeats: Bools

    @classmethod
    def of(cls, constraints: Constraints, graph: UnitGraph) -> "SoftLinks":
        """Return the pairs of all soft links, but for those inside a unit."""
        names = [units.kind for units in graph.kinds]
        again = np.array([*(rule in constraints.repeats for rule in constraints.rules), False])
        parts, before = [_nothing()], 0
        for kinds, links in constraints.items():
            if not len(links):
                continue
            which, *nodes = _pairs(links)
            sides = [names.index(kind) for kind in kinds]
            ends = np.stack([graph.kinds[side].of_node[each] for side, each in zip(sides, nodes, strict=True)])
            apart = (ends[0] != ends[1]) | (sides[0] != sides[1])
            which, ends = which[apart], ends[:, apart]
            both = np.repeat(np.array(sides)[:, None], len(which), axis=1)
            rule = 2 * links.rule[which] + links.must[which]
            parts.append((
                both, ends, links.must[which], _weights(links, which), rule, before + which, again[links.rule[which]],
            ))  # fmt: skip
            before += len(links)
        both, ends, must, weight, rule, link, repeats = (
            np.concatenate(part, axis=-1) for part in zip(*parts, strict=True)
        )
        weight = np.where(repeats, weight / _crowd(both, ends, repeats), weight)
        return cls(both, ends, must, weight, np.unique(rule, return_inverse=True)[1], link, repeats)

    def __len__(self) -> int:
        return len(self.link)

    @property
    def n_rules(self) -> int:
        """How many rules, or senses of rules, there are."""
        return 1 + int(self.rule.max(initial=-1))

    def towards(self, kind: int) -> Iterator[tuple[int, Labels]]:
        """Give the pairs that a kind is at an end of: which end, and the numbers of the pairs."""
        for end in (0, 1):
            which = np.flatnonzero(self.kinds[end] == kind)
            if len(which):
                yield end, which

    def at(self, end: int, values: Sequence[AnyArray]) -> AnyArray:
        """Return what stands, in arrays of one row a unit for each kind, at one end of each pair."""
        found = np.empty((len(self), *values[0].shape[1:]), dtype=values[0].dtype)
        for kind in np.unique(self.kinds[end]).tolist():
            which = self.kinds[end] == kind
            found[which] = values[kind][self.ends[end][which]]
        return found

    def odds(self, first: Floats, second: Floats, p: Sequence[Floats]) -> Floats:
        """Return r, how much likelier each pair is if it is right than if not, from beliefs about its two ends."""
        chance = np.asarray(p)[self.kinds[0]]
        return self._odds(np.sum(first * second / chance, axis=1), np.sum(first * second, axis=1), chance)

    def worth(self, labels: Sequence[Labels], p: Sequence[Floats], scale: Floats | float = 1.0) -> float:
        """Return what clusters are worth to the links: the log-likelihood of all pairs at their best trust, in nats.

        ``scale`` is what a nat of each pair counts.
        """
        if not len(self):
            return 0.0
        (first, second), chance = (self.at(end, labels) for end in (0, 1)), np.asarray(p)[self.kinds[0]]
        same = (first == second).astype(np.float64)
        odds = self._odds(same / chance[np.arange(len(self)), first], same, chance)
        pi = self.estimate_trust(odds)[0][self.rule]
        return float(np.sum(scale * self.weight * np.log1p(pi * (odds - 1))))

    def estimate_trust(self, odds: Floats) -> tuple[Floats, Floats]:
        """Return the trust in each rule, next to none where it may be due to chance, and in each pair."""
        pi, count = np.full(self.n_rules, 0.5), np.bincount(self.rule, minlength=self.n_rules)
        for _ in range(_STEPS):
            pairs = _right(pi[self.rule], odds)
            pi = np.clip(np.bincount(self.rule, pairs, self.n_rules) / (count + _DOUBT), LEAST, _MOST)
        gain, information = (
            np.bincount(self.rule, each, self.n_rules)
            for each in (np.log1p(pi[self.rule] * (odds - 1)), (odds - 1) ** 2)
        )
        pi = np.where(gain > np.log(np.maximum(information, 1.0)) / 2, pi, LEAST)
        return pi, _right(pi[self.rule], odds)

    def messages(self, which: Labels, told: Floats, pi: Floats, p: Floats) -> Floats:
        """Return what some pairs say to their one end, given the beliefs about the other."""
        trust, weight, must = pi[self.rule[which], None], self.weight[which, None], self.must[which, None]
        agrees = np.where(must, 1 - trust + trust / p, 1 - trust)
        differs = np.where(must, 1 - trust, 1 - trust + trust / _differ(p))
        known = np.clip(told, _TINY, 1.0)
        unknown = np.clip(1 - told, _TINY, 1.0)
        said: Floats = np.logaddexp(weight * np.log(agrees) + np.log(known), weight * np.log(differs) + np.log(unknown))
        return said

    def of_links(self, constraints: Constraints, pairs: Floats) -> Mapping[tuple[str, str], Floats]:
        """Return the trust in each link: the mean of its pairs. A hard one is trusted, and one inside a unit is met."""
        total, before, found = sum(len(links) for links in constraints.values()), 0, {}
        sums, counts = (np.bincount(self.link, weights, total) for weights in (pairs, None))
        for kinds, links in constraints.items():
            own = slice(before, before + len(links))
            settled = np.where(links.hard | links.must, 1.0, 0.0)
            found[kinds] = np.where(counts[own] > 0, sums[own] / np.maximum(counts[own], 1), settled)
            before += len(links)
        return found

    def _odds(self, same: Floats, agree: Floats, p: Floats) -> Floats:
        return np.where(self.must, same, (1 - agree) / _differ(p))


def belief(scores: Floats, p: Floats) -> Floats:
    """Return how probable each cluster is for each unit, given scores and the share of each cluster.

    >>> belief(np.array([[0.0, 0.0], [9.0, 0.0]]), np.array([0.25, 0.75])).round(3).tolist()
    [[0.25, 0.75], [1.0, 0.0]]
    """
    weights = scores + np.log(p)
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def shares(labels: Labels, n_clusters: int) -> Floats:
    """Return the share of each cluster, none of them zero.

    >>> shares(np.array([0, 0, 0]), 2).tolist()
    [0.8, 0.2]
    """
    counts = np.bincount(labels, minlength=n_clusters) + 1.0
    found: Floats = counts / counts.sum()
    return found


def _right(pi: Floats, odds: Floats) -> Floats:
    """Return how probable it is that pairs are right, given the share that is and the odds of each."""
    right: Floats = pi * odds / (1 + pi * (odds - 1))
    return right


def _differ(p: Floats) -> Floats:
    """Return the probability that two units of any clusters are not in the same."""
    differ: Floats = np.maximum(1 - np.sum(p * p, axis=-1), 1e-9)
    return differ


def _crowd(kinds: Labels, ends: Labels, repeats: Bools) -> Floats:
    """Return √(d_i d_j) of each pair, with d the number of pairs of a unit that repeat the relation."""
    unit = kinds * (1 + ends.max(initial=0)) + ends  # unit u of kind c is the number c n + u, n the most units of any
    count = np.bincount(unit[:, repeats].ravel(), minlength=int(unit.max(initial=0)) + 1)
    crowd: Floats = np.sqrt(np.prod(np.maximum(count[unit], 1), axis=0, dtype=np.float64))
    return crowd


def _nothing() -> tuple[NDArray[np.generic], ...]:
    no_pairs, no_numbers, no_truths = (
        np.empty((2, 0), dtype=np.int64),
        np.empty(0, dtype=np.int64),
        np.empty(0, dtype=np.bool_),
    )
    return no_pairs, no_pairs, no_truths, np.empty(0), no_numbers, no_numbers, no_truths


def _pairs(links: Links) -> tuple[Labels, Labels, Labels]:
    """Return pairs of nodes for the soft links: which link each is of, and its two nodes."""
    soft = np.flatnonzero(~links.hard)
    alone = (links.left[soft] >= 0) & (links.right[soft] >= 0)
    loop = (links.left[soft] == links.right[soft]) & (links.others is None) & ~alone
    plain = soft[alone]
    found = [(plain, links.left[plain], links.right[plain]), _rings(links, soft[loop])]
    found += [_between(links, link) for link in soft[~alone & ~loop].tolist()]
    which, first, second = (np.concatenate(column).astype(np.int64) for column in zip(*found, strict=True))
    return which, first, second


def _weights(links: Links, which: Labels) -> Floats:
    """Return the weight of each pair, given the link it is of."""
    told = np.bincount(which, minlength=len(links))
    weight = links.weight * links.n_pairs / np.maximum(told, 1)
    return np.minimum(weight, np.maximum(links.weight, 1.0))[which]


def _rings(links: Links, which: Labels) -> tuple[Labels, Labels, Labels]:
    """Pair each node of groups with four others of its group: its neighbours along two rings."""
    groups = -1 - links.left[which]
    starts, sizes = links.groups.starts[groups], links.groups.sizes[groups]
    link, place = expand_ranges(starts, starts + sizes)
    own, size = place - starts[link], sizes[link]
    rings = []
    for step in (np.ones(len(size), dtype=np.int64), np.maximum(np.rint(_GOLDEN * size).astype(np.int64), 1)):
        mate = (own + step) % np.maximum(size, 1)
        rings.append(np.stack([link, np.minimum(own, mate), np.maximum(own, mate)])[:, own != mate])
    link, first, second = np.unique(np.concatenate(rings, axis=1), axis=1)
    members = links.groups.members
    return which[link], members[starts[link] + first], members[starts[link] + second]


def _between(links: Links, link: int) -> tuple[Labels, Labels, Labels]:
    """Pair each node of the two ends of a link with two or so of the other."""
    left, right = _members(int(links.left[link]), links.groups), _members(int(links.right[link]), links.right_groups)
    few, many = sorted((len(left), len(right)))
    places, steps = np.arange(many if few else 0), {0, round(_GOLDEN * few)}
    pairs = [np.stack([places % max(len(left), 1), (places + step) % max(len(right), 1)]) for step in steps]
    first, second = np.unique(np.concatenate(pairs, axis=1), axis=1)
    return np.full(len(first), link), left[first], right[second]


def _members(unit: int, groups: Groups) -> Labels:
    return np.array([unit]) if unit >= 0 else groups[-1 - unit]
