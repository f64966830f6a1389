"""Which of many texts are within a few edits of one another, and which are far apart.

Of two texts within d edits, cut the one into d + 1 pieces: an edit spoils one piece at most, so at least one of them
stands in the other text unchanged, at nearly the same place. Texts of one length are compared at a time, piece by
piece, through numbers that stand for the pieces; only texts that have a piece in common, and nearly the same letters,
are then measured.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from graphmine.arrays import Ints

__all__ = ["edits", "far_texts", "near_texts"]

_TextPairs = tuple[Ints, Ints, Ints]

_ROOM = 4_000_000  # so many distances are held at a time
_MEETING = 4  # a meeting of two texts in a piece costs so many times what measuring all with all does a pair
_COLUMN = 4  # and so does reading one character of all texts of a length
_FACTORS = np.random.default_rng(7).integers(2**63, size=64, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


def edits(left: Sequence[str], right: Sequence[str]) -> Ints:
    """Return how many characters must be put in, taken out or changed between texts, pair by pair.

    >>> edits(["Meyer", "Meyer"], ["Mayer", "Meyers"]).tolist()
    [1, 1]
    """
    return np.asarray(process.cpdist(left, right, scorer=Levenshtein.distance, dtype=np.int64))


def near_texts(left: Sequence[str], right: Sequence[str] | None, most: int) -> Iterator[_TextPairs]:
    """Yield the pairs of texts that are at most ``most`` edits apart, with their distances.

    Parameters
    ----------
    left, right
        Different texts each. Without the second, those of the first are compared with one another, each two once, the
        one that stands first on the left.

    Examples
    --------
    >>> [found.tolist() for found in next(near_texts(["Meyer", "Bauer", "Mayer"], None, 1))]
    [[0], [2], [1]]
    """
    ours = _by_length(left)
    theirs = ours if right is None else _by_length(right)
    for length, one in ours.items():
        for other_length in sorted(theirs):
            if abs(other_length - length) > most or (right is None and other_length < length):
                continue
            first, second, distance = _near_pairs(one, theirs[other_length], most)
            first, second = one.at[first], theirs[other_length].at[second]
            if right is None:
                once = first < second if length == other_length else np.ones(len(first), dtype=np.bool_)
                first, second = np.minimum(first, second)[once], np.maximum(first, second)[once]
                distance = distance[once]
            yield first, second, distance


def far_texts(left: Sequence[str], right: Sequence[str] | None, least: int) -> Iterator[_TextPairs]:
    """Yield the pairs of texts that are at least ``least`` edits apart, as `near_texts` does; measures all pairs."""
    theirs = left if right is None else right
    rows = max(1, _ROOM // max(1, len(theirs)))
    for start in range(0, len(left), rows):
        table = process.cdist(left[start : start + rows], theirs, scorer=Levenshtein.distance, dtype=np.int32)
        first, second = np.nonzero(table >= least)
        distance = table[first, second].astype(np.int64)
        first = first + start
        once = first < second if right is None else np.ones(len(first), dtype=np.bool_)
        yield first[once], second[once], distance[once]


class _Texts:
    """Texts of one length: where they stand, and their characters as a table of numbers."""

    def __init__(self, length: int, at: Ints, texts: list[str]) -> None:
        self.length, self.at, self.texts = length, at, texts
        characters = np.array(texts, dtype=f"U{max(1, length)}").view(np.uint32)
        self._characters = characters.reshape(len(texts), max(1, length))
        bits = np.uint64(1) << (self._characters % np.uint32(64)).astype(np.uint64)
        self.letters = np.bitwise_or.reduce(bits, axis=1)

    def pieces(self, start: int, width: int) -> NDArray[np.uint64]:
        """Return a number for a piece of each text; other pieces may have the same one, though that is rare."""
        numbers = np.zeros(len(self.texts), dtype=np.uint64)
        for place in range(width):
            numbers = (numbers + self._characters[:, start + place]) * _FACTORS[place % len(_FACTORS)]
            numbers ^= numbers >> np.uint64(29)
        return numbers


def _by_length(texts: Sequence[str]) -> dict[int, _Texts]:
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    groups = {length: np.flatnonzero(lengths == length) for length in np.unique(lengths).tolist()}
    return {length: _Texts(length, at, [texts[i] for i in at.tolist()]) for length, at in groups.items()}


def _near_pairs(one: _Texts, other: _Texts, most: int) -> _TextPairs:
    """Compare texts of one length with texts of one length; positions are among these."""
    joins = _cheap_joins(one, other, most) if one.length > most else None
    if joins is None:
        return _measured_all(one, other, most)
    met = [_confirmed(one, other, *pairs, most) for join in joins for pairs in join.pairs()]
    first, second = np.divmod(np.unique(np.concatenate([np.empty(0, dtype=np.int64), *met])), len(other.texts))
    return _measured(one, other, first, second, most)


def _cheap_joins(one: _Texts, other: _Texts, most: int) -> "list[_Join] | None":
    """Return the ways in which texts can have a piece in common; None as soon as measuring all of them costs less."""
    cost, room = _COLUMN * one.length * (1 + len(_shifts(one, other, most))), len(one.texts) * len(other.texts)
    if cost > room:
        return None
    joins: list[_Join] = []
    for join in _joins(one, other, most):
        joins.append(join)
        cost += _MEETING * int(join.counts.sum())
        if cost > room:
            return None
    return joins


def _shifts(one: _Texts, other: _Texts, most: int) -> list[int]:
    """Return by how much a piece can move: by the characters put in before it, and those after make up the length."""
    longer = other.length - one.length
    return [shift for shift in range(-most, most + 1) if abs(shift) + abs(longer - shift) <= most]


def _joins(one: _Texts, other: _Texts, most: int) -> Iterator["_Join"]:
    cuts = [number * one.length // (most + 1) for number in range(most + 2)]
    shifts = _shifts(one, other, most)
    for start, end in pairwise(cuts):
        ours = one.pieces(start, end - start)
        order = np.argsort(ours, kind="stable")
        for place in (start + shift for shift in shifts):
            if 0 <= place <= other.length - (end - start):
                yield _Join.of(ours[order], order, other.pieces(place, end - start))


@dataclass(frozen=True, eq=False)
class _Join:
    """For each text on the right, which of those on the left, in an order of theirs, have the same piece."""

    order: Ints
    low: Ints
    counts: Ints

    @classmethod
    def of(cls, ours: NDArray[np.uint64], order: Ints, theirs: NDArray[np.uint64]) -> "_Join":
        low = np.searchsorted(ours, theirs, side="left")
        return cls(order, low, np.searchsorted(ours, theirs, side="right") - low)

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Give the pairs, so many at a time."""
        ends = np.cumsum(self.counts)
        for start in range(0, int(ends[-1]), _ROOM):
            numbers = np.arange(start, min(start + _ROOM, int(ends[-1])))
            right = np.searchsorted(ends, numbers, side="right")
            yield self.order[self.low[right] + numbers - (ends - self.counts)[right]], right


