"""The stages of an evolution: what a snapshot found, how it is numbered, and where it is on record."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmine.constraints.memory import labels_before
from graphmine.exchange.journal import labels_of
from graphmine.exchange.runs import Run
from graphmine.linalg.matching import successors
from graphmine.model import UNPLACED, Nodes
from graphmine.store import Store
from graphmine.verbs.sequences import EVOLUTION, members_of

__all__ = ["Labelled", "Stage", "followed", "runs_of", "stage_of"]

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
        found = np.concatenate([np.empty(0, dtype=np.int64), *(labels for _, labels in self.labels.values())])
        numbers: list[int] = np.unique(found[found != UNPLACED]).tolist()
        return numbers


def followed(labels: Labelled, before: Labelled, taken: int) -> dict[str, Labels]:
    """Return the labels of each kind with the numbers of the clusters they go on from.

    Parameters
    ----------
    labels, before
        The nodes of each kind and their clusters, now and before.
    taken
        Numbers below this have been used; clusters that go on from none get the next ones.

    Examples
    --------
    >>> then = {"Author": (Nodes("Author", ["ann", "bob", "cyd"]), np.array([0, 0, 2]))}
    >>> now = {"Author": (Nodes("Author", ["bob", "cyd", "dan"]), np.array([1, 0, 2]))}
    >>> followed(now, then, taken=3)["Author"].tolist()
    [0, 2, 3]
    """
    n_new = 1 + max((int(own.max(initial=UNPLACED)) for _, own in labels.values()), default=UNPLACED)
    shared = np.zeros((n_new, taken), dtype=np.int64)
    for kind in (kind for kind in labels if kind in before):
        nodes, own = labels[kind]
        earlier = labels_before(nodes, *before[kind])
        both = (own != UNPLACED) & (earlier != UNPLACED)
        np.add.at(shared, (own[both], earlier[both]), 1)
    numbers = successors(shared)
    alone = numbers < 0
    numbers[alone] = taken + np.arange(np.count_nonzero(alone))
    return {kind: np.where(own == UNPLACED, UNPLACED, numbers[own]) for kind, (_, own) in labels.items()}


def stage_of(store: Store, run: Run) -> Stage:
    """Return the stage that a run recorded."""
    labels = {kind: (each.nodes, each.labels) for kind, each in labels_of(store, run.id).items()}
    return Stage(run.parameters["snapshot"], labels, run, kept=True, converged=run.converged)


def runs_of(store: Store, name: str = "last") -> list[Run]:
    """Return the complete runs of an evolution, by its name, its beginning, or ``last``, in the order of time."""
    latest = {run.parameters["snapshot"]: run for run in members_of(store, name, [EVOLUTION])}
    return [latest[snapshot] for snapshot in sorted(latest, key=int)]
