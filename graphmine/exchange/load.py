"""Load a network from memory into a database: in one transaction, and only what is missing.

What the database holds is read first, packed, and compared here: a search for each row on its own would take minutes
where this takes seconds.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.datasets.duplicates import row_numbers
from graphmine.datasets.network import Edges, Network
from graphmine.errors import ParameterError
from graphmine.exchange.load_tables import fit_links, fit_nodes, tables_of
from graphmine.progress import Progress, silent
from graphmine.store import Store, Transaction

__all__ = ["Counts", "Loaded", "Loading", "load", "names_of"]


@dataclass(frozen=True)
class Counts:
    """What loading did to one kind or relationship type."""

    created: int
    updated: int
    unchanged: int

    @property
    def total(self) -> int:
        """How many the network had."""
        return self.created + self.updated + self.unchanged


@dataclass(frozen=True)
class Loaded:
    """What loading did to each kind (``Author``) and each relation (``Author-WROTE->Paper``)."""

    nodes: Mapping[str, Counts]
    relationships: Mapping[str, Counts]
    seconds: float

    @property
    def created(self) -> int:
        """How many nodes and relationships are new."""
        return sum(counts.created for counts in (*self.nodes.values(), *self.relationships.values()))


def load(store: Store, network: Network, *, progress: Progress = silent) -> Loaded:
    """Bring a network into a database; loading it again changes nothing.

    Nodes are found by their keys. New ones are created; those that are there get the network's values, except where
    the network has none, and keep all their other properties. A relationship is created unless one with the same ends
    and the same values in all the network's properties is there.

    Parameters
    ----------
    store
        An open database. Everything happens in one transaction, or nothing does; only the uniqueness constraints that
        Neo4j needs on the keys come before it.
    network
        What to load.

    Examples
    --------
    >>> from graphmine.datasets.davis import davis
    >>> from graphmine.store import connect
    >>> with connect(":memory:") as store:
    ...     first, second = load(store, davis()), load(store, davis())
    >>> first.nodes["Woman"], first.relationships["Woman-ATTENDED->Event"].created
    (Counts(created=18, updated=0, unchanged=0), 89)
    >>> second.created
    0
    """
    if not isinstance(network, Network):
        raise ParameterError(
            f"load takes a Network, not a {type(network).__name__}; from_networkx or read_csv make one"
        )
    start = time.perf_counter()
    store.prepare(tables_of(network))
    nodes, relationships = store.writing(lambda tx: Loading(tx, network, progress).run())
    return Loaded(nodes, relationships, time.perf_counter() - start)


class Loading:
    """One load: what has been found and done so far inside its transaction."""

    def __init__(self, tx: Transaction, network: Network, progress: Progress) -> None:
        self._tx, self._network, self._progress = tx, network, progress
        self.ids: dict[str, pa.Array] = {}  # the internal id of each of the network's nodes, null for new ones
        self._done = 0

    def run(self) -> tuple[dict[str, Counts], dict[str, Counts]]:
        """Load all of the network."""
        self._tx.make_tables(tables_of(self._network))
        nodes = {kind: self.nodes(kind, table) for kind, table in self._network.nodes.items()}
        return nodes, {edges.name: self.links(edges) for edges in self._network.relationships}

    def nodes(self, kind: str, table: pa.Table) -> Counts:
        """Load the nodes of a kind."""
        table = self._fit_nodes(kind, table)
        key = table.column_names[0]
        there = self._there(kind, table[key])
        self.ids[kind] = ids = _look_up(table[key], there["key"], there["id"], pa.int64())
        updated = self._update(kind, table, ids) if len(there) else 0
        new = table.filter(pc.is_null(ids))
        self._send(f"load {kind}", new, partial(self._tx.create_nodes, kind))
        self._advance(f"load {kind}", len(table) - len(new))
        return Counts(len(new), updated, len(table) - len(new) - updated)

    def _update(self, kind: str, table: pa.Table, ids: pa.Array) -> int:
        """Set the values that differ from those of nodes that are there, and return how many nodes had any."""
        keys = table.column(0)
        changed = pc.is_null(keys)  # nothing so far: no key is null
        for name in table.column_names[1:]:
            found = self._values(kind, name, keys)
            current = _look_up(ids, found["id"], found["value"], table[name].type)
            differs = pc.fill_null(pc.not_equal(table[name], current), True)
            change = pc.and_(differs, pc.and_(pc.is_valid(table[name]), pc.is_valid(ids)))
            names = {"kind": kind, "key": table.column_names[0], "property": name}
            for batch in self._batches(pa.table({"key": keys, "value": table[name]}).filter(change)):
                self._tx.change("load_set", names, batch)
            changed = pc.or_(changed, change)
        updated: int = pc.sum(changed, min_count=0).as_py()
        return updated

    def links(self, edges: Edges) -> Counts:
        """Load the relationships of a type between two kinds, whose nodes have been loaded."""
        properties = self._fit_links(edges)
        table = pa.table([*edges.table.columns[:2], *properties.columns], names=edges.table.column_names)
        new = table.take(self._missing(edges, properties))
        ends = [(kind, self._network.key(kind)) for kind in (edges.source, edges.target)]
        self._send(f"load {edges.type}", new, partial(self._tx.create_links, ends[0], edges.type, ends[1]))
        self._advance(f"load {edges.type}", len(edges) - len(new))
        return Counts(len(new), 0, len(edges) - len(new))

    def _missing(self, edges: Edges, properties: pa.Table) -> pa.Array:
        """Return the rows of relationships that the database does not have."""
        sources, targets = self.ids[edges.source], self.ids[edges.target]
        if any(ids.null_count == len(ids) for ids in (sources, targets)):
            return _numbered(len(edges))
        found = self._links_there(edges)
        if not len(found):
            return _numbered(len(edges))
        there = [pc.index_in(found["source"], value_set=sources), pc.index_in(found["target"], value_set=targets)]
        wanted = [
            pc.index_in(edges.table["source"], value_set=self._network.nodes[edges.source].column(0)),
            pc.index_in(edges.table["target"], value_set=self._network.nodes[edges.target].column(0)),
        ]
        for name in edges.properties:
            values = self._link_values(edges, name)
            there.append(_look_up(found["id"], values["id"], values["value"], properties[name].type))
            wanted.append(properties[name])
        return _subtract(wanted, there)

    # What the database holds; loading in parts asks for less of it.

    def _fit_nodes(self, kind: str, table: pa.Table) -> pa.Table:
        return fit_nodes(self._tx, kind, table)

    def _fit_links(self, edges: Edges) -> pa.Table:
        return fit_links(self._tx, edges)

    def _there(self, kind: str, keys: pa.ChunkedArray) -> pa.Table:
        return self._tx.query("load_nodes", {"kind": kind, "key": self._network.key(kind)})

    def _values(self, kind: str, name: str, keys: pa.ChunkedArray) -> pa.Table:
        return self._tx.query("load_values", {"kind": kind, "property": name})

    def _links_there(self, edges: Edges) -> pa.Table:
        return self._tx.query("load_links", names_of(edges))

    def _link_values(self, edges: Edges, name: str) -> pa.Table:
        return self._tx.query("load_link_values", names_of(edges) | {"property": name})

    def _send(self, what: str, rows: pa.Table, create: Callable[[pa.Table], int]) -> None:
        for batch in self._batches(rows):
            create(batch)
            self._advance(what, len(batch))

    def _batches(self, rows: pa.Table) -> Iterator[pa.Table]:
        size = self._tx.database.rows_a_statement
        return (rows.slice(start, size) for start in range(0, len(rows), size))

    def _advance(self, what: str, count: int) -> None:
        self._done += count
        self._progress(what, self._done, self._network.n_nodes + self._network.n_relationships)


def names_of(edges: Edges) -> dict[str, str]:
    """Return what a query about relationships has to be told."""
    return {"source": edges.source, "type": edges.type, "target": edges.target}


def _look_up(wanted: pa.Array, names: pa.Array, values: pa.Array, value_type: pa.DataType) -> pa.Array:
    """Return the value that stands beside each wanted name, null for names that are not there."""
    if not len(names):
        return pa.nulls(len(wanted), value_type)
    return values.cast(value_type).take(pc.index_in(wanted, value_set=names))


def _numbered(count: int) -> pa.Array:
    return pa.array(np.arange(count))


def _subtract(wanted: list[pa.Array], there: list[pa.Array]) -> pa.Array:
    """Return which rows of the one set of columns are not among the rows of the other; nulls are equal to nulls.

    >>> _subtract([pa.array([1, 1, 2]), pa.array(["a", None, None])], [pa.array([1]), pa.array([None], pa.string())])
    <pyarrow.lib.Int64Array object at ...>
    [
      0,
      2
    ]
    """
    both = [pa.chunked_array([*_chunks(one), *_chunks(other)]) for one, other in zip(wanted, there, strict=True)]
    ours, theirs = np.split(row_numbers(both), [len(wanted[0])])
    return pa.array(np.flatnonzero(~np.isin(ours, theirs)))


def _chunks(column: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]
