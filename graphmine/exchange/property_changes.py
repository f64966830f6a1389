"""Changing a property of many nodes from one known value to another, and knowing what became of each node."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Ints
from graphmine.exchange.journal import ABSENT, FOREIGN, Batch
from graphmine.exchange.schema import find_key, find_kinds, find_properties
from graphmine.model import Nodes
from graphmine.progress import Progress
from graphmine.store import Names, Reader, Store

__all__ = ["ChangeCounts", "CurrentValues", "apply", "at_once", "read_current_values", "read_values_of", "set_aside"]

T = TypeVar("T")

KindCounts = dict[str, int]
ChangeCounts = dict[str, KindCounts]


@dataclass(frozen=True)
class CurrentValues:
    """The current values of a property of a kind's nodes, and handles by which the database finds the nodes fast."""

    kind: str
    key: str
    primary: str
    handles: pa.Array
    keys: pa.Array
    values: Ints

    def positions(self, keys: pa.Array) -> Ints:
        """Return the position of each key, -1 for nodes that are gone."""
        if keys.type != self.keys.type:
            return np.full(len(keys), -1, dtype=np.int64)
        if keys.equals(self.keys):  # in the order of the database, as a push has them: no need to look each up
            return np.arange(len(keys), dtype=np.int64)
        return np.asarray(pc.index_in(keys, value_set=self.keys).fill_null(-1), dtype=np.int64)

    def values_of(self, keys: pa.Array) -> Ints:
        """Return the values of the nodes with these keys, `ABSENT` for nodes that are gone."""
        at = self.positions(keys)
        return np.where(at >= 0, self.values[at], ABSENT) if len(self.values) else np.full(len(at), ABSENT)


def read_values_of(tx: Reader, kind: str, key: str, property_: str) -> CurrentValues:
    """Read the values of a property for all nodes of a kind."""
    primary = find_key(tx, kind) if tx.database.finds_by_key else key
    new = tx.database.declares_properties and property_ not in find_properties(tx, kind)
    names = {"kind": kind, "key": key, "property": property_, "primary": primary}
    table = tx.query("push_nodes_new" if new else "push_nodes", names, absent=ABSENT, foreign=FOREIGN)
    table = table.filter(pc.is_valid(table["key"]))
    keys = Nodes(kind, table["key"]).keys
    values = np.asarray(table["before"].cast(pa.int64()), dtype=np.int64)
    return CurrentValues(kind, key, primary, table["id"].combine_chunks(), keys, values)


def read_current_values(tx: Reader, property_: str, batches: Sequence[Batch]) -> dict[str, CurrentValues]:
    """Read the current values for the kinds of a journal that still exist."""
    known = find_kinds(tx)
    found = {batch.kind: batch.key for batch in batches if batch.kind in known}
    return {kind: read_values_of(tx, kind, key, property_) for kind, key in found.items()}


def apply(
    store: Store,
    run: str,
    property_: str,
    batches: Sequence[Batch],
    current: Mapping[str, CurrentValues],
    *,
    forward: bool,
    progress: Progress,
) -> ChangeCounts:
    """Take every node of a journal from its old value to its label, or back, some thousands in a transaction.

    Returns for each kind: nodes, written, unplaced (no label), gone (no longer there), changed (by somebody else
    meanwhile, and left alone).
    """
    what = "push: write the labels" if forward else "undo: put values back"
    counts: ChangeCounts = {kind: _nothing() for kind in current}  # a kind without nodes has no batch
    places = _places(batches, current)
    work: list[tuple[KindCounts, Callable[[], int]]] = []
    for batch in batches:
        here = counts.setdefault(batch.kind, _nothing())
        here["nodes"] += len(batch.keys)
        here["unplaced"] += int(np.count_nonzero(batch.labels == ABSENT))
        now = current.get(batch.kind)
        if now is None:
            here["gone"] += len(batch.keys)
            continue
        at = places[batch.number]
        here["gone"] += int(np.count_nonzero(at < 0))
        names = {"kind": batch.kind, "key": batch.key, "property": property_, "primary": now.primary}
        steps = _steps(batch, now, at, forward=forward)
        for start in range(0, len(steps), store.database.nodes_a_commit):
            some = steps.slice(start, store.database.nodes_a_commit)
            work.append((here, partial(_change, store, "push_labels", names, some, absent=ABSENT)))
    for done, ((here, _), written) in enumerate(zip(work, at_once(store, [piece for _, piece in work]), strict=True)):
        progress(what, done, len(work))
        here["written"] += written
    for kind, now in current.items():
        counts[kind]["written"] += _apply_aside(store, run, property_, batches, now, forward=forward)
    for here in counts.values():
        here["changed"] = here["nodes"] - here["written"] - here["gone"]
    progress(what, len(work), len(work))
    return counts


