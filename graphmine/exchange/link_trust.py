"""How far each link of a run is trusted: kept with the run, and looked up later.

Links are stored thousands a node, as parallel lists, before the journal of the run: a journal that is whole says that
they are too, and so `resume` need not write them. Room for them is made when the run begins, see `missing_tables`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pyarrow as pa

from graphmine.constraints.trust import LINK_COLUMNS, JudgedLinks
from graphmine.exchange import journal
from graphmine.exchange.runs import TRUST_KIND, Run
from graphmine.exchange.schema import all_kinds
from graphmine.progress import Progress
from graphmine.store import NO_NAMES, Reader, Store, Transaction

__all__ = ["forget_trust", "read_trust", "write_trust"]

_SHARED = {
    "rule": pa.string(), "kind": pa.string(), "other_kind": pa.string(), "must": pa.bool_(), "hard": pa.bool_(),
}  # fmt: skip
_BATCHES_A_COMMIT = 4


def write_trust(store: Store, run: Run, judged: Sequence[JudgedLinks], progress: Progress) -> None:
    """Store the trust of links, some thousands a node."""
    batches = [part for each in judged for part in _cut(each)]
    for start in range(0, len(batches), _BATCHES_A_COMMIT):
        progress("push: write the trust of links", start, len(batches))
        rows = _rows(run, start, batches[start : start + _BATCHES_A_COMMIT])
        store.writing(partial(_create, rows))
    if batches:
        progress("push: write the trust of links", len(batches), len(batches))


def read_trust(store: Store, run: Run) -> pa.Table | None:
    """Return the links of a run with their trust, rule by rule, a row each; None where the run has none.

    The columns are ``rule`` (empty for none), ``kind``, ``other_kind``, ``must``, ``hard`` and the `LINK_COLUMNS`.
    """
    stored = store.reading(lambda tx: _stored(tx, run))
    if stored is None or not stored.num_rows:
        return None
    columns: dict[str, pa.ChunkedArray] = {}
    counts = [len(each.values) for each in stored["trust"]]
    for name, type_ in _SHARED.items():
        values = zip(stored[name].to_pylist(), counts, strict=True)
        columns[name] = pa.chunked_array([pa.repeat(pa.scalar(value, type_), count) for value, count in values])
    for name, type_ in LINK_COLUMNS.items():
        columns[name] = pa.chunked_array([each.values.cast(type_) for each in stored[name]])
    return pa.table(columns)


def forget_trust(tx: Transaction, run: Run) -> None:
    """Drop what is stored of the links of a run."""
    if _exists(tx):
        tx.change("trust_delete", run=run.id)


def _stored(tx: Reader, run: Run) -> pa.Table | None:
    return tx.query("trust_list", run=run.id) if _exists(tx) else None


def _exists(tx: Reader) -> bool:
    """Whether any run has judged links; a database that older versions wrote to has no place for them."""
    return TRUST_KIND in all_kinds(tx)


def _create(rows: pa.Table, tx: Transaction) -> None:
    tx.change("trust_create", NO_NAMES, rows)


def _cut(judged: JudgedLinks) -> list[JudgedLinks]:
    starts = range(0, judged.rows.num_rows, journal.BATCH)
    return [replace(judged, rows=judged.rows.slice(start, journal.BATCH)) for start in starts]


def _rows(run: Run, first: int, batches: Sequence[JudgedLinks]) -> pa.Table:
    numbers = range(first, first + len(batches))
    shared = [(each.rule, *each.kinds, each.must, each.hard) for each in batches]
    rows = {
        "id": pa.array([f"{run.id}/{number:06d}" for number in numbers]),
        "run": pa.array([run.id] * len(batches)),
        "number": pa.array(numbers, pa.int64()),
        **{name: pa.array(each, _SHARED[name]) for name, each in zip(_SHARED, zip(*shared, strict=True), strict=True)},
        **{name: journal.lists([each.rows[name].combine_chunks() for each in batches]) for name in LINK_COLUMNS},
    }
    return pa.table(rows)
