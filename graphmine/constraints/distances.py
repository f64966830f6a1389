"""Links between nodes whose numbers are near each other, or far apart.

If nodes are sorted by their numbers, the partners of each node are a contiguous range. So pairs can be counted,
numbered, sampled and ranked without creating all of them.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphmine.arrays import Bools, Floats, Ints
from graphmine.constraints.pair_sampling import ScoredPairs, check_size, draw_numbers, sample_size, strongest_pairs
from graphmine.constraints.rule_context import (
    RuleContext,
    RuleResult,
    group_positions,
    group_units,
    links_of_rule,
    type_name,
)
from graphmine.constraints.rule_types import Distance
from graphmine.model import Constraints, Links
from graphmine.model.naming import written_number

__all__ = ["distance_links"]


def distance_links(context: RuleContext, body: Distance) -> RuleResult:
    """Link nodes whose values of a property differ by at most, or by at least, a given distance."""
    places, values = context.values(body.kind, body.property)
    if not len(places):
        return RuleResult(why=context.missing(body.kind, body.property))
    if type_name(values) != "numbers":
        raise context.refuse(body.kind, body.property, values, "numbers")
    numbers = np.asarray(values.cast(pa.float64(), safe=False))
    order = np.argsort(numbers, kind="stable")
    sorted_ = _SortedNumbers(numbers[order])
    if context.rule.limit is not None or context.rule.sample is not None:
        links = _links_of_pairs(context, body, sorted_, places[order])
    else:
        links = _links_of_groups(context, body, sorted_, places[order])
    return RuleResult(Constraints({body.kind: links}), _reason(body, numbers[order]))


def _reason(body: Distance, numbers: Floats) -> str:
    if len(numbers) < 2:
        return "only one node has a value"
    gaps = np.diff(numbers)
    if body.operator == "<=":
        return f"the smallest distance is {written_number(gaps.min())}"
    return f"the largest distance is {written_number(numbers[-1] - numbers[0])}"


@dataclass(frozen=True, eq=False)
class _PartnerRanges:
    """For each number, the range of later numbers that are its partners; pairs are numbered in this order."""

    begin: Ints
    end: Ints

    @property
    def total(self) -> int:
        return int(np.maximum(self.end - self.begin, 0).sum())

    def pairs(self, numbers: Ints | None = None) -> tuple[Ints, Ints]:
        """Return the pairs with the given numbers, all pairs by default."""
        counts = np.maximum(self.end - self.begin, 0)
        ends = np.cumsum(counts)
        numbers = np.arange(self.total) if numbers is None else numbers
        first = np.searchsorted(ends, numbers, side="right")
        return first, self.begin[first] + numbers - (ends - counts)[first]


@dataclass(frozen=True, eq=False)
class _SortedNumbers:
    """Sorted numbers."""

    numbers: Floats

    def spans(self, operator: str, value: float, *, itself: bool = False) -> _PartnerRanges:
        """Return the later numbers, or with ``itself`` also the same ones, at a distance <, <=, =, >= or > a value."""
        own = np.arange(len(self.numbers)) + (not itself)
        near = self._reach(value, strict=operator != ">") if operator in ("=", ">=", ">") else own
        far = self._reach(value, strict=operator == "<") if operator in ("<", "<=", "=") else None
        return _PartnerRanges(np.maximum(near, own), np.full(len(own), len(own)) if far is None else far)

    def _reach(self, value: float, *, strict: bool) -> Ints:
        """Return the position of the first number farther from each one than a value, or at least as far (strict)."""
        distinct, first, back = np.unique(self.numbers, return_index=True, return_inverse=True)
        at = np.searchsorted(distinct, distinct + value, side="left" if strict else "right")
        # The rounded difference decides, and the position by the rounded sum may be off by one.
        while np.any(short := (at < len(distinct)) & ~self._beyond(distinct, at, value, strict=strict)):
            at = at + short
        while np.any(long := (at > 0) & self._beyond(distinct, at - 1, value, strict=strict)):
            at = at - long
        return np.append(first, len(self.numbers))[at][back]

    @staticmethod
    def _beyond(distinct: Floats, at: Ints, value: float, *, strict: bool) -> Bools:
        gap = distinct[np.clip(at, 0, len(distinct) - 1)] - distinct
        return gap >= value if strict else gap > value


def _links_of_groups(context: RuleContext, body: Distance, sorted_: _SortedNumbers, places: Ints) -> Links:
    """Link groups of nodes that have the same number."""
    distinct, codes = np.unique(sorted_.numbers, return_inverse=True)
    groups = group_positions(places, codes)
    spans = _SortedNumbers(distinct).spans(body.operator, body.value, itself=True)
    check_size(context.rule, spans.total)
    first, second = spans.pairs()
    kept = (first != second) | (groups.sizes[first] > 1)
    units = group_units(groups)
    return links_of_rule(context.rule, units[first[kept]], units[second[kept]], groups=groups)


def _links_of_pairs(context: RuleContext, body: Distance, sorted_: _SortedNumbers, places: Ints) -> Links:
    """Link single nodes: a sample of all pairs, or the strongest ones."""
    spans = sorted_.spans(body.operator, body.value)
    if context.rule.sample is not None:
        size = sample_size(context.rule, spans.total)
        check_size(context.rule, size)
        first, second = spans.pairs(draw_numbers(np.random.default_rng(context.rule.seed), spans.total, size))
    else:
        first, second = _strongest(sorted_, body, spans, context.rule.limit or 0)
    gap = sorted_.numbers[second] - sorted_.numbers[first]
    one, other = places[first], places[second]
    found = ScoredPairs(np.minimum(one, other), np.maximum(one, other), -gap if body.operator == "<=" else gap)
    pairs = strongest_pairs(found, context.rule.limit)
    return links_of_rule(context.rule, pairs.first, pairs.second)


def _strongest(sorted_: _SortedNumbers, body: Distance, spans: _PartnerRanges, limit: int) -> tuple[Ints, Ints]:
    """Return the nearest, or the farthest, pairs: all beyond a threshold, and the first of those exactly at it."""
    if spans.total <= limit:
        return spans.pairs()
    nearest = body.operator == "<="
    # Non-negative floats are in the same order as their bits, so a bisection over bits finds the threshold.
    low, high = (0.0, body.value) if nearest else (body.value, float(np.ptp(sorted_.numbers)))
    few, many = (_bits(low) - 1, _bits(high)) if nearest else (_bits(high) + 1, _bits(low))
    while abs(many - few) > 1:
        middle = (few + many) // 2
        if sorted_.spans(body.operator, _number(middle)).total >= limit:
            many = middle
        else:
            few = middle
    sure = sorted_.spans(body.operator[0], _number(many))
    ties = sorted_.spans("=", _number(many)).pairs(np.arange(limit - sure.total))
    first, second = (np.concatenate(both) for both in zip(sure.pairs(), ties, strict=True))
    return first, second


def _bits(number: float) -> int:
    return int(np.float64(number).view(np.int64))


def _number(bits: int) -> float:
    return float(np.int64(bits).view(np.float64))
