"""Whether a database has what a pull names: said in one sentence, before anything large is read."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.checks import check_name, nearest
from graphmine.constraints.rule_types import Distance, Known, Order, Path, Same, Shared, Text
from graphmine.constraints.rules import Rule
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.schema import (
    find_kinds,
    find_link_properties,
    find_properties,
    find_types,
    link_property_type,
    property_type,
)
from graphmine.model import Filter, Pattern
from graphmine.model.pattern import write_property
from graphmine.store import Raw, Reader

__all__ = ["check_names", "check_property", "check_rule", "key_order", "where_clause"]

_COMPARES = {"integer": "number", "float": "number", "text": "text", "boolean": "boolean"}


def check_names(tx: Reader, patterns: Sequence[Pattern], filters: Sequence[Filter], keys: Mapping[str, str]) -> None:
    """Refuse names the database does not have, before anything large is read."""
    kinds, types = find_kinds(tx), find_types(tx)
    for pattern in patterns:
        for kind in pattern.kinds:
            _known("kind", kind, kinds, str(pattern))
        for step in pattern.steps:
            if step.type:
                _known("relationship type", step.type, types, str(pattern))
            if step.weight is not None:
                _check_weight(tx, step.type, step.weight)
            if step.similarity is not None:
                for name in step.similarity.properties:
                    _check_number(tx, step.source, name)
    used = {kind for pattern in patterns for kind in pattern.kinds}
    for each in filters:
        if each.kind not in used:
            raise ParameterError(f"filter {each}: no relation goes through a kind {each.kind!r}")
        _check_filter(tx, each)
    for kind, key in keys.items():
        if kind not in used:
            raise ParameterError(f"key {kind}.{key}: no relation goes through a kind {kind!r}")


def check_property(tx: Reader, kind: str, name: str, filters: Sequence[Filter]) -> None:
    """Refuse a property of a kind, and filters on the kind, that the database does not have."""
    _known("kind", kind, find_kinds(tx), write_property(kind, name))
    _property_type(tx, kind, name)
    for each in filters:
        _check_filter(tx, each)


def check_rule(tx: Reader, rule: Rule) -> None:
    """Refuse a rule that names what the database does not have."""
    match rule.body:
        case Path() | Shared():
            check_names(tx, [rule.body.pattern], rule.where, {})
        case Same() | Distance() | Text() | Known() | Order():
            check_property(tx, rule.body.kind, rule.body.property, rule.where)
            if isinstance(rule.body, Text) and rule.body.other is not None:
                check_property(tx, *rule.body.other, ())


def _check_weight(tx: Reader, type_: str, weight: str) -> None:
    held = link_property_type(tx, type_, weight)
    if held is None:
        known = find_link_properties(tx, type_)
        raise ParameterError(f"{type_} relationships have no property {weight!r}{nearest(weight, known)}")
    if held not in ("integer", "float", "mixed"):
        raise ParameterError(f"the property {weight!r} of {type_} holds {held}, and a weight must be a number")


def _check_number(tx: Reader, kind: str, name: str) -> None:
    held = _property_type(tx, kind, name)
    if held in ("text", "boolean", "date"):
        raise ParameterError(
            f"{write_property(kind, name)} holds {held}, and a similarity is made of numbers or lists of them"
        )


def _property_type(tx: Reader, kind: str, name: str) -> str:
    held = property_type(tx, kind, name)
    if held is None:
        known = find_properties(tx, kind)
        raise ParameterError(f"{kind} has no property {name!r}{nearest(name, known)}")
    return held


def _check_filter(tx: Reader, test: Filter) -> None:
    """Refuse a property that is not there, and a value that both databases would compare in their own odd ways."""
    held = property_type(tx, test.kind, test.property)
    if held is None:
        known = find_properties(tx, test.kind)
        raise ParameterError(f"filter {test}: {test.kind} has no such property{nearest(test.property, known)}")
    value = test.value[0] if isinstance(test.value, list) else test.value
    given = "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
    if held in _COMPARES and _COMPARES[held] != given:
        quotes = ", so write it in quotes" if held == "text" else ""
        raise ParameterError(f"filter {test}: {test.kind}.{test.property} holds {held}, not a {given}{quotes}")


def _known(what: str, name: str, known: Sequence[str], where: str) -> None:
    check_name(what, name)
    if name not in known:
        listed = nearest(name, known) or (f"; there are {', '.join(known)}" if known else "; it is empty")
        raise ParameterError(f"the database has no {what} {name!r}, named in {where}{listed}")


def where_clause(tx: Reader, kind: str, filters: Sequence[Filter]) -> tuple[Raw, dict[str, object]]:
    """Return the filters on a kind as a WHERE clause, and the values of its parameters."""
    tests: list[str] = []
    values: dict[str, object] = {}
    for number, each in enumerate(each for each in filters if each.kind == kind):
        name = f"value_{number}"
        values[name] = each.value
        names = {"property": each.property, "operator": Raw.operator(each.operator), "value": Raw(f"${name}")}
        tests.append(tx.database.text("where", names))
    return Raw("WHERE " + " AND ".join(tests) if tests else ""), values


def key_order(kind: str, key: str, column: pa.ChunkedArray) -> pa.Array:
    """Return the order of the keys, which all nodes must have."""
    if column.null_count:
        raise DataError(
            f"{column.null_count} of {len(column)} {kind} nodes have no {key!r}; name another key or fill it"
        )
    try:
        return pc.sort_indices(column)
    except pa.ArrowNotImplementedError:  # what has no order is no key, and Nodes says so
        return pa.array(np.arange(len(column), dtype=np.uint64))
