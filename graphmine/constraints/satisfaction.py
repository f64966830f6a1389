"""How far a clustering meets constraints: counts of met and broken pairs, and the broken pairs themselves.

`met` counts pairs rule by rule, `broken` lists broken pairs, and `broken_counts` counts them per node. None of them
creates all pairs of a group.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Floats, Ints
from graphmine.checks import check_integer
from graphmine.closure.components import expand_ranges
from graphmine.constraints.pair_counts import (
    DistinctUnits,
    class_counts,
    count_link_pairs,
    link_ends,
    links_by_kinds,
    links_by_rule,
)
from graphmine.constraints.trust import check_trust, trust_in
from graphmine.linalg.bipartite import entries_at
from graphmine.model import UNPLACED, Clustering, Constraints, Links

__all__ = ["Broken", "BrokenPair", "Met", "as_records", "broken", "broken_counts", "from_records", "met"]


class BrokenPair(NamedTuple):
    """Two nodes that break a link.

    ``kind`` and ``position`` are the first node, ``other_kind`` and ``other`` the second; ``rule`` is a position in
    `Constraints.rules`, -1 for none; ``trust`` is that of the link, if the method judges links.
    """

    kind: str
    position: int
    other_kind: str
    other: int
    must: bool
    hard: bool
    weight: float
    rule: int
    trust: float | None = None


@dataclass(frozen=True)
class Broken:
    """The pairs that a clustering breaks: their total number, and some of them."""

    total: int
    pairs: tuple[BrokenPair, ...]


def broken(constraints: Constraints, clustering: Clustering, most: int = 1000) -> Broken:
    """List at most ``most`` pairs that a clustering breaks: those of hard links first, then of the heaviest links.

    For a group that must stay together, the first pairs join a node outside the cluster of its majority with one
    inside.

    Examples
    --------
    >>> from graphmine.model import Groups
    >>> friends = Constraints({"Author": Links.tying(Groups.of([[0, 1, 2, 3]]))})
    >>> found = broken(friends, Clustering({"Author": [1, 0, 0, 2]}), most=2)
    >>> found.total, [(pair.position, pair.other) for pair in found.pairs]
    (5, [(1, 0), (1, 3)])
    """
    check_integer("most", most, least=0)
    check_trust(constraints, clustering)
    total, lists = 0, []
    for kinds, links in links_by_kinds(constraints):
        counts = count_link_pairs(links, kinds, clustering.labels)
        against = np.where(links.must, counts.known - counts.equal, counts.equal)
        total += int(against.sum())
        lists.append(_broken_pairs(kinds, links, against, clustering, most))
    ordered = merge(*lists, key=lambda pair: (not pair.hard, -pair.weight))
    return Broken(total, tuple(islice(ordered, most)))


def broken_counts(constraints: Constraints, clustering: Clustering) -> dict[str, Ints]:
    """Return the number of broken pairs of every node, in O(members); `UNPLACED` for nodes that no link names.

    Examples
    --------
    >>> friends = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]])})
    >>> broken_counts(friends, Clustering({"Author": [0, 0, 1, 1]}))["Author"].tolist()
    [0, 1, 1, -1]
    """
    sizes = {kind: len(labels) for kind, labels in clustering.labels.items()}
    counts = {kind: np.zeros(size, dtype=np.int64) for kind, size in sizes.items()}
    linked = {kind: np.zeros(size, dtype=np.bool_) for kind, size in sizes.items()}
    for kinds, links in links_by_kinds(constraints):
        for must in (True, False):
            some = links.only(links.must == must)
            left, right = link_ends(some, kinds, sizes)
            loops = (some.left == some.right) & (some.others is None)
            ends = _LinkEnd(kinds[0], left, left.row), _LinkEnd(kinds[-1], right, right.row)
            back = [replace(end, row=end.row[~loops]) for end in ends]  # loops are counted from the left only
            for end, other, itself in ((*ends, left.row[loops]), (back[1], back[0], left.row[:0])):
                linked[end.kind][end.side.positions] = True
                positions, found = _broken_per_node(end, other, itself, must, clustering)
                np.add.at(counts[end.kind], positions, found)
    return {kind: np.where(linked[kind], counts[kind], UNPLACED) for kind in counts}


@dataclass(frozen=True, eq=False)
class _LinkEnd:
    """One end of links: a kind, its distinct units, and the index of the unit of each link."""

    kind: str
    side: DistinctUnits
    row: Ints


def _broken_per_node(
    end: _LinkEnd, other: _LinkEnd, loops: Ints, must: bool, clustering: Clustering
) -> tuple[Ints, Ints]:
    """Return the nodes of one end, and the number of broken pairs of each with nodes of the other end.

    For each unit, the linked nodes at the other end are counted by cluster. Those in a node's own cluster break its
    cannot-links, and those in other clusters its must-links. ``loops`` are the units that are linked with themselves,
    whose nodes are counted with themselves too.
    """
    shape = len(end.side.units), len(other.side.units)
    joined = csr_array(coo_array((np.ones(len(end.row), dtype=np.int64), (end.row, other.row)), shape=shape))
    reached = joined @ class_counts(other.side, clustering.labels[other.kind], max(clustering.width, 1))
    label = clustering.labels[end.kind][end.side.positions]
    placed = label != UNPLACED
    owner = end.side.owner[placed]
    equal = entries_at(reached, owner, label[placed])
    if must:
        found = np.asarray(reached.sum(axis=1))[owner] - equal
    else:
        found = equal - np.bincount(loops, minlength=shape[0])[owner]
    return end.side.positions[placed], found


def _broken_pairs(
    kinds: tuple[str, ...], links: Links, against: Ints, clustering: Clustering, most: int
) -> list[BrokenPair]:
    """Return broken pairs, of hard links first, then of the heaviest."""
    order = np.lexsort((-links.weight, ~links.hard))
    order = order[against[order] > 0]
    order = order[np.cumsum(against[order]) - against[order] < most]
    some = links.only(order)
    found: list[BrokenPair] = []
    columns = (some.must.tolist(), some.hard.tolist(), some.weight.tolist(), some.rule.tolist())
    about = zip(*columns, _trusts(kinds, order, clustering), strict=True)
    for number, (left, right, rest) in enumerate(zip(some.left.tolist(), some.right.tolist(), about, strict=True)):
        pairs = [(left, right)]
        if left < 0 or right < 0:
            pairs = _broken_pairs_of_link(kinds, some.only(np.array([number])), clustering, most - len(found))
        found += [BrokenPair(kinds[0], one, kinds[-1], other, *rest) for one, other in pairs]
    return found


def _trusts(kinds: tuple[str, ...], numbers: Ints, clustering: Clustering) -> list[float | None]:
    """Return the trust of some links, None if it is not known."""
    known = clustering.trust.get((kinds[0], kinds[-1]))
    if known is None:
        return [None] * len(numbers)
    return [None if np.isnan(each) else each for each in known[numbers].tolist()]


def _broken_pairs_of_link(
    kinds: tuple[str, ...], link: Links, clustering: Clustering, most: int
) -> list[tuple[int, int]]:
    """Return broken pairs of one link; with nodes sorted by cluster, the partners of a node are one range."""
    both = link_ends(link, kinds, {kind: len(labels) for kind, labels in clustering.labels.items()})
    first, second = clustering.labels[kinds[0]], clustering.labels[kinds[-1]]
    left, right = _by_cluster(both[0].positions, first), _by_cluster(both[1].positions, second)
    begin, end = _label_runs(first[left], second[right])
    must, loop = bool(link.must[0]), bool(link.left[0] == link.right[0]) and link.others is None
    if loop:  # each pair once: with partners further on only
        at = np.arange(len(left))
        starts, counts = (end, len(right) - end) if must else (at + 1, end - at - 1)
    else:  # the partners of other clusters begin behind the own one, and go on at the front
        starts, counts = (end, len(right) - (end - begin)) if must else (begin, end - begin)
    needed = int(np.searchsorted(np.cumsum(counts), most)) + 1
    which, index = (each[:most] for each in expand_ranges(starts[:needed], (starts + counts)[:needed]))
    return list(zip(left[which].tolist(), right[index % len(right)].tolist(), strict=True))


def _by_cluster(positions: Ints, labels: Ints) -> Ints:
    """Return the nodes that have a cluster, sorted by decreasing size of the cluster."""
    placed = positions[labels[positions] != UNPLACED]
    _, number, sizes = np.unique(labels[placed], return_inverse=True, return_counts=True)
    by_cluster: Ints = placed[np.lexsort((placed, number, -sizes[number]))]
    return by_cluster


def _label_runs(wanted: Ints, labels: Ints) -> tuple[Ints, Ints]:
    """Return where the run of each wanted label begins and ends, in an array where equal labels are adjacent."""
    begin = np.flatnonzero(np.diff(labels, prepend=UNPLACED))
    end = np.append(begin[1:], len(labels))
    by_label = np.argsort(labels[begin])
    run = np.searchsorted(labels[begin], wanted, sorter=by_label)
    run = by_label[np.minimum(run, len(by_label) - 1)]
    there = labels[begin][run] == wanted
    return np.where(there, begin[run], 0), np.where(there, end[run], 0)


@dataclass(frozen=True)
class Met:
    """How far the links of one rule are met, within one kind or across two, for one sense and hardness.

    Parameters
    ----------
    rule
        Its name; empty for links that no rule made.
    kinds
        One kind, or two for links across kinds.
    must, hard
        Whether the two nodes must share a cluster, or must not; and whether the links are hard.
    links, pairs
        The number of links, and of pairs of nodes that they stand for.
    met
        The number of pairs that are met.
    unplaced
        The number of pairs with a node that has no cluster, which are neither met nor broken.
    trust
        The mean probability that a pair is right, if the method judges links; otherwise None.
    """

    rule: str
    kinds: tuple[str, ...]
    must: bool
    hard: bool
    links: int
    pairs: int
    met: int
    unplaced: int
    trust: float | None = None

    @property
    def broken(self) -> int:
        """The number of broken pairs."""
        return self.pairs - self.unplaced - self.met

    @property
    def share(self) -> float | None:
        """The share of met pairs among those whose nodes have clusters; None if there are none."""
        judged = self.pairs - self.unplaced
        return self.met / judged if judged else None


def met(constraints: Constraints, clustering: Clustering) -> tuple[Met, ...]:
    """Count the pairs that a clustering meets: one entry per rule, kind or two kinds, sense and hardness.

    Rules keep their order, and links of no rule come last. The cost is O(members of groups + links).

    Examples
    --------
    >>> from graphmine.model import Groups, Links
    >>> friends = Links.tying(Groups.of([[0, 1, 2, 3]]), rule=0)
    >>> found, = met(Constraints({"Author": friends}, rules=("friends",)), Clustering({"Author": [0, 0, 1, -1]}))
    >>> found.pairs, found.met, found.broken, found.unplaced, found.share
    (6, 1, 2, 3, 0.3333333333333333)
    """
    check_trust(constraints, clustering)
    found = []
    for made in links_by_rule(constraints):
        counts = count_link_pairs(made.links, made.kinds, clustering.labels)
        pairs, placed, equal = (int(each.sum()) for each in (counts.pairs, counts.known, counts.equal))
        kept = equal if made.must else placed - equal
        about = (made.rule, made.kinds, made.must, made.hard)
        trust = _mean(trust_in(made, clustering), counts.pairs)
        found.append(Met(*about, links=len(made.links), pairs=pairs, met=kept, unplaced=pairs - placed, trust=trust))
    return tuple(found)


def as_records(found: Iterable[Met]) -> list[dict[str, Any]]:
    """Return counts as plain dictionaries, to be stored as JSON with a run.

    >>> as_records([Met("friends", ("Author",), True, False, links=1, pairs=6, met=1, unplaced=3)])
    [{'rule': 'friends', 'kinds': ['Author'], 'must': True, 'hard': False, 'links': 1, 'pairs': 6, 'met': 1,
    'unplaced': 3, 'trust': None, 'broken': 2, 'share': 0.3333333333333333}]
    """
    return [asdict(each) | {"kinds": list(each.kinds), "broken": each.broken, "share": each.share} for each in found]


def from_records(records: Iterable[Mapping[str, Any]]) -> tuple[Met, ...]:
    """Return the counts that `as_records` made records of; older records have no trust."""
    names = ("must", "hard", "links", "pairs", "met", "unplaced")
    return tuple(
        Met(
            record["rule"],
            tuple(record["kinds"]),
            **{name: record[name] for name in names},
            trust=record.get("trust"),
        )
        for record in records
    )


def _mean(trust: Floats | None, pairs: Ints) -> float | None:
    """Return the mean over pairs; None if there are none, or if no trust is known."""
    return None if trust is None or not pairs.any() else float(np.average(trust, weights=pairs))
