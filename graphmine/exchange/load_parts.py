"""Load a network that comes in parts into a database, with no more than a part in memory.

`load` reads what the database holds and compares; here only what a part names is looked up, by its keys. Each kind and
relationship type of a part is a transaction of its own: an embedded database keeps all that a transaction touched in
memory until it ends. Whatever a crash leaves is a beginning: loading again goes on from there.
"""

import time
from collections.abc import Iterable
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Ints
from graphmine.checks import check_choice
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError
from graphmine.exchange.counts import count_nodes
from graphmine.exchange.load import Counts, Loaded, Loading, names_of
from graphmine.exchange.load_tables import tables_of
from graphmine.progress import silent
from graphmine.store import Names, Reader, Store, Transaction

__all__ = ["load_parts"]


def load_parts(store: Store, parts: Iterable[Network], *, centre: str | None = None) -> Loaded:
    """Bring a network into a database part by part; loading it again, or after a crash, adds what is missing.

    Parameters
    ----------
    store
        An open database.
    parts
        Networks with the same kinds, types and properties, each holding the nodes that its relationships join. A node
        may come in many parts; it is stored once.
    centre
        The kind whose nodes come with all their relationships in one part, as papers do that come with their authors:
        relationships that are there already are looked for from these. Without it, from where they begin.

    Examples
    --------
    >>> from graphmine.datasets.davis import davis
    >>> from graphmine.store import connect
    >>> with connect(":memory:") as store:
    ...     first, second = load_parts(store, [davis(), davis()]), load_parts(store, [davis()])
    >>> first.nodes["Woman"], first.relationships["Woman-ATTENDED->Event"]
    (Counts(created=18, updated=0, unchanged=0), Counts(created=89, updated=0, unchanged=89))
    >>> second.nodes["Woman"]
    Counts(created=0, updated=0, unchanged=18)
    """
    start = time.perf_counter()
    whole = _Whole(store, centre)
    try:
        for part in parts:
            whole.add(part)
    except (Exception, KeyboardInterrupt) as error:
        if whole.begun:
            error.add_note(whole.so_far())
        raise
    return whole.loaded(time.perf_counter() - start)


class _Whole:
    """What all parts share, and what they have done."""

    def __init__(self, store: Store, centre: str | None) -> None:
        self._store, self._centre = store, centre
        self.schemas: dict[str, pa.Schema] = {}  # of the kinds' and relationships' tables, as the parts have them
        self.fitted: dict[str, pa.Schema] = {}  # and as the database has them
        self._sums: dict[str, Counts] = {}
        self._met: dict[str, _Met] = {}

    def add(self, part: Network) -> None:
        tables = dict(part.nodes) | {edges.name: edges.table for edges in part.relationships}
        if not self.schemas:
            self._begin(part)
            self.schemas = {name: table.schema for name, table in tables.items()}
        if self.schemas != {name: table.schema for name, table in tables.items()}:
            raise DataError("the parts of a network must have the same kinds, types and properties; these differ")
        ids: dict[str, pa.Array] = {}
        for kind in part.nodes:
            self._count(kind, self._store.writing(partial(self._load_kind, part, ids, kind)))
            self._meet(kind, part, ids[kind])
            self._store.rest()
        for edges in part.relationships:
            self._count(edges.name, self._store.writing(partial(self._load_links, part, ids, edges)))
            self._store.rest()

    def _load_kind(self, part: Network, ids: dict[str, pa.Array], kind: str, tx: Transaction) -> Counts:
        return _Part(tx, part, ids, self.fitted, self._centre).nodes(kind, part.nodes[kind])

    def _load_links(self, part: Network, ids: dict[str, pa.Array], edges: Edges, tx: Transaction) -> Counts:
        return _Part(tx, part, ids, self.fitted, self._centre).links(edges)

    def _begin(self, part: Network) -> None:
        if self._centre is not None:
            check_choice("centre", self._centre, part.nodes)
        tables = tables_of(part)
        self._store.prepare(tables)
        self._store.writing(lambda tx: tx.make_tables(tables))
        for kind in part.nodes:
            there = self._store.reading(partial(count_nodes, kind=kind))
            self._met[kind] = _Met(empty=not there)

    def _count(self, name: str, counts: Counts) -> None:
        so_far = self._sums.get(name, Counts(0, 0, 0))
        self._sums[name] = Counts(
            so_far.created + counts.created, so_far.updated + counts.updated, so_far.unchanged + counts.unchanged
        )

    def _meet(self, kind: str, part: Network, ids: pa.Array) -> None:
        met = self._met[kind]
        if met.empty:
            return  # whatever is met is what this load has made
        met.there(ids.drop_null())
        new = pc.filter(part.nodes[kind].column(0), pc.is_null(ids))
        if len(new):
            names = {"kind": kind, "key": part.key(kind)}
            met.made(self._store.reading(partial(_find_nodes, names=names, keys=new))["id"])

    @property
    def begun(self) -> bool:
        """Whether anything has been loaded."""
        return bool(self._sums)

    def so_far(self) -> str:
        """Return a sentence about what is loaded already."""
        known = [kind for kind in self._met if kind in self._sums]
        shown = [kind for kind in known if kind == self._centre] or known
        done = [f"{self._sums[kind].created} {kind} nodes" for kind in shown]
        return f"{' and '.join(done)} had been loaded by then; loading again goes on from there"

    def loaded(self, seconds: float) -> Loaded:
        nodes = {}
        for kind, met in self._met.items():
            sums = self._sums[kind]
            nodes[kind] = Counts(sums.created, sums.updated, max(0, len(met) - sums.updated))
        return Loaded(nodes, {name: sums for name, sums in self._sums.items() if name not in nodes}, seconds)