def set_aside(batches: Sequence[Batch], now: CurrentValues, first: int = 0) -> pa.Table:
    """List the nodes whose old value is not a whole number: handle (null if gone), key, label, running number."""
    handles, keys, labels = [], [], []
    for batch in batches:
        foreign = np.flatnonzero(batch.before == FOREIGN)
        if len(foreign):
            keys.append(batch.keys.take(pa.array(foreign)))
            at = now.positions(keys[-1])
            handles.append(now.handles.take(pa.array(at, mask=at < 0)))
            labels.append(pa.array(batch.labels[foreign]))
    if not keys:
        return pa.table({})
    columns = {"id": handles, "key": keys, "label": labels}
    table = pa.table({name: pa.chunked_array(chunks) for name, chunks in columns.items()})
    return table.append_column("number", pa.array(np.arange(first, first + table.num_rows)))


def _nothing() -> KindCounts:
    return dict.fromkeys(("nodes", "written", "unplaced", "gone", "changed"), 0)


def at_once(store: Store, work: Sequence[Callable[[], T]]) -> Iterator[T]:
    """Do pieces of work, as many at once as a database takes, and give what they return, in order.

    They must not need the same nodes: nobody knows which is done first.
    """
    with ThreadPoolExecutor(store.writers) as pool:
        futures = [pool.submit(piece) for piece in work]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _places(batches: Sequence[Batch], current: Mapping[str, CurrentValues]) -> dict[int, Ints]:
    """Find the nodes of every batch, all of a kind at once: each look-up costs a pass over the whole kind."""
    places: dict[int, Ints] = {}
    for kind, now in current.items():
        mine = [batch for batch in batches if batch.kind == kind]
        if not mine:
            continue
        found = now.positions(pa.concat_arrays([batch.keys for batch in mine]))
        ends = np.cumsum([len(batch.keys) for batch in mine])
        places |= {batch.number: part for batch, part in zip(mine, np.split(found, ends[:-1]), strict=True)}
    return places


def _steps(batch: Batch, now: CurrentValues, at: Ints, *, forward: bool) -> pa.Table:
    """List the steps of a batch, without nodes that have gone or whose old value is set aside."""
    kept = np.flatnonzero((at >= 0) & (batch.before != FOREIGN))
    old, new = (batch.before, batch.labels) if forward else (batch.labels, batch.before)
    return pa.table({
        "id": now.handles.take(pa.array(at[kept])),
        "key": batch.keys.take(pa.array(kept)),
        "old": old[kept],
        "new": new[kept],
    })


def _apply_aside(
    store: Store, run: str, property_: str, batches: Sequence[Batch], now: CurrentValues, *, forward: bool
) -> int:
    aside = set_aside([batch for batch in batches if batch.kind == now.kind], now)
    name = "before_replace" if forward else "before_restore"
    if not aside.num_rows:
        return 0
    names = {"kind": now.kind, "key": now.key, "property": property_}
    return _change(store, name, names, aside, run=run, kind=now.kind, absent=ABSENT)


def _change(store: Store, name: str, names: Names, rows: pa.Table, **values: object) -> int:
    return store.writing(lambda tx: tx.change(name, names, rows, **values))
