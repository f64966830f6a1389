"""What is exported of a result: tables of nodes with their clusters and properties, and the links of its star."""

import json
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphmine.constraints.previous_labels import labels_before
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.rule_source import StoreSource
from graphmine.exchange.schema import find_properties
from graphmine.model import UNPLACED, Filter, Nodes, Pattern, Relation, Star, Step
from graphmine.store import Store
from graphmine.verbs.recall import Recalled, Result, parts_of

__all__ = ["Contents", "RelationLinks", "contents_of", "free_name", "node_attributes", "plain_values"]

_PART = 100_000  # so many links are written at a time
_OWN = ("kind", "key", "cluster")  # what a node says of itself before its properties
_HIDDEN = ("process", "batches", "added")  # what a run records for itself alone


@dataclass(frozen=True, eq=False)
class RelationLinks:
    """The links of one relation: from a kind over a type to a kind.

    Of one kind with itself each pair is there once, as in the star its weight is the same in both directions.
    """

    source: Nodes
    type: str
    target: Nodes
    relation: str
    arm: Relation
    turned: bool

    @property
    def name(self) -> str:
        """How it is named to ``graphmine load``: ``Author-WROTE->Paper``."""
        return str(Pattern((Step(self.source.kind, self.type, self.target.kind),)))

    def parts(self) -> Iterator[tuple[pa.Array, pa.Array, pa.Array]]:
        """Give the positions of both ends and the weights, some links at a time."""
        pairs = self.arm.block.tocoo()
        row, col, data = pairs.row, pairs.col, pairs.data
        if self.arm.of_one_kind:
            once = row < col
            row, col, data = row[once], col[once], data[once]
        one, other = (col, row) if self.turned else (row, col)
        for start in range(0, len(data), _PART):
            part = slice(start, start + _PART)
            yield pa.array(one[part]), pa.array(other[part]), pa.array(data[part])

    def tables(self) -> Iterator[pa.Table]:
        """Give tables of both ends' keys and the weight, some links at a time; at least one, if it is empty."""
        names = ("source", "target", "weight")
        nothing = pa.array([], pa.int32()), pa.array([], pa.int32()), pa.array([], pa.float64())
        parts = self.parts() if self.arm.nnz else [nothing]
        for one, other, weight in parts:
            yield pa.table([self.source.keys.take(one), self.target.keys.take(other), weight], names=names)


@dataclass(frozen=True, eq=False)
class Contents:
    """What is exported of a result.

    Parameters
    ----------
    record
        What is on record of its run, as plain values; None for a result that was not written.
    nodes
        The nodes of each kind.
    key
        The name of each kind's key.
    clusters
        A whole number a node, null for none.
    properties
        What else the nodes of each kind carry: one column for each property.
    relations
        The links of each relation.
    """

    record: Mapping[str, Any] | None
    nodes: Mapping[str, Nodes]
    key: Mapping[str, str]
    clusters: Mapping[str, pa.Array]
    properties: Mapping[str, Mapping[str, pa.Array]]
    relations: Sequence[RelationLinks]

    def table(self, kind: str) -> pa.Table:
        """Return the nodes of a kind: key, cluster, properties. A name that is taken gets an underscore."""
        key = self.key[kind]
        cluster = free_name("cluster", {key})
        columns = {key: self.nodes[kind].keys, cluster: self.clusters[kind]}
        for name, values in self.properties[kind].items():
            columns[free_name(name, columns)] = values
        return pa.table(columns)


def contents_of(result: Result, store: Store | None = None) -> Contents:
    """Return what is exported of a result; with the properties of its nodes, if there is a database to read."""
    star, clustering, run = parts_of(result)
    keys = result.keys if isinstance(result, Recalled) else {}
    properties: dict[str, dict[str, pa.Array]] = {nodes.kind: {} for nodes in star.kinds}
    if store is not None:
        own = set() if run is None else {run.property}
        filters = () if run is None else tuple(map(Filter.parse, run.filters))
        source = StoreSource(store, keys)
        for nodes in star.kinds:
            properties[nodes.kind] = _properties(store, source, nodes, keys.get(nodes.kind), own, filters)
    labels = {nodes.kind: clustering.labels[nodes.kind] for nodes in star.kinds}
    return Contents(
        record=None if run is None else {name: each for name, each in asdict(run).items() if name not in _HIDDEN},
        nodes={nodes.kind: nodes for nodes in star.kinds},
        key={nodes.kind: keys.get(nodes.kind) or "key" for nodes in star.kinds},
        clusters={kind: pa.array(each, mask=each == UNPLACED) for kind, each in labels.items()},
        properties=properties,
        relations=_links_of(star),
    )


