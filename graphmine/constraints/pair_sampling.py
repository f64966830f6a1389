"""Pairs as they are found, no more of them kept than a rule wants."""

import math
from dataclasses import dataclass

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.constraints.rules import Rule
from graphmine.errors import ParameterError

__all__ = [
    "MOST", "Gathering", "Pairs", "check_size", "draw_numbers", "sample_size", "sampled", "strongest", "unordered",
]  # fmt: skip


MOST = 20_000_000
"""More links than this a rule does not make."""
_SLACK = 0.01  # of MOST random numbers, the share below s + 0.01 is never less than s


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of positions, in order, and how strongly each is linked."""

    first: Ints
    second: Ints
    strength: Floats

    def __len__(self) -> int:
        return len(self.first)

    def only(self, which: Ints | Bools) -> "Pairs":
        """Return some of the pairs."""
        return Pairs(self.first[which], self.second[which], self.strength[which])


class Gathering:
    """Collect pairs from a search that finds them piece by piece.

    A sample is drawn from all that come: each pair gets a random number, and the smallest stay; then the strongest of
    these, up to the limit. Pairs must come in an order that depends on nothing but the network. With ``every``, neither
    sample nor limit are heeded.

    Examples
    --------
    >>> gathering = Gathering(Rule.parse("must A-X->A; limit 2"))
    >>> gathering.add(np.array([0, 1, 2]), np.array([3, 2, 3]), np.array([1.0, 5.0, 1.0]))
    >>> gathering.pairs().first.tolist()
    [0, 1]
    """

    def __init__(self, rule: Rule, *, every: bool = False) -> None:
        self._rule, self._rng = rule, np.random.default_rng(rule.seed)
        self._sample, self._limit = (None, None) if every else (rule.sample, rule.limit)
        self._parts: list[Pairs] = []
        self._chances: list[Floats] = []
        self._kept = self._found = 0
        counts = [count for count in (self._limit, self._sample) if count is not None]
        wanted = max(counts) if counts and min(counts) >= 1 else MOST
        self._room = min(MOST, int(wanted) + MOST // 8)  # beyond it, what is not wanted goes

    def add(self, first: Ints, second: Ints, strength: Floats) -> None:
        """Take more pairs."""
        if not len(first):
            return
        self._parts.append(Pairs(first, second, strength))
        self._chances.append(self._rng.random(len(first)) if self._sample is not None else np.empty(0))
        self._kept += len(first)
        self._found += len(first)
        if self._kept > self._room:
            self._thin(last=False)
            check_size(self._rule, self._kept)

    def pairs(self) -> Pairs:
        """Return what the rule wants of all that came, in order of position."""
        if not self._parts:
            return Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
        self._thin(last=True)
        return self._parts[0]

    def _thin(self, *, last: bool) -> None:
        pairs, chance = _joined(self._parts), np.concatenate(self._chances)
        sample, limit = self._sample, self._limit
        if sample is not None:
            if last or sample >= 1:
                kept = np.sort(np.argsort(chance, kind="stable")[: sample_size(self._rule, self._found)])
            else:
                kept = np.flatnonzero(chance < sample + _SLACK)
            pairs, chance = pairs.only(kept), chance[kept]
        if last or sample is None:
            pairs = strongest(pairs, limit)
        self._parts, self._chances, self._kept = [pairs], [chance], len(pairs)


def strongest(pairs: Pairs, limit: int | None) -> Pairs:
    """Return the strongest pairs, as many as the limit says, in order of position."""
    if limit is not None and len(pairs) > limit:
        pairs = pairs.only(np.lexsort((pairs.second, pairs.first, -pairs.strength))[:limit])
    return pairs.only(np.lexsort((pairs.second, pairs.first)))


def unordered(pairs: Pairs, *, mutual: bool = False) -> Pairs:
    """Return each two nodes once: with the larger weight of the two ways or, if both are asked for, the smaller."""
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    order = np.lexsort((high, low))
    low, high, strength = low[order], high[order], pairs.strength[order]
    new = np.ones(len(low), dtype=np.bool_)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    starts = np.flatnonzero(new)
    if not len(starts):
        return Pairs(low, high, strength)
    each = (np.minimum if mutual else np.maximum).reduceat(strength, starts)
    found = Pairs(low[starts], high[starts], each)
    return found.only(np.diff(starts, append=len(low)) == 2) if mutual else found


def sample_size(rule: Rule, total: int) -> int:
    """Return how many of so many a rule's sample takes.

    >>> sample_size(Rule.parse("must same A.b; sample 0.1"), 11), sample_size(Rule.parse("must same A.b"), 11)
    (2, 11)
    """
    if rule.sample is None:
        return total
    return min(total, int(rule.sample) if rule.sample >= 1 else math.ceil(rule.sample * total))


def sampled(rule: Rule, places: Ints, rng: np.random.Generator | None = None) -> Ints:
    """Return the nodes that a rule's sample draws of those given, in order; all of them where it draws none."""
    size = sample_size(rule, len(places))
    if size == len(places):
        return places
    return np.sort((rng or np.random.default_rng(rule.seed)).choice(places, size, replace=False))


def check_size(rule: Rule, n: int) -> None:
    """Refuse a rule that makes too many links."""
    if n > MOST:
        raise ParameterError(
            f"the rule '{rule.name}' makes more than {MOST:,} links; make its test stricter, or say how many with "
            "limit or sample"
        )


def draw_numbers(rng: np.random.Generator, total: int, count: int) -> Ints:
    """Draw different whole numbers below a total, in order, without making them all.

    >>> len(draw_numbers(np.random.default_rng(0), 10**15, 1000))
    1000
    """
    if total <= 4 * count:
        return np.sort(rng.choice(total, min(count, total), replace=False))
    found = np.empty(0, dtype=np.int64)
    while len(found) < count:
        more = rng.integers(total, size=count - len(found) + count // 8 + 8)
        found = np.unique(np.concatenate([found, more]))
    return np.sort(rng.choice(found, count, replace=False))


def _joined(parts: list[Pairs]) -> Pairs:
    return Pairs(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("first", "second", "strength")))
