"""A database as rules see it: relations, values of properties, and the labels of earlier runs."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from graphmine.constraints.source import Earlier
from graphmine.errors import DataError, RunError
from graphmine.exchange.journal import labels_of
from graphmine.exchange.names import check_property, key_order, where_clause
from graphmine.exchange.pull import pull_relation
from graphmine.exchange.runs import COUNTS, Run, list_runs, runs_named
from graphmine.exchange.schema import find_key
from graphmine.model import Filter, Nodes, Pattern, Relation
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store

__all__ = ["StoreSource"]


class StoreSource:
    """What rules ask of a network, answered from a database.

    Parameters
    ----------
    store
        An open database.
    keys
        The property that names the nodes of a kind, for kinds where the database does not say it.
    before
        Only runs made before this one are earlier ones, so that its rules can be drawn again.
    """

    def __init__(
        self, store: Store, keys: Mapping[str, str], *, before: Run | None = None, progress: Progress = silent
    ) -> None:
        self._store, self._keys, self._before, self._progress = store, keys, before, progress

    def relation(self, pattern: Pattern, where: Sequence[Filter]) -> Relation:
        """Return the relation of a pattern, over the nodes that pass the filters."""
        keys = {kind: key for kind, key in self._keys.items() if kind in pattern.kinds}
        return pull_relation(self._store, pattern, where, keys, self._progress)

    def values(self, kind: str, property_: str, where: Sequence[Filter]) -> tuple[Nodes, pa.Array]:
        """Return the nodes of a kind that pass the filters, in the order of their keys, and a property of each."""
        return self._store.reading(lambda tx: self._values(tx, kind, property_, where))

    def _values(self, tx: Reader, kind: str, property_: str, where: Sequence[Filter]) -> tuple[Nodes, pa.Array]:
        check_property(tx, kind, property_, where)
        key = find_key(tx, kind, self._keys.get(kind))
        clause, values = where_clause(tx, kind, where)
        names = {"kind": kind, "key": key, "property": property_, "where": clause}
        try:
            table = tx.query("pull_values", names, **values)
        except DataError as error:
            raise DataError(f"{kind}.{key} and {kind}.{property_} can not be read: {error}") from error
        order = key_order(kind, key, table["key"])
        return Nodes(kind, table["key"].take(order)), table["value"].take(order).combine_chunks()

    def earlier(self, run: str, last: int) -> list[Earlier]:
        """Return the labels of a run and, with ``last``, of those before it that wrote the same property."""
        runs = [each for each in list_runs(self._store) if self._is_before(each) and each.method != COUNTS]
        latest = self._latest(run, runs)
        chain = [each for each in runs if each.state == "complete" and each.property == latest.property]
        chain = chain[: chain.index(latest) + 1][::-1][:last]
        return [self._labels(each) for each in chain]

    def _labels(self, run: Run) -> Earlier:
        written = labels_of(self._store, run.id)
        return Earlier(run.id, {kind: (each.nodes, each.labels) for kind, each in written.items()})

    def _is_before(self, run: Run) -> bool:
        return self._before is None or (run.created, run.id) < (self._before.created, self._before.id)

    def _latest(self, name: str, runs: Sequence[Run]) -> Run:
        """Return the run of that name, or of the only name that begins so, or the last complete one of a property."""
        complete = [run for run in runs if run.state == "complete"]
        named = complete[-1:] if name == "last" else runs_named(name, runs)
        named = named or [run for run in complete if run.property == name][-1:]
        if not named:
            earlier = "" if self._before is None else f" from before run {self._before.id}"
            what = "complete run" if name == "last" else f"run {name!r}, nor a complete one that wrote such a property,"
            raise RunError(f"there is no {what}{earlier} in {self._store.name} whose clusters could be constraints")
        if named[0].state != "complete":
            raise RunError(f"run {named[0].id} is {named[0].state}; only a complete run's clusters can be constraints")
        return named[0]
