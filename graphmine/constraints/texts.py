"""Links between nodes whose texts are alike, or unlike, in edits."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Floats, Ints
from graphmine.constraints.edits import edits, far_texts, near_texts
from graphmine.constraints.pair_sampling import (
    MOST_LINKS,
    PairSampler,
    ScoredPairs,
    check_size,
    draw_numbers,
    sample_size,
    strongest_pairs,
    unordered_pairs,
)
from graphmine.constraints.rule_context import (
    RuleContext,
    RuleResult,
    group_positions,
    group_units,
    links_across,
    links_of_rule,
    type_name,
)
from graphmine.constraints.rule_types import Text
from graphmine.model import Constraints, Groups, Links

__all__ = ["text_links"]

_ROOM = 4_000_000  # so many pairs of nodes are made, or measured, at a time


@dataclass(frozen=True, eq=False)
class _Texts:
    """The different texts of a property, in order, and which nodes have each."""

    kind: str
    texts: list[str]
    groups: Groups

    @property
    def places(self) -> Ints:
        return self.groups.members

    def text_of(self, members: Ints) -> list[str]:
        """Return the texts of nodes, given by where they stand among the members."""
        codes = np.repeat(np.arange(len(self.groups)), self.groups.sizes)[members]
        return [self.texts[code] for code in codes.tolist()]


def text_links(context: RuleContext, body: Text) -> RuleResult:
    """Link nodes whose texts are at most so many edits apart, or at least."""
    names = ((body.kind, body.property), body.other or (body.kind, body.property))
    left = _text_property(context, *names[0])
    right = None if names[0] == names[1] else _text_property(context, *names[1])
    for side, name in zip((left, right), names, strict=True):
        if side is not None and not side.texts:
            return RuleResult(why=context.missing(*name))
    notes: tuple[str, ...] = ()
    if _too_many_to_measure(context, body, left, right):
        links, notes = _links_by_sampling(context, body, left, right)
    elif context.rule.limit is None and context.rule.sample is None and (right is None or right.kind != left.kind):
        links = _links_of_groups(context, body, left, right)
    else:
        links = _links_of_nodes(context, body, left, right)
    why = "" if len(links) else _reason(body, left, right)
    if right is not None and right.kind != left.kind:
        return RuleResult(links_across(context, (left.kind, right.kind), links), why, notes)
    return RuleResult(Constraints({body.kind: links}), why, notes)


def _text_property(context: RuleContext, kind: str, property_: str) -> _Texts:
    places, values = context.values(kind, property_)
    if len(places) and type_name(values) != "text":
        raise context.refuse(kind, property_, values, "text")
    values = values.cast(pa.string())
    distinct = pc.unique(values)
    distinct = distinct.take(pc.sort_indices(distinct))
    codes = np.asarray(pc.index_in(values, value_set=distinct), dtype=np.int64)
    return _Texts(kind, distinct.to_pylist(), group_positions(places, codes))


def _too_many_to_measure(context: RuleContext, body: Text, left: _Texts, right: _Texts | None) -> bool:
    """Whether nearly all of very many pairs will do, and only some of them are wanted."""
    total = len(left.places) * len((right or left).places)
    return body.operator == ">=" and context.rule.sample is not None and total > MOST_LINKS


def _matches(body: Text, left: _Texts, right: _Texts | None) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Give the different texts that pass the test, as numbers; of one property each two of them once."""
    search = near_texts if body.operator == "<=" else far_texts
    if right is None and (body.operator == "<=" or body.value == 0):
        several = np.flatnonzero(left.groups.sizes > 1)
        yield several, several, np.zeros(len(several), dtype=np.int64)
    yield from search(left.texts, None if right is None else right.texts, body.value)


def _strength(body: Text, distance: Ints) -> Floats:
    return (-distance if body.operator == "<=" else distance).astype(np.float64)


def _links_of_groups(context: RuleContext, body: Text, left: _Texts, right: _Texts | None) -> Links:
    """Link the groups of nodes that have the same text."""
    sampler = PairSampler(context.rule)
    for first, second, distance in _matches(body, left, right):
        sampler.add(first, second, _strength(body, distance))
    pairs = sampler.pairs()
    ours, theirs = group_units(left.groups), group_units((right or left).groups)
    others = None if right is None else right.groups
    return links_of_rule(context.rule, ours[pairs.first], theirs[pairs.second], groups=left.groups, others=others)


def _links_of_nodes(context: RuleContext, body: Text, left: _Texts, right: _Texts | None) -> Links:
    """Link single nodes, so that some of the links can be chosen."""
    within = right is None or right.kind == left.kind
    # Of two properties, two nodes may be found twice, and have to be counted once before some are chosen.
    sampler = PairSampler(context.rule, every=within and right is not None)
    for first, second, distance in _matches(body, left, right):
        for one, other, number in _nodes(left.groups, (right or left).groups, first, second, itself=right is None):
            pairs = ScoredPairs(one, other, _strength(body, distance)[number])
            pairs = unordered_pairs(pairs.only(one != other)) if within else pairs
            sampler.add(pairs.first, pairs.second, pairs.strength)
    if within and right is not None:
        once = unordered_pairs(sampler.pairs())
        sampler = PairSampler(context.rule)
        sampler.add(once.first, once.second, once.strength)
    return _links_of_pairs(context, sampler.pairs(), within=within)


