"""Links between nodes whose numbers are near each other, or far apart.

In order of their numbers, the partners of each node stand next to one another, so that pairs can be counted, numbered,
drawn and ranked without being made.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphmine.arrays import Bools, Floats, Ints
from graphmine.constraints.pair_sampling import Pairs, check_size, draw_numbers, sample_size, strongest
from graphmine.constraints.rule_context import Asked, Made, group_places, linked, sort_of, units_of
from graphmine.constraints.rule_types import Distance
from graphmine.model import Constraints, Links
from graphmine.model.naming import written_number

__all__ = ["distance_links"]


def distance_links(asked: Asked, body: Distance) -> Made:
    """Link nodes whose numbers in a property are at most so far apart, or at least."""
    places, values = asked.values(body.kind, body.property)
    if not len(places):
        return Made(why=asked.missing(body.kind, body.property))
    if sort_of(values) != "numbers":
        raise asked.refuse(body.kind, body.property, values, "numbers")
    numbers = np.asarray(values.cast(pa.float64(), safe=False))
    order = np.argsort(numbers, kind="stable")
    sorted_ = _Sorted(numbers[order])
    some = asked.rule.limit is not None or asked.rule.sample is not None
    links = (_some if some else _all)(asked, body, sorted_, places[order])
    return Made(Constraints({body.kind: links}), _why(body, numbers[order]))


def _why(body: Distance, numbers: Floats) -> str:
    if len(numbers) < 2:
        return "only one node has a value"
    gaps = np.diff(numbers)
    if body.operator == "<=":
        return f"the smallest distance is {written_number(gaps.min())}"
    return f"the largest distance is {written_number(numbers[-1] - numbers[0])}"


@dataclass(frozen=True, eq=False)
class _Spans:
    """For each number, which later ones are its partners: from where to where. Their pairs are numbered in order."""

    begin: Ints
    end: Ints

    @property
    def total(self) -> int:
        return int(np.maximum(self.end - self.begin, 0).sum())

    def pairs(self, numbers: Ints | None = None) -> tuple[Ints, Ints]:
        """Return the pairs with these numbers, all of them if none are given."""
        counts = np.maximum(self.end - self.begin, 0)
        ends = np.cumsum(counts)
        numbers = np.arange(self.total) if numbers is None else numbers
        first = np.searchsorted(ends, numbers, side="right")
        return first, self.begin[first] + numbers - (ends - counts)[first]


@dataclass(frozen=True, eq=False)
class _Sorted:
    """Numbers in order."""

    numbers: Floats

    def spans(self, operator: str, value: float, *, itself: bool = False) -> _Spans:
        """Return which later numbers, or this very one too, are so far away: <, <=, =, >= or > a value."""
        own = np.arange(len(self.numbers)) + (not itself)
        near = self._reach(value, strict=operator != ">") if operator in ("=", ">=", ">") else own
        far = self._reach(value, strict=operator == "<") if operator in ("<", "<=", "=") else None
        return _Spans(np.maximum(near, own), np.full(len(own), len(own)) if far is None else far)

    def _reach(self, value: float, *, strict: bool) -> Ints:
        """Return where, after each number, the first one stands that is farther than a value, or as far (strict)."""
        distinct, first, back = np.unique(self.numbers, return_index=True, return_inverse=True)
        at = np.searchsorted(distinct, distinct + value, side="left" if strict else "right")
        # What counts is the rounded difference, and the rounded sum may miss it by a place.
        while np.any(short := (at < len(distinct)) & ~self._beyond(distinct, at, value, strict=strict)):
            at = at + short
        while np.any(long := (at > 0) & self._beyond(distinct, at - 1, value, strict=strict)):
            at = at - long
        return np.append(first, len(self.numbers))[at][back]

    @staticmethod
    def _beyond(distinct: Floats, at: Ints, value: float, *, strict: bool) -> Bools:
        gap = distinct[np.clip(at, 0, len(distinct) - 1)] - distinct
        return gap >= value if strict else gap > value


def _all(asked: Asked, body: Distance, sorted_: _Sorted, places: Ints) -> Links:
    """Link the groups of nodes that have the same number."""
    distinct, codes = np.unique(sorted_.numbers, return_inverse=True)
    groups = group_places(places, codes)
    spans = _Sorted(distinct).spans(body.operator, body.value, itself=True)
    check_size(asked.rule, spans.total)
    first, second = spans.pairs()
    kept = (first != second) | (groups.sizes[first] > 1)
    units = units_of(groups)
    return linked(asked.rule, units[first[kept]], units[second[kept]], groups=groups)


def _some(asked: Asked, body: Distance, sorted_: _Sorted, places: Ints) -> Links:
    """Link single nodes: a sample of all pairs, or the strongest."""
    spans = sorted_.spans(body.operator, body.value)
    if asked.rule.sample is not None:
        size = sample_size(asked.rule, spans.total)
        check_size(asked.rule, size)
        first, second = spans.pairs(draw_numbers(np.random.default_rng(asked.rule.seed), spans.total, size))
    else:
        first, second = _strongest(sorted_, body, spans, asked.rule.limit or 0)
    gap = sorted_.numbers[second] - sorted_.numbers[first]
    one, other = places[first], places[second]
    found = Pairs(np.minimum(one, other), np.maximum(one, other), -gap if body.operator == "<=" else gap)
    pairs = strongest(found, asked.rule.limit)
    return linked(asked.rule, pairs.first, pairs.second)


def _strongest(sorted_: _Sorted, body: Distance, spans: _Spans, limit: int) -> tuple[Ints, Ints]:
    """Return the nearest pairs, or the farthest: all beyond a certain distance, and the first of those at it."""
    if spans.total <= limit:
        return spans.pairs()
    nearest = body.operator == "<="
    # Distances are not negative, and such numbers are in the same order as their bits.
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
