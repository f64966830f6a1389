"""The stages of an evolution: what a snapshot found, how it is numbered, and where it is on record."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import numpy as np

from graphmine.arrays import Labels
from graphmine.checks import nearest
from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.journal import labels_of
from graphmine.exchange.runs import Run, find_complete
from graphmine.linalg.matching import shared_counts, successors
from graphmine.model import UNPLACED, Nodes, clusters_of
from graphmine.store import Store
from graphmine.verbs.recall import Recalled, written_by
from graphmine.verbs.sequences import EVOLUTION, TAXONOMY, members_of, sequence_of

__all__ = [
    "Labelled",
    "Stage",
    "all_numbers",
    "follow_numbers",
    "followers",
    "of_kind",
    "read_stage",
    "read_stages",
    "replace_numbers",
    "runs_of",
    "stages_of_results",
]

Labelled = Mapping[str, tuple[Nodes, Labels]]


@dataclass(frozen=True, eq=False)
class Stage:
    """The clusters of one snapshot.

    Parameters
    ----------
    name
        Of the snapshot: the last unit of time that it covers.
    labels
        The nodes of each kind and their clusters, numbered so that a number means the same in the whole evolution.
    run
        What was recorded, if it was.
    kept
        Whether it was there from an earlier call, and was not fitted again.
    converged
        Whether the fit had arrived.
    """

    name: str
    labels: Labelled
    run: Run | None = None
    kept: bool = False
    converged: bool = True

    @property
    def clusters(self) -> list[int]:
        """The numbers of the clusters that have nodes."""
        return clusters_of(labels for _, labels in self.labels.values())


def followers(labels: Labelled, before: Labelled) -> dict[int, int]:
    """Return which cluster goes on from which: numbers now, and the numbers before.

    There is one matching for all kinds together, as a cluster has one number in all of them. It counts nodes, so that
    as many as can be keep their number; where one kind is much smaller, its part of a cluster goes with the rest.

    Parameters
    ----------
    labels, before
        The nodes of each kind and their clusters, now and before.

    Examples
    --------
    >>> then = {"Author": (Nodes("Author", ["ann", "bob", "cyd"]), np.array([0, 0, 2]))}
    >>> now = {"Author": (Nodes("Author", ["bob", "cyd", "dan"]), np.array([1, 0, 2]))}
    >>> followers(now, then)
    {0: 2, 1: 0}
    """
    found = [np.empty((2, 0), dtype=np.int64)]
    for kind in (kind for kind in labels if kind in before):
        nodes, own = labels[kind]
        found.append(np.stack([own, labels_before(nodes, *before[kind])]))
    pairs = np.concatenate(found, axis=1)
    pairs = pairs[:, (pairs != UNPLACED).all(axis=0)]
    (new, row), (old, col) = (np.unique(each, return_inverse=True) for each in pairs)
    continued = successors(shared_counts(row, col, (len(new), len(old))))
    return {int(new[at]): int(old[to]) for at, to in enumerate(continued.tolist()) if to >= 0}


def follow_numbers(labels: Labelled, before: Labelled, taken: int = 0) -> dict[str, Labels]:
    """Return the labels of each kind with the numbers of the clusters they go on from.

    Parameters
    ----------
    labels, before
        The nodes of each kind and their clusters, now and before.
    taken
        Numbers below this have been used: clusters that go on from none get the smallest from here on that none has.

    Examples
    --------
    >>> then = {"Author": (Nodes("Author", ["ann", "bob", "cyd"]), np.array([0, 0, 2]))}
    >>> now = {"Author": (Nodes("Author", ["bob", "cyd", "dan"]), np.array([1, 0, 2]))}
    >>> follow_numbers(now, then, taken=3)["Author"].tolist(), follow_numbers(now, then)["Author"].tolist()
    ([0, 2, 3], [0, 2, 1])
    """
    numbers = all_numbers(clusters_of(own for _, own in labels.values()), followers(labels, before), taken)
    return {kind: replace_numbers(own, numbers) for kind, (_, own) in labels.items()}


def all_numbers(clusters: Iterable[int], numbers: Mapping[int, int], taken: int = 0) -> dict[int, int]:
    """Return a number for every cluster, where some have theirs: the smallest from ``taken`` on that none has.

    >>> all_numbers([0, 1, 2, 3], {1: 0, 3: 2})
    {1: 0, 3: 2, 0: 1, 2: 3}
    """
    kept = set(numbers.values())
    free = (number for number in count(taken) if number not in kept)
    return {**numbers, **dict(zip((each for each in clusters if each not in numbers), free, strict=False))}


def replace_numbers(labels: Labels, numbers: Mapping[int, int]) -> Labels:
    """Return labels with other numbers; those without a cluster stay so, and those without another number are.

    >>> replace_numbers(np.array([5, -1, 7, 5]), {5: 0}).tolist()
    [0, -1, -1, 0]
    """
    names, at = np.unique(labels, return_inverse=True)
    return np.array([numbers.get(name, UNPLACED) for name in names.tolist()], dtype=np.int64)[at]


def read_stage(store: Store, run: Run) -> Stage:
    """Return the stage that a run recorded."""
    labels = {kind: (each.nodes, each.labels) for kind, each in labels_of(store, run.id).items()}
    return Stage(run.parameters["snapshot"], labels, run, kept=True, converged=run.converged)


def runs_of(store: Store, name: str = "last") -> list[Run]:
    """Return the complete runs of an evolution, by its name, its beginning, or ``last``, in the order of time."""
    latest = {run.parameters["snapshot"]: run for run in members_of(store, name, [EVOLUTION])}
    return [latest[snapshot] for snapshot in sorted(latest, key=int)]


def read_stages(store: Store, names: Sequence[str]) -> list[Stage]:
    """Return the stages that names stand for: runs in the order given, or all runs of one evolution or taxonomy.

    A single name may be that of an evolution or a taxonomy, the beginning of one, ``last`` for the last of them, or a
    run that is part of one.
    """
    if len(names) == 1:
        sequence, runs = _sequence(store, names[0])
        return [_named_stage(store, run, str(run.parameters[sequence])) for run in runs]
    runs = [find_complete(store, name) for name in names]
    properties = [run.property for run in runs]
    by_property = len(set(properties)) == len(properties)
    if len({run.id for run in runs}) < len(runs):
        raise ParameterError("the same run is named twice; name different ones")
    return [_named_stage(store, run, run.property if by_property else run.id) for run in runs]


def stages_of_results(results: Sequence[Recalled]) -> list[Stage]:
    """Return recalled runs as stages."""
    properties = [each.run.property for each in results]
    by_property = len(set(properties)) == len(properties)
    return [
        Stage(
            each.run.property if by_property else each.run.id,
            {nodes.kind: (nodes, each.clustering.labels[nodes.kind]) for nodes in each.star.kinds},
            each.run,
        )
        for each in results
    ]


def of_kind(stages: Sequence[Stage], kind: str | None) -> list[Stage]:
    """Return stages with those kinds alone that all of them have, or with the one that is asked for."""
    shared = [each for each in stages[0].labels if all(each in stage.labels for stage in stages)] if stages else []
    if len(stages) < 2:
        raise ParameterError("a flow needs two runs or more, an evolution or a taxonomy")
    if kind is not None and kind not in shared:
        among = nearest(kind, shared) or f", only {', '.join(shared) or 'none'}"
        raise ParameterError(f"the runs have no kind {kind!r} in common{among}")
    if not shared:
        raise ParameterError("the runs have no kind in common, so nothing went from one to another")
    kept = shared if kind is None else [kind]
    return [Stage(stage.name, {each: stage.labels[each] for each in kept}, stage.run) for stage in stages]


def _sequence(store: Store, name: str) -> tuple[str, list[Run]]:
    with suppress(RunError):
        return _members(store, name)
    run = find_complete(store, name)
    found = sequence_of(run)
    if found is None:
        raise ParameterError(
            f"run {run.id} is part of no evolution and no taxonomy; name a second run to see what went where"
        )
    return _members(store, found[1])


def _members(store: Store, name: str) -> tuple[str, list[Run]]:
    runs = members_of(store, name)
    found = sequence_of(runs[0])
    if found is not None and found[0] == EVOLUTION:
        return EVOLUTION.step, runs_of(store, found[1])
    latest = {run.parameters[TAXONOMY.step]: run for run in runs}
    return TAXONOMY.step, [latest[level] for level in sorted(latest)]


def _named_stage(store: Store, run: Run, name: str) -> Stage:
    written = written_by(store, run)
    return Stage(name, {kind: (each.nodes, each.labels) for kind, each in written.items()}, run)
