"""How far the clusters of runs agree, and what moved from one to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NoReturn

import numpy as np
import pyarrow as pa

from graphmine.arrays import Ints
from graphmine.checks import check_integer, nearest
from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.journal import Written, labels_of
from graphmine.exchange.runs import Run, find_complete
from graphmine.metrics import ami, ari, nmi
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.flow import Change, change, count_pairs
from graphmine.verbs.stages import Stage, all_numbers, followers, replace_numbers

__all__ = ["Agreement", "Compared", "Move", "Overlap", "compare"]

EXAMPLES = 5
"""How many nodes of a move are named, where nobody says how many."""


@dataclass(frozen=True)
class Agreement:
    """How far two runs agree on the nodes of a kind that have a cluster in both; None if there are no such nodes."""

    first: str
    second: str
    kind: str
    nodes: int
    ami: float | None
    ari: float | None
    nmi: float | None


@dataclass(frozen=True)
class Move:
    """Nodes of a kind that went from a cluster to another that does not go on from it.

    Parameters
    ----------
    before, after, kind
        The two runs, and the kind.
    source, target
        The clusters, each by the number that its own run gave it.
    nodes, keys
        How many nodes, and the keys of the first of them.
    """

    before: str
    after: str
    kind: str
    source: int
    target: int
    nodes: int
    keys: tuple[str | int, ...]


@dataclass(frozen=True)
class Overlap:
    """The cluster of another run that is most like a cluster: that of the greatest Jaccard index.

    Parameters
    ----------
    before, after, kind
        The two runs, and the kind.
    cluster, size
        The cluster, and how many nodes of the kind it has.
    match, match_size
        The cluster most like it, and its size; None and 0 if none has a node in common with it.
    shared, jaccard
        How many nodes they have in common, and how many that is of those in either.
    """

    before: str
    after: str
    kind: str
    cluster: int
    size: int
    match: int | None
    match_size: int
    shared: int
    jaccard: float


@dataclass(frozen=True, eq=False)
class Compared:
    """Runs side by side; what moved is told of each against the first.

    Parameters
    ----------
    runs, stages
        The runs, and the labels that each wrote, by its own numbers.
    agreements
        Of every two runs, kind by kind.
    followers
        For each run after the first: which of its clusters goes on from which of the first, matched one to one over
        all kinds together, as `graphmine.verbs.stages.followers` does.
    changes, moves, overlaps
        Against the first: how many nodes stayed and moved by that matching, and how many have a cluster in one alone
        (``gone``: in the first; ``new``: in the other); from where to where, the largest move first; and what each
        cluster of the first is most like.
    left_out
        A sentence for each kind that could not be compared.
    """

    runs: tuple[Run, ...]
    stages: tuple[Stage, ...]
    agreements: tuple[Agreement, ...]
    followers: tuple[Mapping[int, int], ...]
    changes: tuple[Change, ...]
    moves: tuple[Move, ...]
    overlaps: tuple[Overlap, ...]
    left_out: Mapping[str, str]

    @property
    def kinds(self) -> list[str]:
        """The kinds that were compared."""
        return list(dict.fromkeys(each.kind for each in self.agreements))


def compare(store: Store, *runs: str | Run, kind: str | None = None, examples: int = EXAMPLES) -> Compared:
    """Compare the clusters that two or more runs wrote.

    The labels are those on record, so that a run can be compared whose property a later one has written. A run that
    was undone has none any more.

    Parameters
    ----------
    runs
        Names, as `find_complete` takes them: a run's, the beginning of one, ``last``, a property for its last run,
        ``area~1`` for the one before that.
    kind
        Only this kind; clusters are matched over all kinds all the same.
    examples
        How many nodes of each move to name.

    Examples
    --------
    >>> from graphmine import Job, connect, davis, load, mine
    >>> with connect(":memory:") as store:
    ...     loaded = load(store, davis())
    ...     for k in (2, 3):
    ...         mined = mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=k, write="circle"))
    ...     found = compare(store, "circle~1", "circle", kind="Woman")
    >>> [(each.kind, each.nodes, each.stayed, each.moved) for each in found.changes]
    [('Woman', 18, 16, 2)]
    """
    check_integer("examples", examples, least=0)
    if len(runs) < 2:
        raise ParameterError(f"there is nothing to compare with {'one run' if runs else 'no run'}; name two or more")
    chosen = tuple(find_complete(store, each) for each in runs)
    _check_kind(chosen, kind)
    stages, left_out = _stages(store, chosen)
    kinds = list(dict.fromkeys(each for stage in stages for each in stage.labels if kind in (None, each)))
    agreements = [
        _agreement(each, first, second)
        for each in kinds
        for first, second in combinations(stages, 2)
        if each in first.labels and each in second.labels
    ]
    if not agreements:
        _refuse(chosen, left_out, kind)
    first, *others = stages
    matched = [followers(each.labels, first.labels) for each in others]
    changes: list[Change] = []
    moves: list[Move] = []
    overlaps: list[Overlap] = []
    for other, numbers in zip(others, matched, strict=True):
        for each in (each for each in kinds if each in first.labels and each in other.labels):
            changes.append(change(each, first, _numbered(other, first, numbers)))
            moves += _moves(each, first, other, numbers, examples)
            overlaps += _overlaps(each, first, other)
    told = {each: why for each, why in left_out.items() if kind in (None, each)}
    return Compared(
        chosen, stages, tuple(agreements), tuple(matched), tuple(changes), tuple(moves), tuple(overlaps), told
    )


def _check_kind(runs: Sequence[Run], kind: str | None) -> None:
    known = list(dict.fromkeys(each for run in runs for each in run.kinds))
    if kind is not None and kind not in known:
        raise ParameterError(f"the runs have no kind {kind!r}, only {', '.join(known)}{nearest(kind, known)}")


def _stages(store: Store, runs: Sequence[Run]) -> tuple[tuple[Stage, ...], dict[str, str]]:
    """Return the labels of each run, of the kinds that can be compared, and why the others can not."""
    written = [labels_of(store, run.id) for run in runs]
    left_out: dict[str, str] = {}
    for kind in dict.fromkeys(kind for each in written for kind in each):
        there = [(run, _key(each[kind])) for run, each in zip(runs, written, strict=True) if kind in each]
        other = [(run, key) for run, key in there if key != there[0][1]]
        if len(there) == 1:
            left_out[kind] = f"{kind} has clusters in run {there[0][0].id} alone"
        elif other:
            left_out[kind] = (
                f"{kind} is named by {there[0][1]} in run {there[0][0].id} and by {other[0][1]} in run "
                f"{other[0][0].id}, so its nodes can not be told to be the same"
            )
    stages = [
        Stage(run.id, {kind: (one.nodes, one.labels) for kind, one in each.items() if kind not in left_out}, run)
        for run, each in zip(runs, written, strict=True)
    ]
    return tuple(stages), left_out


def _key(written: Written) -> str:
    """Return what names the nodes of a kind, and whether by text or by numbers."""
    sort = "text" if pa.types.is_string(written.nodes.keys.type) else "a number"
    return f"{written.key!r}, {sort},"


def _refuse(runs: Sequence[Run], left_out: Mapping[str, str], kind: str | None) -> NoReturn:
    if kind is not None:
        raise RunError(f"{left_out[kind]}; leave `kind=` out, or name other runs")
    by_key = [why for why in left_out.values() if "is named by" in why]
    if by_key:
        raise RunError(f"{by_key[0]}; compare runs of the same keys")
    told = ", ".join(f"run {run.id} clustered {' and '.join(run.kinds)}" for run in runs)
    raise RunError(f"the runs have no kind in common, so there is nothing to compare: {told}")


def _agreement(kind: str, first: Stage, second: Stage) -> Agreement:
    nodes, later = second.labels[kind]
    earlier = labels_before(nodes, *first.labels[kind])
    both = (earlier != UNPLACED) & (later != UNPLACED)
    pair = earlier[both], later[both]
    found = [measure(*pair) if both.any() else None for measure in (ami, ari, nmi)]
    return Agreement(first.name, second.name, kind, int(np.count_nonzero(both)), *found)


def _numbered(stage: Stage, first: Stage, numbers: Mapping[int, int]) -> Stage:
    """Return a stage by the numbers of the first, clusters that go on from none by numbers the first does not have."""
    beyond = 1 + max(first.clusters, default=UNPLACED)
    every = all_numbers(stage.clusters, numbers, beyond)
    return replace(
        stage, labels={kind: (nodes, replace_numbers(own, every)) for kind, (nodes, own) in stage.labels.items()}
    )


def _moves(kind: str, first: Stage, other: Stage, numbers: Mapping[int, int], examples: int) -> list[Move]:
    nodes, later = other.labels[kind]
    earlier = labels_before(nodes, *first.labels[kind])
    moved = np.flatnonzero((earlier != UNPLACED) & (later != UNPLACED) & (replace_numbers(later, numbers) != earlier))
    source, target = earlier[moved], later[moved]
    order = moved[np.lexsort((target, source))]  # stable, and in the order of the pairs below
    sources, targets, counts = count_pairs(source, target)
    found = []
    for start, one, two, count in zip(
        np.cumsum(counts) - counts, sources.tolist(), targets.tolist(), counts.tolist(), strict=True
    ):
        keys = nodes.keys.take(pa.array(order[start : start + min(count, examples)])).to_pylist()
        found.append(Move(first.name, other.name, kind, one, two, count, tuple(keys)))
    return sorted(found, key=lambda move: -move.nodes)


def _overlaps(kind: str, first: Stage, other: Stage) -> list[Overlap]:
    nodes, later = other.labels[kind]
    earlier = labels_before(nodes, *first.labels[kind])
    sizes, others = _sizes(first.labels[kind][1]), _sizes(later)
    best = {one: Overlap(first.name, other.name, kind, one, size, None, 0, 0, 0.0) for one, size in sizes.items()}
    for one, two, shared in zip(*(each.tolist() for each in count_pairs(earlier, later)), strict=True):
        if UNPLACED not in (one, two):
            jaccard = shared / (sizes[one] + others[two] - shared)
            if jaccard > best[one].jaccard:
                best[one] = replace(best[one], match=two, match_size=others[two], shared=shared, jaccard=jaccard)
    return list(best.values())


def _sizes(labels: Ints) -> dict[int, int]:
    """Return how many nodes each cluster has."""
    numbers, counts = np.unique(labels[labels != UNPLACED], return_counts=True)
    return dict(zip(numbers.tolist(), counts.tolist(), strict=True))
