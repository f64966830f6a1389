"""What was loaded, which methods there are, how well a run agrees with the truth."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields
from typing import Any

import pyarrow as pa

from graphmine.errors import ParameterError
from graphmine.exchange.load import Loaded
from graphmine.methods.base import Method
from graphmine.metrics import Scores
from graphmine.report.page import Page, Sheet, counted, fact

__all__ = ["loaded_page", "methods_page", "rows_page", "scores_page"]

_COUNTS = ("created", "updated", "unchanged")


def loaded_page(loaded: Loaded, duplicates: Mapping[str, int] | None = None) -> Page:
    """Return what loading did to each kind and relation, and how many rows a relation had twice, if any had."""
    twice = duplicates or {}
    extra = ("duplicates",) if twice else ()
    rows = [
        (what, name, *(getattr(counts, each) for each in _COUNTS), *(twice.get(name) for _ in extra))
        for what, named in (("nodes", loaded.nodes), ("relationships", loaded.relationships))
        for name, counts in named.items()
    ]
    sheet = Sheet(("what", "name", *_COUNTS, *extra), rows, right=frozenset((*_COUNTS, *extra)))
    data = {
        "nodes": {name: asdict(counts) for name, counts in loaded.nodes.items()},
        "relationships": {
            name: asdict(counts) | ({"duplicates": twice[name]} if name in twice else {})
            for name, counts in loaded.relationships.items()
        },
        "seconds": loaded.seconds,
    }
    return Page(data, (sheet, fact("seconds", f"{loaded.seconds:.2f}")), sheet)


def methods_page(methods: Mapping[str, type[Method]]) -> Page:
    """Return every method, its paper and what it takes."""
    data = [
        {
            "name": name,
            "title": each.traits.title,
            "paper": each.traits.paper,
            "max_relations": each.traits.max_arms,
            "constraints": sorted(each.traits.constraints),
            "seeded": each.traits.seeded,
            "parameters": {parameter.name: _default(parameter) for parameter in fields(each)},
        }
        for name, each in methods.items()
    ]
    columns = ("name", "paper", "relations", "constraints", "parameters")
    rows = [
        (
            name,
            f"{each.traits.title}. {each.traits.paper}",
            "a star" if each.traits.max_arms is None else f"at most {each.traits.max_arms}",
            ", ".join(sorted(each.traits.constraints)) or "none",
            ", ".join(map(_parameter, fields(each))),
        )
        for name, each in methods.items()
    ]
    sheet = Sheet(columns, rows)
    return Page(data, (sheet,), sheet)


def scores_page(run: str, truth: str, scores: Mapping[str, Scores], free: Mapping[str, Scores]) -> Page:
    """Return how well each kind's labels agree with the truth, and those of its nodes that no rule names."""
    columns = tuple(each.name for each in fields(Scores))
    named = [("all", scores)] + ([("unconstrained", free)] if free else [])
    rows = [
        (kind, nodes, *(getattr(found[kind], name) for name in columns))
        for kind in scores
        for nodes, found in named
        if kind in found
    ]
    shown = [tuple(f"{value:.3f}" if isinstance(value, float) else value for value in row) for row in rows]
    names = ("kind", "nodes", *(name.replace("_", " ") for name in columns))
    data = {
        "run": run,
        "truth": truth,
        "kinds": {kind: asdict(found) for kind, found in scores.items()},
        "unconstrained": {kind: asdict(found) for kind, found in free.items()},
    }
    return Page(data, (Sheet(names, shown, right=frozenset(names[2:])),), Sheet(("kind", "nodes", *columns), rows))


def rows_page(table: pa.Table) -> Page:
    """Return the rows a query gave."""
    names = tuple(table.column_names)
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"two columns are called {name!r}; name them apart with AS")
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    right = frozenset(each.name for each in table.schema if any(test(each.type) for test in numeric))
    columns = [column.to_pylist() for column in table.columns]
    sheet = Sheet(names, list(zip(*columns, strict=True)), right=right)
    parts: tuple[Sheet | str, ...] = (sheet,) if names else ()
    return Page(table.to_pylist(), (*parts, counted(table.num_rows, "row")), sheet)


def _parameter(parameter: Field[Any]) -> str:
    default = _default(parameter)
    return parameter.name if default is None else f"{parameter.name}={default}"


def _default(parameter: Field[Any]) -> object:
    if parameter.default_factory is not MISSING:
        return parameter.default_factory()
    return None if parameter.default is MISSING else parameter.default
