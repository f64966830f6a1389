"""Cluster numbers that follow those of an earlier run, so that cluster 3 stays 3."""

from dataclasses import replace

import numpy as np

from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import RunError
from graphmine.exchange.journal import Written, labels_in, labels_of
from graphmine.exchange.runs import COUNTS, Run, find_complete, list_runs
from graphmine.exchange.schema import find_key
from graphmine.job import AS_THEY_COME, Job
from graphmine.model import UNPLACED
from graphmine.store import Store
from graphmine.verbs.result import Alignment, Mined
from graphmine.verbs.stages import Labelled, all_numbers, followers, replace_numbers

__all__ = ["align", "run_to_follow"]


def run_to_follow(store: Store, job: Job) -> Run | None:
    """Return the run whose numbers the clusters of a job are to follow; None if they stay as they come.

    That is the one the job names; else the last complete run that wrote clusters to its property, of one of its kinds.
    The levels of a taxonomy follow none.
    """
    if job.align == AS_THEY_COME or job.hierarchy:
        return None
    if job.align is None:
        draft = Run(job.write or "", kinds=job.kinds)
        earlier = [each for each in list_runs(store) if each.overlaps(draft)] if job.write is not None else []
        complete = [each for each in earlier if each.state == "complete" and each.method != COUNTS]
        return complete[-1] if complete else None
    run = find_complete(store, job.align)
    if not set(run.kinds) & set(job.kinds):
        raise RunError(
            f"run {run.id} clustered {', '.join(run.kinds)}, and this is to cluster {', '.join(job.kinds)}, so there "
            "are no numbers to follow; leave `align=` out, or name another run"
        )
    return run


def align(store: Store, found: Mined, run: Run | None) -> Mined:
    """Return a result whose clusters have the numbers of those of a run that they go on from.

    Nothing else changes: objective, links met and trust do not look at numbers. Clusters that go on from none get the
    smallest numbers that are left; where a run has fewer clusters than the one before, numbers may be missing among
    those that stay. So the same job, done again on the same network, writes the same labels.
    """
    if run is None:
        return found
    labels = {nodes.kind: (nodes, found.clustering.labels[nodes.kind]) for nodes in found.star.kinds}
    before = _labels_before(store, found, run)
    clusters, after = found.clustering.clusters, followers(labels, before)
    numbers = all_numbers(clusters, after)
    new = {kind: replace_numbers(own, numbers) for kind, (_, own) in labels.items()}
    kept, nodes = 0, 0
    for kind, earlier in before.items():
        then = labels_before(labels[kind][0], *earlier)
        kept += int(np.count_nonzero((new[kind] == then) & (then != UNPLACED)))
        nodes += int(np.count_nonzero((new[kind] != UNPLACED) & (then != UNPLACED)))
    alignment = Alignment(run.id, len(after), len(clusters), kept, nodes)
    clustering, choice = replace(found.clustering, labels=new), found.choice
    if choice is not None and choice.clustering is not None:
        choice = replace(choice, clustering=clustering)
    return replace(found, clustering=clustering, choice=choice, alignment=alignment)


def _labels_before(store: Store, found: Mined, run: Run) -> Labelled:
    """Return what a run wrote to each kind that was named by the same key as now: other keys are other nodes."""
    written = {kind: each for kind, each in _labels_of(store, found, run).items() if kind in found.job.kinds}
    given = found.job.relation_keys
    keys = store.reading(lambda tx: {kind: find_key(tx, kind, given.get(kind)) for kind in written})
    return {kind: (each.nodes, each.labels) for kind, each in written.items() if each.key == keys[kind]}


def _labels_of(store: Store, found: Mined, run: Run) -> dict[str, Written]:
    """Return what a run wrote; its journal may have been read when the property was claimed."""
    if found.claim is not None and run.id in found.claim.journals:
        return labels_in(found.claim.journals[run.id])
    return labels_of(store, run.id)
