"""Read relations from a database as sparse blocks.

Each kind's keys are read once, the relationships as pairs of internal ids, packed, inside one reading transaction; from
Neo4j, which promises no more within one than across two, they come by two at the same time. Ints become positions in
numpy. A path is a product of its steps' blocks: adding up in Cypher costs several times as much.
"""

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import reduce
from operator import matmul
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from graphmine.arrays import Floats
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.names import check_names, where_clause
from graphmine.exchange.node_ids import Members, in_order
from graphmine.exchange.numeric import alike, numbers
from graphmine.exchange.schema import find_key
from graphmine.model import Filter, Nodes, Pattern, Relation, Star, Step
from graphmine.model.pattern import write_property
from graphmine.progress import Progress, silent
from graphmine.store import Raw, Reader, Store
from graphmine.store.link_ids import id_parts

__all__ = ["pull", "pull_relation"]


def pull(
    store: Store,
    relations: Pattern | str | Sequence[Pattern | str],
    *,
    where: Filter | str | Sequence[Filter | str] = (),
    keys: Mapping[str, str] | None = None,
    weights: Sequence[float] = (),
    progress: Progress = silent,
) -> Star:
    """Read a relation, or several that share a kind, as sparse blocks.

    Parameters
    ----------
    store
        An open database.
    relations
        Patterns such as ``Author-WROTE->Paper-IN->Conference``, see `graphmine.model.pattern`.
    where
        Filters such as ``Paper.year >= 2000``; they act on every kind they name, in the middle of a path too.
    keys
        The property that names the nodes of a kind, for kinds where the database does not say it.
    weights
        How much each relation counts; all 1 by default.
    """
    relations = [relations] if isinstance(relations, str | Pattern) else relations
    where = [where] if isinstance(where, str | Filter) else where
    patterns = [each if isinstance(each, Pattern) else Pattern.parse(each) for each in relations]
    filters = [each if isinstance(each, Filter) else Filter.parse(each) for each in where]
    return Star.of(*_pulled(store, patterns, filters, keys or {}, progress), weights=weights)


def pull_relation(
    store: Store, pattern: Pattern, where: Sequence[Filter], keys: Mapping[str, str], progress: Progress = silent
) -> Relation:
    """Read one relation as it is: of a kind with itself its two directions stay apart, as they do not in a star."""
    return _pulled(store, [pattern], where, keys, progress)[0]


def _pulled(
    store: Store,
    patterns: Sequence[Pattern],
    filters: Sequence[Filter],
    keys: Mapping[str, str],
    progress: Progress,
) -> list[Relation]:
    with ThreadPoolExecutor(1) as aside:

        def work(tx: Reader) -> list[Relation]:
            return _Pull(tx, filters, keys, progress, aside).relations(patterns)

        return store.reading(work)


