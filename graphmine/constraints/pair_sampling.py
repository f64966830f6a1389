"""Sample pairs as a search finds them, and keep no more of them than a rule asks for."""

import math
from dataclasses import dataclass

import numpy as np

from graphmine.arrays import Bools, Floats, Ints
from graphmine.constraints.rules import Rule
from graphmine.errors import ParameterError

__all__ = [
    "MOST_LINKS",
    "PairSampler",
    "ScoredPairs",
    "check_size",
    "draw_numbers",
    "sample_nodes",
    "sample_size",
    "strongest_pairs",
    "unordered_pairs",
]  # fmt: skip


MOST_LINKS = 20_000_000
"""The largest number of links that a rule makes."""
_SLACK = 0.01  # of MOST random numbers, the share below s + 0.01 is never less than s


@dataclass(frozen=True, eq=False)
class ScoredPairs:
    """Pairs of positions, in order, and the strength of each pair."""

    first: Ints
    second: Ints
    strength: Floats

    def __len__(self) -> int:
        return len(self.first)

    def only(self, which: Ints | Bools) -> "ScoredPairs":
        """Return some of the pairs."""
        return ScoredPairs(self.first[which], self.second[which], self.strength[which])


class PairSampler:
    """Collect pairs from a search that finds them piece by piece.

    A sample is drawn from all pairs: each pair gets a random number, and those with the smallest numbers are kept. Of
    these the strongest are kept, up to the limit. The order of the pairs must depend only on the network. With
    ``every``, sample and limit are ignored.

    Examples
    --------
    >>> sampler = PairSampler(Rule.parse("must A-X->A; limit 2"))
    >>> sampler.add(np.array([0, 1, 2]), np.array([3, 2, 3]), np.array([1.0, 5.0, 1.0]))
    >>> sampler.pairs().first.tolist()
    [0, 1]
    """

    def __init__(self, rule: Rule, *, every: bool = False) -> None:
        self._rule, self._rng = rule, np.random.default_rng(rule.seed)
        self._sample, self._limit = (None, None) if every else (rule.sample, rule.limit)
        self._parts: list[ScoredPairs] = []
        self._chances: list[Floats] = []
        self._kept = self._found = 0
        counts = [count for count in (self._limit, self._sample) if count is not None]
        wanted = max(counts) if counts and min(counts) >= 1 else MOST_LINKS
        self._room = min(MOST_LINKS, int(wanted) + MOST_LINKS // 8)  # beyond it, what is not wanted goes

    def add(self, first: Ints, second: Ints, strength: Floats) -> None:
        """Add pairs."""
        if not len(first):
            return
        self._parts.append(ScoredPairs(first, second, strength))
        self._chances.append(self._rng.random(len(first)) if self._sample is not None else np.empty(0))
        self._kept += len(first)
        self._found += len(first)
        if self._kept > self._room:
            self._thin(last=False)
            check_size(self._rule, self._kept)

    def pairs(self) -> ScoredPairs:
        """Return the pairs that the rule asks for, in order of position."""
        if not self._parts:
            return ScoredPairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
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
            pairs = strongest_pairs(pairs, limit)
        self._parts, self._chances, self._kept = [pairs], [chance], len(pairs)


def strongest_pairs(pairs: ScoredPairs, limit: int | None) -> ScoredPairs:
    """Return the strongest pairs, up to the limit, in order of position."""
    if limit is not None and len(pairs) > limit:
        pairs = pairs.only(np.lexsort((pairs.second, pairs.first, -pairs.strength))[:limit])
    return pairs.only(np.lexsort((pairs.second, pairs.first)))


def unordered_pairs(pairs: ScoredPairs, *, mutual: bool = False) -> ScoredPairs:
    """Return every unordered pair once, with the larger strength of both directions.

    With ``mutual``, keep only the pairs that occur in both directions, with the smaller strength.
    """
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    order = np.lexsort((high, low))
    low, high, strength = low[order], high[order], pairs.strength[order]
    new = np.ones(len(low), dtype=np.bool_)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    starts = np.flatnonzero(new)
    if not len(starts):
        return ScoredPairs(low, high, strength)
    low_once, high_once = low[starts], high[starts]
    if not mutual:
        return ScoredPairs(low_once, high_once, np.maximum.reduceat(strength, starts))
    both = ScoredPairs(low_once, high_once, np.minimum.reduceat(strength, starts))
    return both.only(np.diff(starts, append=len(low)) == 2)


def sample_size(rule: Rule, total: int) -> int:
    """Return the size of a rule's sample out of a total.

    >>> sample_size(Rule.parse("must same A.b; sample 0.1"), 11), sample_size(Rule.parse("must same A.b"), 11)
    (2, 11)
    """
    if rule.sample is None:
        return total
    return min(total, int(rule.sample) if rule.sample >= 1 else math.ceil(rule.sample * total))


def sample_nodes(rule: Rule, places: Ints, rng: np.random.Generator | None = None) -> Ints:
    """Return the nodes that a rule's sample draws, in order; all of them if the rule has no sample."""
    size = sample_size(rule, len(places))
    if size == len(places):
        return places
    return np.sort((rng or np.random.default_rng(rule.seed)).choice(places, size, replace=False))


def check_size(rule: Rule, n: int) -> None:
    """Refuse a rule that makes too many links."""
    if n > MOST_LINKS:
        raise ParameterError(
            f"the rule '{rule.name}' makes more than {MOST_LINKS:,} links; make its test stricter, or say how many "
            "with limit or sample"
        )


def draw_numbers(rng: np.random.Generator, total: int, count: int) -> Ints:
    """Draw distinct whole numbers below a total, sorted, without creating all of them.

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


def _joined(parts: list[ScoredPairs]) -> ScoredPairs:
    return ScoredPairs(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("first", "second", "strength"))
    )
