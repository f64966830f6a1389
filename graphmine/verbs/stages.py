"""The stages of an evolution: what a snapshot found, how it is numbered, and where it is on record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from graphmine.constraints.memory import labels_before
from graphmine.exchange.journal import labels_of
from graphmine.exchange.runs import Run
from graphmine.linalg.matching import successors
from graphmine.model import UNPLACED, Nodes, clusters_of
from graphmine.store import Store
from graphmine.verbs.sequences import EVOLUTION, members_of

__all__ = ["Labelled", "Stage", "all_numbers", "followed", "followers", "renamed", "runs_of", "stage_of"]

Labels = NDArray[np.int64]
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
    shared = np.zeros((len(new), len(old)), dtype=np.int64)
    np.add.at(shared, (row, col), 1)
    return {int(new[at]): int(old[to]) for at, to in enumerate(successors(shared).tolist()) if to >= 0}


def followed(labels: Labelled, before: Labelled, taken: int = 0) -> dict[str, Labels]:
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
    >>> followed(now, then, taken=3)["Author"].tolist(), followed(now, then)["Author"].tolist()
    ([0, 2, 3], [0, 2, 1])
    """
    numbers = all_numbers(clusters_of(own for _, own in labels.values()), followers(labels, before), taken)
    return {kind: renamed(own, numbers) for kind, (_, own) in labels.items()}


def all_numbers(clusters: Iterable[int], numbers: Mapping[int, int], taken: int = 0) -> dict[int, int]:
    """Return a number for every cluster, where some have theirs: the smallest from ``taken`` on that none has.

    >>> all_numbers([0, 1, 2, 3], {1: 0, 3: 2})
    {1: 0, 3: 2, 0: 1, 2: 3}
    """
    kept = set(numbers.values())
    free = (number for number in count(taken) if number not in kept)
    return {**numbers, **dict(zip((each for each in clusters if each not in numbers), free, strict=False))}


def renamed(labels: Labels, numbers: Mapping[int, int]) -> Labels:
    """Return labels with other numbers; those without a cluster stay so, and those without another number are.

    >>> renamed(np.array([5, -1, 7, 5]), {5: 0}).tolist()
    [0, -1, -1, 0]
    """
    names, at = np.unique(labels, return_inverse=True)
    return np.array([numbers.get(name, UNPLACED) for name in names.tolist()], dtype=np.int64)[at]


def stage_of(store: Store, run: Run) -> Stage:
    """Return the stage that a run recorded."""
    labels = {kind: (each.nodes, each.labels) for kind, each in labels_of(store, run.id).items()}
    return Stage(run.parameters["snapshot"], labels, run, kept=True, converged=run.converged)


def runs_of(store: Store, name: str = "last") -> list[Run]:
    """Return the complete runs of an evolution, by its name, its beginning, or ``last``, in the order of time."""
    latest = {run.parameters["snapshot"]: run for run in members_of(store, name, [EVOLUTION])}
    return [latest[snapshot] for snapshot in sorted(latest, key=int)]