def plain_values(values: pa.Array) -> pa.Array:
    """Return values as whole numbers, numbers, truth values or text: what has parts as JSON, a date as it is written.

    >>> plain_values(pa.array([[1, 2], None])).to_pylist()
    ['[1, 2]', None]
    """
    kind = values.type
    if any(test(kind) for test in (pa.types.is_boolean, pa.types.is_string)):
        return values
    if pa.types.is_integer(kind):
        return values.cast(pa.int64(), safe=False)
    if pa.types.is_floating(kind):
        return values.cast(pa.float64())
    if pa.types.is_null(kind) or pa.types.is_large_string(kind):
        return values.cast(pa.string())
    parted = pa.types.is_nested(kind)
    texts = (
        None if each is None else json.dumps(each, default=str, ensure_ascii=False) if parted else str(each)
        for each in values.to_pylist()
    )
    return pa.array(list(texts), pa.string())


def _properties(
    store: Store, source: StoreSource, nodes: Nodes, key: str | None, own: set[str], filters: Sequence[Filter]
) -> dict[str, pa.Array]:
    """Read what nodes carry besides their key and the labels of the run; what can not be read is a warning."""
    names = store.reading(lambda tx: find_properties(tx, nodes.kind))
    mine = [each for each in filters if each.kind == nodes.kind]
    found = {}
    for name in names:
        if name == key or name in own:
            continue
        try:
            there, values = source.values(nodes.kind, name, mine)
        except DataError as error:
            warnings.warn(f"{nodes.kind}.{name} is left out: {error}", UserWarning, stacklevel=2)
            continue
        at = labels_before(nodes, there, np.arange(len(there)))
        found[name] = values.take(pa.array(at, mask=at < 0))
    return found


def _links_of(star: Star) -> list[RelationLinks]:
    found: list[RelationLinks] = []
    for arm in star.arms:
        type_, turned = _told(arm)
        source, target = (arm.cols, arm.rows) if turned else (arm.rows, arm.cols)
        taken = {each.type for each in found if (each.source.kind, each.target.kind) == (source.kind, target.kind)}
        found.append(RelationLinks(source, free_name(type_, taken), target, arm.name, arm, turned))
    return found


def _told(arm: Relation) -> tuple[str, bool]:
    """Return the type of an arm's links, those of a path being joined, and whether they point against the arm."""
    try:
        pattern = Pattern.parse(arm.name)
    except ParameterError:
        return "LINKS", False  # a relation that was not pulled may have any name, or none
    step = pattern.steps[0]
    against = len(pattern.steps) == 1 and step.direction == "in"
    turned = not arm.of_one_kind and (pattern.rows != arm.rows.kind) != against
    if step.similarity is not None:
        return "SIMILAR", turned
    if step.file is not None:
        return Path(step.file).stem, turned
    return "_".join(each.type for each in pattern.steps), turned


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: with an underscore at its end, if need be with several."""
    while name in taken:
        name += "_"
    return name


def node_attributes(out: Contents, kind: str) -> list[dict[str, Any]]:
    """Return the attributes of each node of a kind; a property whose name is taken gets an underscore."""
    columns: dict[str, list[Any]] = {
        "key": out.nodes[kind].keys.to_pylist(),
        "cluster": out.clusters[kind].to_pylist(),
    }
    for name, values in out.properties[kind].items():
        columns[free_name(name, {*_OWN, "id", *columns})] = values.to_pylist()
    return [
        {"kind": kind} | {name: value for name, value in zip(columns, row, strict=True) if value is not None}
        for row in zip(*columns.values(), strict=True)
    ]