def _confirmed(one: _Texts, other: _Texts, first: Ints, second: Ints, most: int) -> Ints:
    """Return the pairs whose letters may be brought together by so few edits, each as one number.

    An edit takes at most one letter away and brings at most one in.
    """
    near = np.bitwise_count(one.letters[first] ^ other.letters[second]) <= 2 * most
    numbers: Ints = first[near] * len(other.texts) + second[near]
    return numbers


def _measured(one: _Texts, other: _Texts, first: Ints, second: Ints, most: int) -> _TextPairs:
    parts = [slice(start, start + _ROOM) for start in range(0, len(first), _ROOM)]
    distance = np.concatenate([
        np.empty(0, dtype=np.int64),
        *(
            edits([one.texts[i] for i in first[part].tolist()], [other.texts[i] for i in second[part].tolist()])
            for part in parts
        ),
    ])
    near = distance <= most
    return first[near], second[near], distance[near]


def _measured_all(one: _Texts, other: _Texts, most: int) -> _TextPairs:
    rows = max(1, _ROOM // max(1, len(other.texts)))
    found = []
    for start in range(0, len(one.texts), rows):
        part = one.texts[start : start + rows]
        table = process.cdist(
            part, other.texts, scorer=Levenshtein.distance, score_cutoff=most, dtype=np.int32, workers=-1
        )
        first, second = np.nonzero(table <= most)
        found.append((first + start, second, table[first, second].astype(np.int64)))
    first, second, distance = (np.concatenate(column) for column in zip(*found, strict=True))
    return first, second, distance
