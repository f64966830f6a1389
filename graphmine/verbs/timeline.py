"""From when to when a property that holds time goes."""

import math

from graphmine.checks import nearest
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.keys import where_clause
from graphmine.exchange.names import check_names
from graphmine.exchange.schema import find_properties, property_type
from graphmine.job import Job
from graphmine.job.timeline import FARTHEST
from graphmine.model import parse_property
from graphmine.model.pattern import write_property
from graphmine.store import Reader, Store, query

__all__ = ["span"]


def span(store: Store, job: Job, by: str) -> tuple[int, int]:
    """Return the first and the last unit of time that a property holds, on the nodes that the job's filters keep."""
    return store.reading(lambda tx: _span(tx, store.dialect, job, by))


def _span(tx: Reader, dialect: str, job: Job, by: str) -> tuple[int, int]:
    kind, property_ = parse_property(by)
    check_names(tx, dialect, job.patterns, job.filters, {})
    if not any(kind in pattern.kinds for pattern in job.patterns):
        kinds = dict.fromkeys(each for pattern in job.patterns for each in pattern.kinds)
        raise ParameterError(f"no relation goes through {kind!r}, named in {by}{nearest(kind, kinds)}")
    held = property_type(tx, dialect, kind, property_)
    if held is None:
        raise ParameterError(
            f"{kind} has no property {property_!r}{nearest(property_, find_properties(tx, dialect, kind))}"
        )
    where, values = where_clause(dialect, kind, job.filters)
    found = tx.read(query(dialect, "span", kind=kind, property=property_, where=where), **values).to_pylist()[0]
    ends = found["first"], found["last"]
    name = write_property(kind, property_)
    if None in ends:
        raise DataError(f"no {kind} that the filters keep has a value in {name}, so there is no time to cut")
    if held not in ("integer", "float") or not all(_is_time(each) for each in ends):
        raise DataError(f"{name} holds {held}, and snapshots are cut by numbers, such as a year")
    return math.floor(ends[0]), math.floor(ends[1])


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FARTHEST
