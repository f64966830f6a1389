"""The stages of an evolution: what a snapshot found, how it is numbered, and where it is on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmine.constraints.memory import labels_before
from graphmine.errors import RunError
from graphmine.exchange.journal import labels_of
from graphmine.exchange.push import undo
from graphmine.exchange.runs import Run, list_runs
from graphmine.linalg.matching import successors
from graphmine.model import UNPLACED, Nodes
from graphmine.progress import Progress, silent
from graphmine.store import Store

__all__ = ["Labelled", "Stage", "followed", "on_record", "property_of", "runs_of", "stage_of", "unwind"]

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


def property_of(written: str, snapshot: str) -> str:
    """Return the property that a snapshot is written to.

    >>> property_of("area", "2005")
    'area_2005'
    """
    return f"{written}_{snapshot}"


def on_record(store: Store, name: str, properties: Sequence[str]) -> dict[str, Run]:
    """Return the complete runs of an evolution by their snapshots; refuse properties that another one wrote."""
    found = {}
    for run in list_runs(store):
        evolution = run.parameters.get("evolution")
        if run.state != "complete" or evolution is None or run.property not in properties:
            continue
        if evolution != name:
            raise RunError(
                f"{run.property!r} belongs to the evolution {evolution}, which was made in another way; undo that one "
                f"with `graphmine runs unwind {evolution}`, or write to another property"
            )
        found[run.parameters["snapshot"]] = run
    return found


def stage_of(store: Store, run: Run) -> Stage:
    """Return the stage that a run recorded."""
    labels = {kind: (each.nodes, each.labels) for kind, each in labels_of(store, run.id).items()}
    return Stage(run.parameters["snapshot"], labels, run, kept=True, converged=run.converged)


def runs_of(store: Store, name: str = "last") -> list[Run]:
    """Return the complete runs of an evolution, by its name, its beginning, or ``last``, in the order of time."""
    every = [run for run in list_runs(store) if run.state == "complete" and "evolution" in run.parameters]
    names = list(dict.fromkeys(run.parameters["evolution"] for run in every))
    found = (
        names[-1:]
        if name == "last"
        else [each for each in names if each == name] or [each for each in names if each.startswith(name)]
    )
    if not found:
        raise RunError(
            f"there is no evolution {name!r} in {store.name}; `graphmine evolve … --write PROPERTY` makes one"
        )
    if len(found) > 1:
        raise RunError(f"several evolutions begin with {name!r}: {', '.join(found)}; write more of the name")
    latest = {run.parameters["snapshot"]: run for run in every if run.parameters["evolution"] == found[0]}
    return [latest[snapshot] for snapshot in sorted(latest, key=int)]


def unwind(store: Store, name: str = "last", *, progress: Progress = silent) -> list[Run]:
    """Undo every run of an evolution, the last first; return them as they are now."""
    every = [run for run in list_runs(store) if run.state == "complete"]
    (evolution,) = {run.parameters["evolution"] for run in runs_of(store, name)}
    mine = [run for run in every if run.parameters.get("evolution") == evolution]
    return [undo(store, run, progress=progress) for run in reversed(mine)]
