"""The journal of a run: every label it writes and every value it replaces, stored before the first change.

Changing a node is then a step from one known value to another, and so can be repeated, finished later, or turned round.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Ints
from graphmine.model import UNPLACED, Nodes
from graphmine.store import NO_NAMES, Store, Transaction

__all__ = [
    "ABSENT", "BATCH", "FOREIGN", "Batch", "Written", "batches_of", "labels_in", "labels_of", "lists", "read_journal",
    "write_batches",
]  # fmt: skip

ABSENT = -(2**63)
"""Stands for a property that is not there."""
FOREIGN = ABSENT + 1
"""Stands for a value that is no whole number; the server sets such values aside itself."""
BATCH = 40_000
"""How many nodes one batch of the journal holds."""


@dataclass(frozen=True)
class Batch:
    """Some nodes of one kind: their keys, their new labels and what stood there before."""

    number: int
    kind: str
    key: str
    keys: pa.Array
    labels: Ints
    before: Ints


def batches_of(first: int, kind: str, key: str, keys: pa.Array, labels: Ints, before: Ints) -> Iterator[Batch]:
    """Cut the nodes of a kind into batches, numbered from ``first``."""
    for offset in range(0, len(keys), BATCH):
        part = slice(offset, offset + BATCH)
        yield Batch(first + offset // BATCH, kind, key, keys[part], labels[part], before[part])


def write_batches(tx: Transaction, run: str, batches: Sequence[Batch]) -> None:
    """Add batches to a run's journal."""
    no_text, no_numbers = pa.array([], pa.string()), pa.array([], pa.int64())
    text = [pa.types.is_string(batch.keys.type) for batch in batches]
    rows = {
        "id": pa.array([f"{run}/{batch.number:06d}" for batch in batches]),
        "run": pa.array([run] * len(batches)),
        "number": pa.array([batch.number for batch in batches]),
        "kind": pa.array([batch.kind for batch in batches]),
        "key": pa.array([batch.key for batch in batches]),
        "text_keys": lists([each.keys if is_text else no_text for each, is_text in zip(batches, text, strict=True)]),
        "number_keys": lists([
            no_numbers if is_text else each.keys for each, is_text in zip(batches, text, strict=True)
        ]),
        "labels": lists([pa.array(batch.labels) for batch in batches]),
        "before": lists([pa.array(batch.before) for batch in batches]),
    }
    tx.change("batch_create", NO_NAMES, pa.table(rows))


@dataclass(frozen=True, eq=False)
class Written:
    """The labels that a run wrote to a kind: its nodes, the property that names them, and a label each."""

    nodes: Nodes
    key: str
    labels: Ints


def labels_of(store: Store, run: str) -> dict[str, Written]:
    """Return what a run wrote to each kind, nodes in the order of their keys, `UNPLACED` for nodes without a label."""
    return labels_in(read_journal(store, run))


def labels_in(journal: Sequence[Batch]) -> dict[str, Written]:
    """Return what a journal says that its run wrote to each kind, see `labels_of`."""
    found = {}
    for kind, key in {batch.kind: batch.key for batch in journal}.items():
        mine = [batch for batch in journal if batch.kind == kind]
        keys = pa.chunked_array([batch.keys for batch in mine]).combine_chunks()
        order = pc.sort_indices(keys)
        labels = np.concatenate([batch.labels for batch in mine])[np.asarray(order)]
        found[kind] = Written(Nodes(kind, keys.take(order)), key, np.where(labels == ABSENT, UNPLACED, labels))
    return found


def read_journal(store: Store, run: str) -> list[Batch]:
    """Return the journal of a run, in order."""
    rows = store.reading(lambda tx: tx.query("batch_list", run=run))
    return [_batch(rows, i) for i in range(rows.num_rows)]


def _batch(rows: pa.Table, i: int) -> Batch:
    number, kind, key = (rows[name][i].as_py() for name in ("number", "kind", "key"))
    text, numbers, labels, before = (rows[name][i].values for name in ("text_keys", "number_keys", "labels", "before"))
    keys = text.cast(pa.string()) if text is not None and len(text) else numbers.cast(pa.int64())
    return Batch(number, kind, key, keys, np.asarray(labels, dtype=np.int64), np.asarray(before, dtype=np.int64))


def lists(values: Sequence[pa.Array]) -> pa.ListArray:
    """Return some arrays as one array of lists."""
    ends = np.cumsum([0, *map(len, values)])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.concat_arrays(values))
