"""What constraints say before any fit: how much, of whom, and how far it agrees with what else is known."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphmine.arrays import Ints
from graphmine.checks import check_integer
from graphmine.constraints.pair_counts import RuleLinks, count_link_pairs, link_ends, links_by_kinds, links_by_rule
from graphmine.constraints.preview_measures import (
    UnitRows,
    contradicted_soft_links,
    mean_similarity,
    must_link_sets,
    unit_rows,
)
from graphmine.errors import DataError
from graphmine.model import UNRANKED, Constraints, Star
from graphmine.model.values import is_missing

__all__ = ["Effect", "Preview", "TiedNodes", "numbered_classes", "preview"]


_LARGEST, _KEYS, _SAMPLE = 5, 3, 10_000


@dataclass(frozen=True)
class Effect:
    """What one rule makes within one kind or across two, with one sense and hardness.

    Parameters
    ----------
    rule, kinds, must, hard
        As in `Met`.
    links, pairs, groups
        How many links there are, for how many pairs of nodes they stand, and how many groups they use.
    covered, nodes
        For each of the kinds, how many nodes the links name, and how many there are.
    largest
        The sizes of the largest sets of nodes that its must-links tie together if they are followed to the end.
    most_tied
        For each of the kinds, how many of its nodes are in one such set at most.
    truth, chance
        The share of pairs that known classes agree with (equal for must, different for cannot), and the same share over
        all pairs of nodes; None where too little is known.
    alike, random
        How alike linked nodes' rows of the relation are, and how alike nodes are that chance brings together; see
        `mean_similarity`.
    """

    rule: str
    kinds: tuple[str, ...]
    must: bool
    hard: bool
    links: int
    pairs: int
    groups: int
    covered: tuple[int, ...]
    nodes: tuple[int, ...]
    largest: tuple[int, ...] = ()
    most_tied: tuple[int, ...] = ()
    truth: float | None = None
    chance: float | None = None
    alike: float | None = None
    random: float | None = None

    @property
    def shares(self) -> tuple[float, ...]:
        """What part of each kind the links name."""
        return tuple(covered / nodes if nodes else 0.0 for covered, nodes in zip(self.covered, self.nodes, strict=True))


@dataclass(frozen=True)
class TiedNodes:
    """Nodes that hard must-links tie together: how many they are, and the kinds and keys of the first."""

    size: int
    some: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True)
class Preview:
    """What constraints say before any fit.

    Parameters
    ----------
    effects
        What each rule makes.
    nodes, covered
        For each kind how many nodes there are, and how many of them any link names.
    ranked
        For each kind that has an order, how many nodes are in it.
    groups, largest
        How many sets hard must-links tie together, over all kinds, and the largest of them.
    vain
        How many soft cannot-links wish apart what hard must-links tie together.
    warnings
        What one should know before trusting a rule, a sentence each.
    """

    effects: tuple[Effect, ...]
    nodes: Mapping[str, int]
    covered: Mapping[str, int]
    ranked: Mapping[str, int] = field(default_factory=dict)
    groups: int = 0
    largest: tuple[TiedNodes, ...] = ()
    vain: int = 0
    warnings: tuple[str, ...] = ()


def preview(
    constraints: Constraints, star: Star, *, truth: Mapping[str, Sequence[object]] | None = None, seed: int = 0
) -> Preview:
    """Say what constraints make of a star's nodes; nothing costs more than O(members of groups + links + nonzeros).

    Parameters
    ----------
    truth
        For some kinds the known class of every node, None where it is not known.
    seed
        For the 10,000 pairs of a rule that are looked at to see whether linked nodes are alike, where it has more.

    Examples
    --------
    >>> from graphmine.gallery import islands
    >>> from graphmine.model import Links
    >>> star, truth = islands()
    >>> friends = Constraints({"Author": Links.of_pairs([[0, 1], [1, 6], [6, 7]], rule=0)}, rules=("friends",))
    >>> found = preview(friends, star, truth={"Author": truth["Author"].tolist()})
    >>> effect, = found.effects
    >>> effect.pairs, effect.covered, effect.largest, round(effect.truth, 2), round(effect.chance, 2)
    (3, (4,), (4,), 0.67, 0.31)
    """
    check_integer("seed", seed, least=0)
    counts = {nodes.kind: len(nodes) for nodes in star.kinds}
    classes = numbered_classes(truth or {}, counts)
    parts = list(links_by_rule(constraints))
    covered = {kind: np.zeros(count, dtype=np.bool_) for kind, count in counts.items()}
    for part in parts:
        for kind, positions in _touched(part, counts):
            covered[kind][positions] = True
    rows = {kind: unit_rows(star, kind) for kind in {kind for part in parts for kind in part.kinds}}
    effects = tuple(_effect(part, star, counts, classes, rows, seed) for part in parts)
    sets = must_link_sets(
        [(kinds, links.only(links.hard & links.must)) for kinds, links in links_by_kinds(constraints)], counts
    )
    groups, largest = _hard_groups(sets, star)
    doubts = [sentence for effect in effects for sentence in _doubts(effect)]
    return Preview(
        effects,
        counts,
        {kind: int(np.count_nonzero(each)) for kind, each in covered.items()},
        {kind: int(np.count_nonzero(ranks != UNRANKED)) for kind, ranks in constraints.order.items()},
        groups,
        largest,
        contradicted_soft_links(constraints),
        (*doubts, *_together(sets, effects)),
    )


def _effect(
    part: RuleLinks, star: Star, counts: Mapping[str, int], classes: Mapping[str, Ints], rows: UnitRows, seed: int
) -> Effect:
    links, kinds = part.links, part.kinds
    covered = {kind: int(np.count_nonzero(np.bincount(positions))) for kind, positions in _touched(part, counts)}
    sets = must_link_sets([(kinds, links)], {kind: counts[kind] for kind in kinds}) if part.must else {}
    agreed, chance = _agreement(part, classes)
    alike, random = mean_similarity(star, rows, kinds, links, _SAMPLE, seed)
    return Effect(
        part.rule, kinds, part.must, part.hard, len(links), int(links.n_pairs.sum()), _groups(part),
        tuple(covered[kind] for kind in kinds), tuple(counts[kind] for kind in kinds),
        tuple(_sizes(np.concatenate(list(sets.values())))[:_LARGEST].tolist()) if sets else (),
        tuple(int(_sizes(each).max(initial=0)) for each in sets.values()),
        agreed, chance, alike, random,
    )  # fmt: skip


def _touched(part: RuleLinks, counts: Mapping[str, int]) -> Iterator[tuple[str, Ints]]:
    """Yield the positions that links name: of each kind once."""
    left, right = (side.positions for side in link_ends(part.links, part.kinds, counts))
    if len(part.kinds) == 1:
        yield part.kinds[0], np.concatenate([left, right])
    else:
        yield from zip(part.kinds, (left, right), strict=True)


def _groups(part: RuleLinks) -> int:
    left, right = (np.unique(units[units < 0]) for units in (part.links.left, part.links.right))
    return len(np.union1d(left, right)) if len(part.kinds) == 1 else len(left) + len(right)


def _sizes(sets: Ints) -> Ints:
    return np.bincount(sets[sets >= 0])


def _agreement(part: RuleLinks, classes: Mapping[str, Ints]) -> tuple[float | None, float | None]:
    """Return how far known classes agree with links, and how far they would with links drawn at random."""
    if any(kind not in classes for kind in part.kinds):
        return None, None
    found = count_link_pairs(part.links, part.kinds, classes)
    known, equal = int(found.known.sum()), int(found.equal.sum())
    first, second = (classes[kind][classes[kind] >= 0] for kind in (part.kinds[0], part.kinds[-1]))
    width = 1 + max(int(each.max(initial=0)) for each in (first, second))
    same = int(np.bincount(first, minlength=width) @ np.bincount(second, minlength=width))
    every = len(first) * len(second)
    if len(part.kinds) == 1:
        same, every = same - len(first), every - len(first)
    if not known or not every:
        return None, None
    return (equal / known, same / every) if part.must else (1 - equal / known, 1 - same / every)


def _together(sets: Mapping[str, Ints], effects: Sequence[Effect]) -> Iterator[str]:
    """Yield for which kinds hard rules tie too much together, though none of them does alone."""
    alone = {
        kind
        for effect in effects
        for kind, tied, nodes in zip(effect.kinds, effect.most_tied, effect.nodes, strict=False)
        if effect.hard and 2 * tied >= nodes
    }
    for kind, each in sets.items():
        most = int(_sizes(each).max(initial=0))
        if kind not in alone and most >= 2 and 2 * most >= len(each):
            yield f"hard rules together tie {most} of {len(each)} {kind} nodes into one group; make some of them soft"


def _hard_groups(sets: Mapping[str, Ints], star: Star) -> tuple[int, tuple[TiedNodes, ...]]:
    sizes = _sizes(np.concatenate(list(sets.values())))
    largest = []
    for number, size in enumerate(sizes[:_LARGEST].tolist()):
        members = (
            (kind, star.nodes(kind)[position])
            for kind, each in sets.items()
            for position in np.flatnonzero(each == number)[:_KEYS].tolist()
        )
        largest.append(TiedNodes(size, tuple(list(members)[:_KEYS])))
    return len(sizes), tuple(largest)


def _doubts(effect: Effect) -> Iterator[str]:
    """Yield what should make one doubt a rule that ties nodes together."""
    if not effect.must:
        return
    rule = f"the rule {effect.rule!r}" if effect.rule else "a link of no rule"
    for kind, tied_, nodes in zip(effect.kinds, effect.most_tied, effect.nodes, strict=True):
        if tied_ >= 2 and 2 * tied_ >= nodes:
            group = f"{tied_} of {nodes} {kind} nodes into one group"
            if effect.hard:
                yield f"{rule} ties {group}; narrow it or make it soft"
            else:
                yield f"{rule} would tie {group} if it were hard; narrow it or keep it soft"
    kinds = " and ".join(effect.kinds)
    if effect.truth is not None and effect.chance is not None and effect.truth <= effect.chance < 1:
        yield (
            f"{rule} agrees with the truth on {effect.truth:.1%} of its pairs of {kinds}, "
            f"no more than chance would ({effect.chance:.1%})"
        )
    if effect.alike is not None and effect.random is not None and effect.alike <= effect.random < 1:
        yield (
            f"{rule} links {kinds} nodes that are no more alike in the relation ({effect.alike:.3g}) "
            f"than any two are ({effect.random:.3g})"
        )


def numbered_classes(truth: Mapping[str, Sequence[object]], counts: Mapping[str, int]) -> dict[str, Ints]:
    """Return a number for each class, the same in every kind; -1 where it is not known."""
    numbers: dict[Hashable, int] = {}
    found = {}
    for kind, values in truth.items():
        if kind not in counts or len(values) != counts[kind]:
            of = f"{counts[kind]} nodes" if kind in counts else "no such nodes"
            raise DataError(f"the truth of {kind} has {len(values)} classes, and the star has {of} of that kind")
        try:
            each = [-1 if is_missing(value) else numbers.setdefault(value, len(numbers)) for value in values]
        except TypeError as error:
            raise DataError(f"a true class of {kind} must be one value: a text or a number, not a list") from error
        found[kind] = np.array(each, dtype=np.int64)
    return found
