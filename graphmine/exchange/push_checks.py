"""Checks before a push: what it reads first, and what it refuses to replace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Ints
from graphmine.checks import check_name
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.journal import ABSENT, Batch, read_journal
from graphmine.exchange.property_changes import CurrentValues, read_values_of
from graphmine.exchange.runs import Run, missing_tables, read_runs, stored_runs
from graphmine.exchange.schema import find_key
from graphmine.model import Star
from graphmine.store import Names, Reader, Store

__all__ = ["PropertyClaim", "Seen", "claim", "refuse_stale"]


@dataclass(frozen=True)
class Seen:
    """What stood in the property before a push."""

    current: Mapping[str, CurrentValues]
    added: tuple[str, ...]
    """The kinds that do not have the property yet, where the database wants to be told."""
    runs: tuple[Run, ...]
    """The runs on the same property of the same kinds."""
    missing: tuple[tuple[str, Names], ...]
    """What makes room for a run and its journal, see `missing_tables`."""


@dataclass(frozen=True, eq=False)
class StoredNodes:
    """The nodes of a kind in the order in which the database keeps them: neighbours are written faster together.

    Parameters
    ----------
    order
        Where each stands among the nodes of the star.
    keys, before
        Its key, and what stands in the property.
    """

    order: Ints
    keys: pa.Array
    before: Ints


@dataclass(frozen=True, eq=False)
class PropertyClaim:
    """The values that a push may replace; it leaves alone whatever changes after this check.

    Parameters
    ----------
    property, seen, places
        The property, the values it had, and for each kind the nodes in the database's order.
    journals
        The journal of the newest earlier run, by the id of the run, if it was read.
    """

    property: str
    seen: Seen
    places: Mapping[str, StoredNodes]
    journals: Mapping[str, Sequence[Batch]]


def claim(
    store: Store, star: Star, property_: str, *, overwrite: bool = False, keys: Mapping[str, str] | None = None
) -> PropertyClaim:
    """Read a property of a star's nodes; refuse values that labels cannot or must not replace."""
    check_name("property", property_)
    run = Run(property_, kinds=tuple(nodes.kind for nodes in star.kinds))
    seen = store.reading(lambda tx: _look(tx, run, keys or {}))
    at = {nodes.kind: seen.current[nodes.kind].positions(nodes.keys) for nodes in star.kinds}
    _refuse_gone(star, at)
    if store.database.several_kinds:
        _refuse_shared(star, seen, at)
    earlier, places = _Earlier(store, seen.runs), {}
    for nodes in star.kinds:
        order = np.argsort(at[nodes.kind], kind="stable")
        in_order = nodes.keys.take(pa.array(order))
        before = seen.current[nodes.kind].values_of(in_order)
        if not overwrite:
            _refuse_foreign(earlier, run, nodes.kind, in_order, before)
        places[nodes.kind] = StoredNodes(order, in_order, before)
    return PropertyClaim(property_, seen, places, earlier.newest())


def _look(tx: Reader, run: Run, keys: Mapping[str, str]) -> Seen:
    """Read the property of every kind; refuse a property that cannot hold labels."""
    current, added = {}, []
    runs = _overlapping(read_runs(tx, now=True), run)
    for kind in run.kinds:
        key = find_key(tx, kind, keys.get(kind))
        if run.property == key:
            raise ParameterError(f"{run.property!r} is the key of {kind}; write to another property")
        if _must_declare(tx, kind, run.property):
            added.append(kind)
        current[kind] = read_values_of(tx, kind, key, run.property)
    return Seen(current, tuple(added), runs, tuple(missing_tables(tx)))


def refuse_stale(tx: Reader, run: Run, seen: Seen) -> None:
    """Refuse to begin if another run on the property has begun or ended since we looked; there is room for runs."""
    if _overlapping(stored_runs(tx), run) != seen.runs:
        raise RunError(f"another run has written {run.property!r} meanwhile; nothing was changed, mine again")


