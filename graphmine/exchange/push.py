"""Write labels to node properties, so that nothing is lost whatever happens on the way.

1. What stands in the property is read; values that graphmine did not write stop the push unless told otherwise.
2. The run is recorded as ``writing``, its property is made where the database wants that, the trust of its links is
   stored, if the method judges them, and then its journal (labels and what they replace).
3. The nodes are changed in batches, each a transaction, each step from the journalled old value to the new one.
4. The run becomes ``complete``.

`resume` does 3 and 4 again from the journal, `undo` does 3 the other way round. A crash in step 2 leaves a journal that
is not whole and no node changed: both then forget the run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from graphmine.constraints.trust import judged_links
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.journal import ABSENT, Batch, batches_of, read_journal, write_batches
from graphmine.exchange.link_trust import forget_trust, write_trust
from graphmine.exchange.property_changes import (
    ChangeCounts,
    CurrentValues,
    apply,
    at_once,
    read_current_values,
    set_aside,
)
from graphmine.exchange.push_checks import PropertyClaim, Seen, claim, refuse_stale
from graphmine.exchange.run_draft import completed
from graphmine.exchange.runs import Run, find_run, list_runs, new_run, record, set_state
from graphmine.exchange.schema import find_kinds, find_properties
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Star
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store, Transaction

__all__ = ["push", "resume", "undo"]

_BATCHES_A_COMMIT = 4
"""How many batches of the journal one commit stores, at the most: a commit costs more than a batch."""


def push(
    store: Store,
    star: Star,
    clustering: Clustering,
    run: Run | str,
    *,
    constraints: Constraints = FREE,
    overwrite: bool = False,
    keys: Mapping[str, str] | None = None,
    claimed: PropertyClaim | None = None,
    progress: Progress = silent,
) -> Run:
    """Write the labels of every kind of a star as a node property and return the run as it was recorded.

    Parameters
    ----------
    store, star, clustering
        Where to, whose labels, which labels.
    run
        What to record, see `Run`; the name of the property will do. What it leaves out of method, parameters, seed,
        number of clusters, objective, quality, seconds and versions is filled in from the clustering.
    constraints
        What the clustering was fitted with; if the method judges links, their trust is stored with the run.
    overwrite
        Whether values that graphmine did not write may be replaced. `undo` brings them back.
    keys
        As given to `pull`.
    claimed
        What `claim` gave for the star and the property, where that has been asked. It is asked again if a run on the
        property has begun or ended since.
    """
    _check_labels(star, clustering)
    draft = completed(Run(run) if isinstance(run, str) else run, star, clustering)
    judged = tuple(judged_links(constraints, clustering, {nodes.kind: nodes for nodes in star.kinds}))
    look = partial(claim, store, star, draft.property, overwrite=overwrite, keys=keys)
    begin = partial(_begun, store, star, clustering, draft)
    try:
        new, batches, current = begin(claimed or look())
    except RunError:
        if claimed is None:
            raise
        new, batches, current = begin(look())  # a run on the property has begun or ended since it was claimed
    _declare_property(store, new, new.added)
    write_trust(store, new, judged, progress)
    _write_journal(store, new, batches, current, progress)
    return _finish(store, new, batches, current, progress)


def _begun(
    store: Store, star: Star, clustering: Clustering, draft: Run, claimed: PropertyClaim
) -> tuple[Run, list[Batch], Mapping[str, CurrentValues]]:
    """Begin a run on a claimed property; return the recorded run, its journal and the current values."""
    batches = _batches(star, clustering, claimed)
    run = replace(new_run(draft, [*claimed.places]), batches=len(batches), added=claimed.seen.added)
    store.writing(lambda tx: _begin(tx, run, claimed.seen))
    return run, batches, claimed.seen.current


def _check_labels(star: Star, clustering: Clustering) -> None:
    for nodes in star.kinds:
        if nodes.kind not in clustering.labels or len(clustering.labels[nodes.kind]) != len(nodes):
            raise ParameterError(f"the clustering does not hold one label for each node of {nodes.kind}")


def _batches(star: Star, clustering: Clustering, claimed: PropertyClaim) -> list[Batch]:
    """Return the journal of a run."""
    batches: list[Batch] = []
    for kind in (nodes.kind for nodes in star.kinds):
        place = claimed.places[kind]
        given = clustering.labels[kind][place.order]
        labels = np.where(given == UNPLACED, ABSENT, given)
        batches += batches_of(len(batches), kind, claimed.seen.current[kind].key, place.keys, labels, place.before)
    return batches


def resume(store: Store, name: str | Run, *, force: bool = False, progress: Progress = silent) -> Run:
    """Bring an interrupted run to its end: ``complete``, or ``undone`` if it had not begun to change anything.

    A run that a living process of this machine seems to be writing is left to it, unless forced.
    """
    run = _ours_to_end(find_run(store, name), force=force)
    if run.state != "writing":
        raise RunError(f"run {run.id} is {run.state}; there is nothing to resume")
    store.writing(lambda tx: set_state(tx, run, "writing"))
    batches = read_journal(store, run.id)
    if len(batches) < run.batches:
        return _forget(store, run)
    _declare_property(store, run, _added(store, run, there=False))
    current = store.reading(lambda tx: read_current_values(tx, run.property, batches))
    return _finish(store, run, batches, current, progress)


def undo(store: Store, name: str | Run, *, force: bool = False, progress: Progress = silent) -> Run:
    """Put back what stood in the property before a run.

    A node whose value somebody has changed since is left as it is and counted as ``changed``. A run that a living
    process of this machine seems to be writing is left to it, unless forced.
    """
    with store.snapshot():
        run = _ours_to_end(find_run(store, name), force=force)
        _refuse_to_undo(run, list_runs(store))
        store.writing(lambda tx: set_state(tx, run, "writing"))
        batches = read_journal(store, run.id)
        if len(batches) >= run.batches:  # else nothing has been changed yet
            run = replace(run, counts=_put_back(store, run, batches, progress))
        return _forget(store, run)


def _refuse_to_undo(run: Run, runs: Sequence[Run]) -> None:
    """Refuse to undo a run twice, or before one that wrote the same property later; all runs are given in order."""
    if run.state == "undone":
        raise RunError(f"run {run.id} is undone already")
    later = [other for other in runs[runs.index(run) + 1 :] if other.state != "undone" and other.overlaps(run)]
    if later:
        raise RunError(f"run {later[-1].id} wrote {run.property!r} after it; undo that one first")


def _put_back(store: Store, run: Run, batches: Sequence[Batch], progress: Progress) -> ChangeCounts:
    """Put back what stood in the property, and count what became of the nodes."""
    _declare_property(store, run, _added(store, run, there=False))
    current = store.reading(lambda tx: read_current_values(tx, run.property, batches))
    return apply(store, run.id, run.property, batches, current, forward=False, progress=progress)


def _ours_to_end(run: Run, *, force: bool) -> Run:
    if run.writer() is not None and not force:
        raise RunError(
            f"run {run.id} is being written by process {run.writer()}; wait for it to end, or stop it "
            "(if that is no longer graphmine, say `force=True`)"
        )
    return run


def _finish(
    store: Store, run: Run, batches: Sequence[Batch], current: Mapping[str, CurrentValues], progress: Progress
) -> Run:
    run = replace(run, counts=apply(store, run.id, run.property, batches, current, forward=True, progress=progress))
    return store.writing(lambda tx: set_state(tx, run, "complete"))


def _begin(tx: Transaction, run: Run, seen: Seen) -> None:
    """Record a run as ``writing``, unless somebody else has begun or ended one since we looked."""
    for kind in sorted(run.kinds):  # always in one order, so that two runs never wait for each other
        tx.change("push_lock", {"kind": kind})
    for name, names in seen.missing:
        tx.change(name, names)
    refuse_stale(tx, run, seen)
    record(tx, run)


def _declare_property(store: Store, run: Run, kinds: Sequence[str]) -> None:
    """Make the property of a run for kinds that do not have it.

    In a commit of its own, after the run is on record: a crash of LadybugDB inside one that changes tables can keep the
    tables and lose the rows, and nobody would know whose the property is.
    """
    if kinds:
        store.writing(lambda tx: _change_tables(tx, "property_add", kinds, run.property))


def _added(store: Store, run: Run, *, there: bool) -> list[str]:
    """Return the kinds to which a run adds its property, of those that still exist: where it is there, or is not."""
    return store.reading(lambda tx: _of_added(tx, run, there=there)) if run.added else []


def _of_added(tx: Reader, run: Run, *, there: bool) -> list[str]:
    kinds = sorted(set(run.added) & set(find_kinds(tx)))
    return [kind for kind in kinds if (run.property in find_properties(tx, kind)) == there]


def _change_tables(tx: Transaction, name: str, kinds: Sequence[str], property_: str) -> None:
    for kind in kinds:
        tx.change(name, {"kind": kind, "property": property_})


def _write_journal(
    store: Store, run: Run, batches: Sequence[Batch], current: Mapping[str, CurrentValues], progress: Progress
) -> None:
    """Store the journal of a run, several batches a commit; in turns, so that all commits hold about as much."""
    enough = -(-sum(len(batch.keys) for batch in batches) // store.database.nodes_a_commit)
    commits = max(-(-len(batches) // _BATCHES_A_COMMIT), min(len(batches), store.writers, enough))
    numbers, aside = dict.fromkeys(run.kinds, 0), []
    for batch in batches:
        aside.append((batch.kind, set_aside([batch], current[batch.kind], numbers[batch.kind])))
        numbers[batch.kind] += aside[-1][1].num_rows
    write = partial(_write_batches, run)
    work = [partial(store.writing, partial(write, batches[i::commits], aside[i::commits])) for i in range(commits)]
    for done, _ in enumerate(at_once(store, work)):
        progress("push: write the journal", done, commits)
    progress("push: write the journal", commits, commits)


def _write_batches(run: Run, batches: Sequence[Batch], aside: Sequence[tuple[str, pa.Table]], tx: Transaction) -> None:
    write_batches(tx, run.id, batches)
    for kind, values in aside:
        if values.num_rows:
            names = {"kind": kind, "property": run.property}
            tx.change("before_create", names, values, run=run.id, kind=kind)


def _forget(store: Store, run: Run) -> Run:
    """Drop the properties that a run added, its journal and the trust of its links, and call it ``undone``."""
    added = _added(store, run, there=True)
    empty = store.reading(lambda tx: _without_labels(tx, added, run.property)) if added else []
    if empty:  # before the rows, and in a commit of its own, as they were made
        store.writing(lambda tx: _change_tables(tx, "property_drop", empty, run.property))
    return store.writing(lambda tx: _forget_rows(tx, run))


def _without_labels(tx: Reader, kinds: Sequence[str], property_: str) -> list[str]:
    """Return the kinds none of whose nodes has a value in a property."""
    numbers = tx.counts([("count_property", {"kind": kind, "property": property_}) for kind in kinds])
    return [kind for kind, number in zip(kinds, numbers, strict=True) if not number]


def _forget_rows(tx: Transaction, run: Run) -> Run:
    forget_trust(tx, run)
    tx.change("batch_delete", run=run.id)
    tx.change("before_delete", run=run.id)
    return set_state(tx, run, "undone")
