"""Classes that are known beforehand, as a property of the nodes."""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from graphmine.errors import DataError, ParameterError
from graphmine.exchange.schema import find_key, property_type
from graphmine.model import Nodes
from graphmine.store import Reader, Store

__all__ = ["check_truth", "known_classes"]


def check_truth(store: Store, kinds: Iterable[str], truth: str) -> None:
    """Refuse a property that none of some kinds has."""
    kinds = tuple(kinds)
    if not store.reading(lambda tx: any(property_type(tx, kind, truth) for kind in kinds)):
        raise ParameterError(f"none of {', '.join(kinds)} has a property {truth!r} to compare with")


def known_classes(
    store: Store, nodes: Mapping[str, Nodes], keys: Mapping[str, str], truth: str
) -> dict[str, list[object]]:
    """Read the classes of each kind that has them, in the order of its nodes; None where a node has none."""
    found = store.reading(lambda tx: _classes(tx, nodes, keys, truth))
    if not found:
        raise ParameterError(f"none of {', '.join(nodes)} has a property {truth!r} to compare with")
    return found


def _classes(tx: Reader, nodes: Mapping[str, Nodes], keys: Mapping[str, str], truth: str) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for kind, each in nodes.items():
        if property_type(tx, kind, truth) is None:
            continue
        key = keys[kind] if kind in keys else find_key(tx, kind)
        known = tx.query("score_truth", {"kind": kind, "key": key, "truth": truth})
        there = Nodes(kind, known["key"])
        if there.keys.type != each.keys.type:
            raise DataError(f"the keys of {kind} have changed their type meanwhile")
        at = there.positions(each.keys)
        found[kind] = known["truth"].take(pa.array(at, mask=at < 0)).to_pylist()
    return found
