"""From labels to node properties, so that nothing is lost whatever happens on the way.

1. What stands in the property is read; values that graphmine did not write stop the push unless told otherwise.
2. The run is recorded as ``writing``, and its journal (labels and what they replace) is stored.
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
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphmine.checks import check_name
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.changes import Standing, apply, set_aside, standing, stands_of
from graphmine.exchange.journal import ABSENT, Batch, batches_of, read_journal, write_batch
from graphmine.exchange.runs import Run, find_run, list_runs, new_run, read_runs, record, set_state
from graphmine.exchange.schema import find_key, find_kinds, find_properties
from graphmine.model import UNPLACED, Clustering, Star
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store, Transaction, query

__all__ = ["push", "resume", "undo"]

Numbers = NDArray[np.int64]


def push(
    store: Store,
    star: Star,
    clustering: Clustering,
    run: Run,
    *,
    overwrite: bool = False,
    keys: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Run:
    """Write the labels of every kind of a star as a node property and return the run as it was recorded.

    Parameters
    ----------
    store, star, clustering
        Where to, whose labels, which labels.
    run
        What to record: at least the property; see `Run`.
    overwrite
        Whether values that graphmine did not write may be replaced. `undo` brings them back.
    keys
        As given to `pull`.
    """
    check_name("property", run.property)
    for nodes in star.kinds:
        if nodes.kind not in clustering.labels or len(clustering.labels[nodes.kind]) != len(nodes):
            raise ParameterError(f"the clustering does not hold one label for each node of {nodes.kind}")
    run = new_run(run, [nodes.kind for nodes in star.kinds])
    stands, added = store.reading(lambda tx: _look(tx, store.dialect, run, keys or {}))
    batches: list[Batch] = []
    for nodes in star.kinds:
        stand = stands[nodes.kind]
        at = stand.positions(nodes.keys)
        before = np.where(at >= 0, stand.values[at] if len(stand.values) else ABSENT, ABSENT)
        if not overwrite:
            _refuse_foreign(store, run, nodes.kind, nodes.keys, before)
        given = clustering.labels[nodes.kind]
        labels = np.where(given == UNPLACED, ABSENT, given)
        batches += batches_of(len(batches), nodes.kind, stand.key, nodes.keys, labels, before)
    run = replace(run, batches=len(batches), added=added)
    store.writing(lambda tx: _begin(tx, store.dialect, run))
    _write_journal(store, run, batches, stands, progress)
    run = replace(run, counts=apply(store, run.id, run.property, batches, stands, forward=True, progress=progress))
    return store.writing(lambda tx: set_state(tx, store.dialect, run, "complete"))


def resume(store: Store, name: str, *, force: bool = False, progress: Progress = silent) -> Run:
    """Bring an interrupted run to its end: ``complete``, or ``undone`` if it had not begun to change anything.

    A run that a living process of this machine seems to be writing is left to it, unless forced.
    """
    run = _ours_to_end(find_run(store, name), force=force)
    if run.state != "writing":
        raise RunError(f"run {run.id} is {run.state}; there is nothing to resume")
    store.writing(lambda tx: set_state(tx, store.dialect, run, "writing"))
    batches = read_journal(store, run.id)
    if len(batches) < run.batches:
        return store.writing(lambda tx: _forget(tx, store.dialect, run))
    if store.dialect == "ladybug":
        store.writing(lambda tx: _add_properties(tx, store.dialect, run))
    stands = store.reading(lambda tx: stands_of(tx, store.dialect, run.property, batches))
    run = replace(run, counts=apply(store, run.id, run.property, batches, stands, forward=True, progress=progress))
    return store.writing(lambda tx: set_state(tx, store.dialect, run, "complete"))


def undo(store: Store, name: str, *, force: bool = False, progress: Progress = silent) -> Run:
    """Put back what stood in the property before a run.

    A node whose value somebody has changed since is left as it is and counted as ``changed``. A run that a living
    process of this machine seems to be writing is left to it, unless forced.
    """
    run = _ours_to_end(find_run(store, name), force=force)
    if run.state == "undone":
        raise RunError(f"run {run.id} is undone already")
    runs = list_runs(store)
    later = [other for other in runs[runs.index(run) + 1 :] if other.state != "undone" and other.overlaps(run)]
    if later:
        raise RunError(f"run {later[-1].id} wrote {run.property!r} after it; undo that one first")
    store.writing(lambda tx: set_state(tx, store.dialect, run, "writing"))
    batches = read_journal(store, run.id)
    if len(batches) >= run.batches:  # else nothing has been changed yet
        stands = store.reading(lambda tx: stands_of(tx, store.dialect, run.property, batches))
        run = replace(run, counts=apply(store, run.id, run.property, batches, stands, forward=False, progress=progress))
    return store.writing(lambda tx: _forget(tx, store.dialect, run))


def _ours_to_end(run: Run, *, force: bool) -> Run:
    if run.writer() is not None and not force:
        raise RunError(
            f"run {run.id} is being written by process {run.writer()}; wait for it to end, or stop it "
            "(if that is no longer graphmine, say --force)"
        )
    return run


def _look(tx: Reader, dialect: str, run: Run, keys: Mapping[str, str]) -> tuple[dict[str, Standing], tuple[str, ...]]:
    """Read what stands in the property of every kind, and which kinds do not have it yet; refuse what can not be."""
    _refuse_unfinished(tx, dialect, run)
    stands, added = {}, []
    for kind in run.kinds:
        key = find_key(tx, dialect, kind, keys.get(kind))
        if run.property == key:
            raise ParameterError(f"{run.property!r} is the key of {kind}; write to another property")
        if dialect == "ladybug" and _must_add(kind, run.property, find_properties(tx, dialect, kind)):
            added.append(kind)
        stands[kind] = standing(tx, dialect, kind, key, run.property)
    return stands, tuple(added)


def _must_add(kind: str, property_: str, held: Mapping[str, str]) -> bool:
    """Whether the embedded database needs a new column; refuse one that labels can not go into."""
    for name, type_ in held.items():
        if name.lower() == property_.lower() and (name != property_ or type_ != "integer"):
            why = f"holds {type_}" if name == property_ else "is all the embedded database sees in it"
            raise RunError(f"{kind}.{property_} can not take labels: {name!r} {why}; write to another property")
    return property_ not in held


def _refuse_unfinished(tx: Reader, dialect: str, run: Run) -> None:
    for other in read_runs(tx, dialect):
        if other.state == "writing" and other.overlaps(run):
            raise RunError(other.unfinished())


def _refuse_foreign(store: Store, run: Run, kind: str, keys: pa.Array, before: Numbers) -> None:
    """Refuse to replace values that no earlier run has written, looking from the newest run backwards."""
    unexplained = before != ABSENT
    for earlier in reversed(list_runs(store)):
        if not unexplained.any():
            return
        if earlier.state == "complete" and earlier.property == run.property and kind in earlier.kinds:
            for batch in read_journal(store, earlier.id):
                if batch.kind == kind and batch.keys.type == keys.type:
                    at = np.asarray(pc.index_in(batch.keys, value_set=keys).fill_null(-1), dtype=np.int64)
                    same = (at >= 0) & (before[at] == batch.labels)
                    unexplained[at[same]] = False
    if unexplained.any():
        first = keys[int(np.flatnonzero(unexplained)[0])].as_py()
        raise RunError(
            f"{kind}.{run.property} holds {int(unexplained.sum())} values that graphmine did not write, the first on "
            f"{first!r}; write to another property, or say --overwrite"
        )


def _begin(tx: Transaction, dialect: str, run: Run) -> None:
    """Record a run as ``writing``; somebody else may have begun one since we looked."""
    if dialect == "ladybug":
        tx.write(query(dialect, "run_table"))
        tx.write(query(dialect, "batch_table"))
        _add_properties(tx, dialect, run)
    _refuse_unfinished(tx, dialect, run)
    record(tx, dialect, run)


def _add_properties(tx: Transaction, dialect: str, run: Run) -> None:
    for kind in run.added:
        tx.write(query(dialect, "property_add", kind=kind, property=run.property))


def _write_journal(
    store: Store, run: Run, batches: Sequence[Batch], stands: Mapping[str, Standing], progress: Progress
) -> None:
    numbers = dict.fromkeys(run.kinds, 0)
    for done, batch in enumerate(batches):
        progress("push: write the journal", done, len(batches))
        aside = set_aside([batch], stands[batch.kind], numbers[batch.kind])
        store.writing(partial(_write_batch, store.dialect, run, batch, aside))
        numbers[batch.kind] += aside.num_rows
    progress("push: write the journal", len(batches), len(batches))


def _write_batch(dialect: str, run: Run, batch: Batch, aside: pa.Table, tx: Transaction) -> None:
    write_batch(tx, dialect, run.id, batch)
    if aside.num_rows:
        text = query(dialect, "before_create", kind=batch.kind, property=run.property)
        tx.write(text, aside, run=run.id, kind=batch.kind)


def _forget(tx: Transaction, dialect: str, run: Run) -> Run:
    """Drop the journal of a run and the properties it added, and call it ``undone``."""
    tx.write(query(dialect, "batch_delete"), None, run=run.id)
    if dialect == "neo4j":
        tx.write(query(dialect, "before_delete"), None, run=run.id)
    for kind in set(run.added) & set(find_kinds(tx, dialect)):
        if run.property in find_properties(tx, dialect, kind):
            held = tx.read(query(dialect, "count_property", kind=kind, property=run.property))["n"][0].as_py()
            if not held:
                tx.write(query(dialect, "property_drop", kind=kind, property=run.property))
    return set_state(tx, dialect, run, "undone")
