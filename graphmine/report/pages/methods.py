"""The methods, their papers and what they take."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from graphmine.methods.base import Method
from graphmine.report.page import Page, Sheet

__all__ = ["methods_page"]


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


def _parameter(parameter: Field[Any]) -> str:
    default = _default(parameter)
    return parameter.name if default is None else f"{parameter.name}={default}"


def _default(parameter: Field[Any]) -> object:
    if parameter.default_factory is not MISSING:
        return parameter.default_factory()
    return None if parameter.default is MISSING else parameter.default