def _refuse_gone(star: Star, places: Mapping[str, Ints]) -> None:
    """Refuse nodes that have gone altogether.

    ``places`` say where the nodes of each kind stand among those that were seen, -1 for those that have gone.
    """
    for nodes in star.kinds:
        at = places[nodes.kind]
        if len(at) and (at < 0).all():
            raise RunError(f"none of the {len(at)} {nodes.kind} nodes is in the database any more; pull again")


def _refuse_shared(star: Star, seen: Seen, places: Mapping[str, Ints]) -> None:
    """Refuse nodes of two kinds, which would get a label from each."""
    owners: list[tuple[str, Ints]] = []
    for nodes in star.kinds:
        at = places[nodes.kind]
        mine = np.asarray(seen.current[nodes.kind].handles.take(pa.array(at[at >= 0])), dtype=np.int64)
        for kind, others in owners:
            shared = len(np.intersect1d(mine, others, assume_unique=True))
            if shared:
                raise RunError(
                    f"{shared} nodes are both {kind} and {nodes.kind} and would need two labels in one property; "
                    "filter one of the kinds"
                )
        owners.append((nodes.kind, mine))


class _Earlier:
    """What earlier runs wrote to a property, from the newest backwards; each is read once, and only if it is asked."""

    def __init__(self, store: Store, runs: Sequence[Run]) -> None:
        self._store, self._runs = store, runs
        self._journals: dict[str, list[Batch]] = {}

    def labels(self, kind: str, type_: pa.DataType) -> Iterator[tuple[pa.Array, Ints]]:
        """Give the keys and labels that each run wrote to a kind, where its keys are of a type."""
        for run in reversed(self._runs):
            if run.state != "complete" or kind not in run.kinds:
                continue
            if run.id not in self._journals:
                self._journals[run.id] = read_journal(self._store, run.id)
            mine = [batch for batch in self._journals[run.id] if batch.kind == kind and batch.keys.type == type_]
            if mine:
                yield pa.concat_arrays([batch.keys for batch in mine]), np.concatenate([each.labels for each in mine])

    def newest(self) -> dict[str, list[Batch]]:
        """Return the journal of the newest run that was read, by the name of the run."""
        return dict([*self._journals.items()][:1])


def _refuse_foreign(earlier: _Earlier, run: Run, kind: str, keys: pa.Array, before: Ints) -> None:
    """Refuse to replace values that no earlier run has written, looking from the newest run backwards."""
    unexplained = before != ABSENT
    if not unexplained.any():
        return
    for known, labels in earlier.labels(kind, keys.type):
        if known.equals(keys):  # as it is unless nodes came or went; to look each up takes long
            unexplained &= before != labels
        else:
            at = np.asarray(pc.index_in(known, value_set=keys).fill_null(-1), dtype=np.int64)
            same = (at >= 0) & (before[at] == labels)
            unexplained[at[same]] = False
        if not unexplained.any():
            return
    if unexplained.any():
        first = keys[int(np.flatnonzero(unexplained)[0])].as_py()
        raise RunError(
            f"{kind}.{run.property} holds {int(unexplained.sum())} values that graphmine did not write, the first on "
            f"{first!r}; write to another property, or say `overwrite=True`"
        )


def _overlapping(runs: Sequence[Run], run: Run) -> tuple[Run, ...]:
    """Return the runs on the same property of the same kinds; refuse if one is not finished."""
    found = tuple(other for other in runs if other.overlaps(run))
    for other in found:
        if other.state == "writing":
            raise RunError(other.unfinished())
    return found


def _must_declare(tx: Reader, kind: str, property_: str) -> bool:
    """Whether the database must be told of the property before labels go into it; refuse one that can not take them."""
    if not tx.database.declares_properties:
        return False
    rows = tx.query("schema_properties", {"kind": kind}).to_pylist()
    return tx.database.must_declare(kind, property_, {row["name"]: row["type"] for row in rows})