class _Met:
    """Which nodes of a kind that were there before the load the parts have named, by internal ids."""

    def __init__(self, *, empty: bool) -> None:
        self.empty = empty
        self._there: Ints = np.array([], dtype=np.int64)
        self._made: Ints = np.array([], dtype=np.int64)

    def there(self, ids: pa.Array) -> None:
        self._there = np.union1d(self._there, np.setdiff1d(np.asarray(ids), self._made))

    def made(self, ids: pa.ChunkedArray) -> None:
        self._made = np.union1d(self._made, np.asarray(ids))

    def __len__(self) -> int:
        return len(self._there)


class _Part(Loading):
    """The load of a part: of what the database holds, only that is read which the part names."""

    def __init__(
        self,
        tx: Transaction,
        network: Network,
        ids: dict[str, pa.Array],
        fitted: dict[str, pa.Schema],
        centre: str | None,
    ) -> None:
        super().__init__(tx, network, silent)
        self.ids, self._fitted, self._centre = ids, fitted, centre

    def _fit_nodes(self, kind: str, table: pa.Table) -> pa.Table:
        if kind not in self._fitted:  # Neo4j looks at every node to know its types, so it is asked once
            self._fitted[kind] = super()._fit_nodes(kind, table).schema
        return table.cast(self._fitted[kind])

    def _fit_links(self, edges: Edges) -> pa.Table:
        if edges.name not in self._fitted:
            self._fitted[edges.name] = super()._fit_links(edges).schema
        return edges.table.select(edges.properties).cast(self._fitted[edges.name])

    def _there(self, kind: str, keys: pa.ChunkedArray) -> pa.Table:
        return _find_nodes(self._tx, {"kind": kind, "key": self._network.key(kind)}, keys)

    def _values(self, kind: str, name: str, keys: pa.ChunkedArray) -> pa.Table:
        names = {"kind": kind, "key": self._network.key(kind), "property": name}
        return self._tx.query("part_values", names, pa.table({"key": keys}))

    def _links_there(self, edges: Edges) -> pa.Table:
        return self._around("part_links", edges)

    def _link_values(self, edges: Edges, name: str) -> pa.Table:
        return self._around("part_link_values", edges, property=name)

    def _around(self, which: str, edges: Edges, **names: str) -> pa.Table:
        """Return what a query finds around the part's nodes that are there, at the end that is the centre."""
        inward = edges.target == self._centre != edges.source
        ids = np.sort(np.asarray(self.ids[edges.target if inward else edges.source].drop_null()))
        return self._tx.around(f"{which}_in" if inward else f"{which}_out", names_of(edges) | names, ids)


def _find_nodes(tx: Reader, names: Names, keys: pa.ChunkedArray) -> pa.Table:
    """Return internal id and key of the nodes that have one of some keys."""
    return tx.query("part_nodes", names, pa.table({"key": keys}))