def _links_of_pairs(context: RuleContext, pairs: ScoredPairs, *, within: bool) -> Links:
    return links_of_rule(context.rule, pairs.first, pairs.second, others=None if within else Groups())


def _nodes(
    left: Groups, right: Groups, first: Ints, second: Ints, *, itself: bool
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Give the pairs of nodes of pairs of groups, so many at a time, and of which pair of groups each is."""
    ends = np.cumsum(left.sizes[first] * right.sizes[second])
    total = int(ends[-1]) if len(ends) else 0
    for start in range(0, total, _ROOM):
        numbers = np.arange(start, min(start + _ROOM, total))
        pair = np.searchsorted(ends, numbers, side="right")
        rank = ends[pair] - 1 - numbers
        row, column = np.divmod(rank, right.sizes[second[pair]])
        kept = (row < column) | (first[pair] != second[pair]) if itself else np.ones(len(pair), dtype=np.bool_)
        pair, row, column = pair[kept], row[kept], column[kept]
        yield left.members[left.starts[first[pair]] + row], right.members[right.starts[second[pair]] + column], pair


def _links_by_sampling(
    context: RuleContext, body: Text, left: _Texts, right: _Texts | None
) -> tuple[Links, tuple[str, ...]]:
    """Link pairs drawn at random that pass the test: so many of them, or those among such a share of all pairs."""
    rule, rng, other = context.rule, np.random.default_rng(context.rule.seed), right or left
    assert rule.sample is not None
    total = len(left.places) * len(other.places)
    if rule.sample < 1:
        size = sample_size(rule, total)
        check_size(rule, size)
        numbers = draw_numbers(rng, total, size)
        found = _no_pairs()
        for start in range(0, size, _ROOM):
            found = _distinct_pairs(found, _passing_pairs(body, left, right, numbers[start : start + _ROOM]))
    else:
        found, size, tried = _no_pairs(), int(rule.sample), 0
        while len(found) < size and tried < MOST_LINKS:
            count = min(2 * size + 10_000, _ROOM)
            more = _passing_pairs(body, left, right, rng.integers(total, size=count))
            found, tried = _distinct_pairs(found, more), tried + count
        if len(found) < size:
            note = f"the rule '{rule.name}' found only {len(found)} links among {tried:,} pairs drawn at random"
            return _links_of_pairs(context, strongest_pairs(found, rule.limit), within=other.kind == left.kind), (note,)
        found = found.only(np.sort(rng.choice(len(found), size, replace=False)))
    return _links_of_pairs(context, strongest_pairs(found, rule.limit), within=other.kind == left.kind), ()


def _no_pairs() -> ScoredPairs:
    return ScoredPairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))


def _passing_pairs(body: Text, left: _Texts, right: _Texts | None, numbers: Ints) -> ScoredPairs:
    """Return which pairs of nodes, given by their numbers, pass the test."""
    other = right or left
    row, column = np.divmod(numbers, len(other.places))
    first, second = left.places[row], other.places[column]
    kept = np.ones(len(first), dtype=np.bool_)
    if other.kind == left.kind:
        kept = first < second if right is None else first != second
    distance = edits(left.text_of(row[kept]), other.text_of(column[kept]))
    pairs = ScoredPairs(first[kept], second[kept], _strength(body, distance)).only(distance >= body.value)
    return unordered_pairs(pairs) if other.kind == left.kind else _distinct_pairs(pairs, pairs)


def _distinct_pairs(one: ScoredPairs, other: ScoredPairs) -> ScoredPairs:
    """Return the pairs of both, each once."""
    first, second = np.concatenate([one.first, other.first]), np.concatenate([one.second, other.second])
    _, at = np.unique(first * (second.max(initial=0) + 1) + second, return_index=True)
    return ScoredPairs(first[at], second[at], np.concatenate([one.strength, other.strength])[at])


def _reason(body: Text, left: _Texts, right: _Texts | None) -> str:
    """Say how near the texts come to passing, where that can still be measured."""
    near = body.operator == "<="
    if len(left.texts) * len((right or left).texts) > MOST_LINKS:
        return f"no two texts are {'within' if near else 'as far apart as'} {body.value} edits"
    extremes = [
        int(distance.min() if near else distance.max())
        for _, _, distance in far_texts(left.texts, None if right is None else right.texts, 0)
        if len(distance)
    ]
    if not extremes:
        return "there is only one text"
    return f"the {'smallest' if near else 'largest'} edit distance is {min(extremes) if near else max(extremes)}"
