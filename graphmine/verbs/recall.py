"""Recall a run from its database: the network it was made from, as it is now, and the labels it wrote then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphmine.arrays import Ints
from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import DataError, ParameterError, RunError
from graphmine.exchange.journal import Written, labels_of
from graphmine.exchange.pull import pull
from graphmine.exchange.runs import Run, find_complete
from graphmine.model import UNPLACED, Clustering, Filter, Nodes, Pattern, Star
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.result import Mined

__all__ = ["Recalled", "Result", "parts_of", "recall", "written_by"]

Patterns = str | Pattern | Sequence[str | Pattern]
Filters = str | Filter | Sequence[str | Filter]


@dataclass(frozen=True, eq=False)
class Recalled:
    """A run, the star that its relations give now, and the clustering that it wrote.

    Parameters
    ----------
    run
        What is on record.
    star, clustering
        The network as it is now, and a label for each of its nodes: `UNPLACED` for those that the run could not place,
        and for those that are new.
    new, gone
        For each kind, how many nodes the run did not know, and how many of those it labelled are not there any more.
    keys
        The property that names the nodes of each kind.
    """

    run: Run
    star: Star
    clustering: Clustering
    new: Mapping[str, int] = field(default_factory=dict)
    gone: Mapping[str, int] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)


Result = Recalled | Mined | tuple[Star, Clustering]
"""A clustering and the star it is of, in whatever form they came."""


def recall(
    store: Store,
    run: str | Run = "last",
    *,
    relations: Patterns | None = None,
    where: Filters | None = None,
    progress: Progress = silent,
) -> Recalled:
    """Pull the network of a run again, and give its nodes the labels that the run wrote.

    Labels are those in the run's journal, whatever has become of the property since.

    Parameters
    ----------
    run
        Its name, the beginning of one, ``last``, a property for the last that wrote there, or ``area~1`` for the one
        before that; complete, and one that wrote clusters.
    relations, where
        What to pull instead of what the run recorded: for a run that was pushed without it, or a query file that
        has moved.

    Examples
    --------
    >>> from graphmine import Job, connect, davis, load, mine
    >>> with connect(":memory:") as store:
    ...     loaded = load(store, davis())
    ...     mined = mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
    ...     again = recall(store, "last")
    >>> again.star, again.clustering.sizes("Woman").tolist(), again.new
    (Star(Woman: Event), [9, 9], {'Woman': 0, 'Event': 0})
    """
    found = find_complete(store, run)
    written = written_by(store, found)
    star = _pulled(store, found, written, relations, where, progress)
    for nodes in star.kinds:
        if nodes.kind not in written:
            raise RunError(f"run {found.id} wrote no labels to {nodes.kind}, only to {', '.join(written)}")
    labels = {nodes.kind: _labels(nodes, written[nodes.kind]) for nodes in star.kinds}
    new = {nodes.kind: _missing(nodes, written[nodes.kind].nodes) for nodes in star.kinds}
    gone = {nodes.kind: _missing(written[nodes.kind].nodes, nodes) for nodes in star.kinds}
    keys = {nodes.kind: written[nodes.kind].key for nodes in star.kinds}
    return Recalled(found, star, Clustering(labels, converged=found.converged), new, gone, keys)


def parts_of(result: Result) -> tuple[Star, Clustering, Run | None]:
    """Return the star and the clustering of a result in any of its forms, and its run, if it was written."""
    match result:
        case Recalled() | Mined():
            return result.star, result.clustering, result.run
        case (Star() as star, Clustering() as clustering):
            for nodes in star.kinds:
                if len(clustering.labels.get(nodes.kind, ())) != len(nodes) or nodes.kind not in clustering.labels:
                    raise ParameterError(f"the clustering does not hold one label for each node of {nodes.kind}")
            return star, clustering, None
    raise ParameterError(
        f"a result must be what recall or mine returns, or a star and a clustering, was {type(result).__name__}"
    )


def written_by(store: Store, run: Run) -> dict[str, Written]:
    """Return the labels that a run wrote to each kind; refuse one that is undone or was interrupted."""
    if run.state == "undone":
        raise RunError(f"run {run.id} is undone, and its labels are gone; `graphmine runs list` shows the others")
    if run.state != "complete":
        raise RunError(run.unfinished())
    nothing = np.empty(0, dtype=np.int64)  # a kind without nodes leaves no trace in the journal
    return {kind: Written(Nodes(kind, []), "", nothing) for kind in run.kinds} | labels_of(store, run.id)


def _pulled(
    store: Store,
    run: Run,
    written: Mapping[str, Written],
    relations: Patterns | None,
    where: Filters | None,
    progress: Progress,
) -> Star:
    filters = (run.filters if relations is None else ()) if where is None else where
    wanted: Patterns = run.relations if relations is None else relations
    if not wanted:
        raise RunError(
            f"run {run.id} does not say what it was pulled with, so its network can not be brought back; push with "
            "gm.Run(…, relations=…), or recall it with relations=…"
        )
    texts = [wanted] if isinstance(wanted, str | Pattern) else wanted
    patterns = [each if isinstance(each, Pattern) else Pattern.parse(each) for each in texts]
    used = {kind for pattern in patterns for kind in pattern.kinds}
    keys = {kind: each.key for kind, each in written.items() if kind in used and each.key}
    try:
        return pull(store, patterns, where=filters, keys=keys, progress=progress)
    except (DataError, ParameterError) as error:
        raise type(error)(f"the network of run {run.id} can not be pulled any more: {error}") from error


def _labels(nodes: Nodes, then: Written) -> Ints:
    if len(nodes) and len(then.nodes) and nodes.keys.type != then.nodes.keys.type:
        raise DataError(f"the keys of {nodes.kind} have changed their type since the run was written")
    return labels_before(nodes, then.nodes, then.labels)


def _missing(nodes: Nodes, among: Nodes) -> int:
    """Return how many nodes are not among others."""
    there = labels_before(nodes, among, np.zeros(len(among), dtype=np.int64))
    return int(np.count_nonzero(there == UNPLACED))