class _Pull:
    """One pull: what has been read so far inside its transaction."""

    def __init__(
        self,
        tx: Reader,
        filters: Sequence[Filter],
        keys: Mapping[str, str],
        progress: Progress,
        aside: Executor,
    ) -> None:
        self._tx, self._filters, self._keys, self._progress = tx, filters, keys, progress
        self._aside = aside
        self._ordered: dict[str, Future[Members]] = {}
        self._members: dict[str, Members] = {}
        self._links: dict[tuple[str, str, str, str | None], csr_array] = {}

    def relations(self, patterns: Sequence[Pattern]) -> list[Relation]:
        check_names(self._tx, patterns, self._filters, self._keys)
        total = sum(len(pattern.steps) for pattern in patterns)
        done = 0
        relations = []
        for pattern in patterns:
            for kind in (pattern.rows, pattern.cols):
                self._read_keys(kind)
            blocks = []
            for step in pattern.steps:
                self._progress(f"pull {pattern}", done, total)
                blocks.append(self._block(pattern, step))
                done += 1
            self._links.clear()
            block = reduce(matmul, blocks)
            block.sum_duplicates()  # here in place; Relation would do it in a copy
            relations.append(Relation(self._named(pattern.rows), self._named(pattern.cols), block, str(pattern)))
        self._progress("pull", done, total)
        return relations

    def _read_keys(self, kind: str) -> None:
        """Read ids and keys of the nodes at an end of a relation, and have them put in order while the rest is read."""
        if kind in self._ordered:
            return
        key = find_key(self._tx, kind, self._keys.get(kind))
        where, values = self._where(kind)
        names = {"kind": kind, "key": key, "where": where}
        try:
            table = self._tx.query("pull_nodes", names, **values)
        except DataError as error:
            raise DataError(f"{kind}.{key} can not name nodes: {error}") from error
        self._ordered[kind] = self._aside.submit(in_order, kind, key, table)

    def _named(self, kind: str) -> Nodes:
        """Return the nodes at an end of a relation, in the order of their keys."""
        nodes = self._inner(kind).nodes
        assert nodes is not None
        return nodes

    def _inner(self, kind: str) -> Members:
        """Return the nodes of a kind; of one that a path only goes through the ids will do."""
        if kind in self._ordered:
            return self._ordered[kind].result()
        if kind not in self._members:
            self._members[kind] = Members(self._tx.node_ids(kind, *self._where(kind)), None)
        return self._members[kind]

    def _where(self, kind: str) -> tuple[Raw, dict[str, object]]:
        return where_clause(self._tx, kind, self._filters)

    def _block(self, pattern: Pattern, step: Step) -> csr_array:
        if step.similarity is None:
            return self._file(step) if step.file else self._step(step)
        columns = {name: self._numbers(step.source, name) for name in step.similarity.properties}
        return alike(pattern, step.similarity, columns)

    def _numbers(self, kind: str, name: str) -> Floats:
        """Read what the nodes of a kind hold in a property, in the order of their keys."""
        where, values = self._where(kind)
        what = write_property(kind, name)
        names = {"kind": kind, "property": name, "where": where}
        try:
            table = self._tx.query("pull_property", names, **values)
        except DataError as error:
            raise DataError(f"{what} can not be compared: {error}") from error
        members = self._inner(kind)
        at = members.positions(id_parts(table["id"]), len(table))
        found = numbers(what, table["value"].combine_chunks())
        ordered = np.full((len(members.ids), found.shape[1]), math.nan)
        ordered[at[at >= 0]] = found[at >= 0]
        return ordered

    def _step(self, step: Step) -> csr_array:
        if step.direction == "out":
            return self._edges(step.source, step, step.target)
        backward = csr_array(self._edges(step.target, step, step.source).T)
        return backward if step.direction == "in" else self._edges(step.source, step, step.target) + backward

    def _edges(self, source: str, step: Step, target: str) -> csr_array:
        """Return the relationships of a step's type that point from one kind to another, read once for a relation."""
        place = source, step.type, target, step.weight
        if place not in self._links:
            self._links[place] = self._read_edges(source, step, target)
        return self._links[place]

    def _read_edges(self, source: str, step: Step, target: str) -> csr_array:
        found = self._tx.link_ids(source, step.type, target, step.weight)
        rows, cols, column = self._inner(source), self._inner(target), found.weights
        at_row, at_col = rows.positions(found.sources, found.total), cols.positions(found.targets, found.total)
        del found  # it is larger than the block
        weights = None if column is None else np.asarray(column, dtype=np.float64)
        del column
        kept = (at_row >= 0) & (at_col >= 0)
        if not kept.all():
            at_row, at_col = at_row[kept], at_col[kept]
            weights = None if weights is None else weights[kept]
        if weights is not None and np.isnan(weights).any():
            missing = int(np.count_nonzero(np.isnan(weights)))
            raise DataError(f"{missing} of {len(weights)} {step.type} relationships have no number in {step.weight!r}")
        data = np.ones(len(at_row)) if weights is None else weights
        pairs = coo_array((data, (at_row, at_col)), shape=(len(rows.ids), len(cols.ids)))
        pairs.has_canonical_format = True  # it need not be: the relation is put in order once, at its end
        return csr_array(pairs)

    def _file(self, step: Step) -> csr_array:
        """Run a user's own query and place its rows by their keys."""
        assert step.file is not None
        try:
            text = Path(step.file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"the query file {step.file} can not be read: {error}") from error
        table = self._tx.read(text)
        ends = _ends(step.file, table.column_names)
        at_row, at_col = (
            self._by_key(step.file, kind, table[column])
            for kind, column in zip((step.source, step.target), ends, strict=True)
        )
        given = table["weight"] if "weight" in table.column_names else None
        data = np.ones(table.num_rows) if given is None else _weights(step.file, given)
        if ends == ("a", "b") and np.any(data <= 0):
            raise DataError(f"{step.file} returns a weight of {data.min():g}, and that of a link must be above 0")
        kept = (at_row >= 0) & (at_col >= 0)
        shape = (len(self._named(step.source)), len(self._named(step.target)))
        return csr_array(coo_array((data[kept], (at_row[kept], at_col[kept])), shape=shape))

    def _by_key(self, file: str, kind: str, column: pa.ChunkedArray) -> NDArray[np.int32]:
        keys = self._named(kind).keys
        try:
            found = pc.index_in(column.cast(keys.type), value_set=keys)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            wanted = "text" if pa.types.is_string(keys.type) else "whole numbers"
            raise DataError(f"{file} must return the keys of {kind} nodes, which are {wanted}") from error
        # A filtered kind is meant to lose rows; otherwise a key that no node has is a mistake in the file.
        if found.null_count and not any(each.kind == kind for each in self._filters):
            first = column.filter(pc.is_null(found))[0].as_py()
            raise DataError(f"{file} returns {found.null_count} rows whose {kind} is unknown, the first {first!r}")
        return np.asarray(found.fill_null(-1), dtype=np.int32)


def _ends(file: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return the names of the two columns that hold keys."""
    for ends in (("row", "col"), ("a", "b")):
        if {*ends} <= {*columns} <= {*ends, "weight"}:
            return ends
    raise DataError(
        f"{file} must return row and col, or a and b, and, if it likes, weight; it returns {', '.join(columns)}"
    )


def _weights(file: str, column: pa.ChunkedArray) -> Floats:
    try:
        weights = np.asarray(column.cast(pa.float64()).fill_null(math.nan), dtype=np.float64)
    except pa.ArrowInvalid as error:
        raise DataError(f"{file} returns weights that are no numbers") from error
    return weights
