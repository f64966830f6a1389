"""What a database holds, and what of it can be mined."""

import shlex
from collections.abc import Mapping
from dataclasses import asdict

from graphmine.exchange.schema import Link, Schema, View
from graphmine.methods.catalog import DEFAULT_METHOD, takers
from graphmine.model import Pattern
from graphmine.report.page import Page, Sheet

__all__ = ["schema_page"]


def schema_page(schema: Schema, name: str) -> Page:
    """Return kinds, relationship types and what can be mined, with the flags to paste into ``graphmine mine``."""
    kinds = [(kind.name, kind.count, kind.key, _listed(kind.properties)) for kind in schema.kinds]
    links = [(_link(link), link.count, _listed(link.properties)) for link in schema.links]
    views = [(view.shape, _flags(view), bool(_takers(view))) for view in schema.views()]
    parts: tuple[Sheet | str, ...] = (
        Sheet(("kind", "nodes", "key", "properties"), kinds, right=frozenset({"nodes"})),
        Sheet(("relationship type", "count", "properties"), links, right=frozenset({"count"})),
        "can be mined:",
        *(f"  {shape:<10} {flags}{'' if taken else '   (no method takes it yet)'}" for shape, flags, taken in views),
    )
    if not kinds:
        parts = (f"{name} is empty; `graphmine load davis` or `graphmine load csv` brings a network into it",)
    data = {
        "database": name,
        "kinds": [asdict(kind) for kind in schema.kinds],
        "relationships": [{**asdict(link), "pattern": _link(link)} for link in schema.links],
        "views": [
            {
                "shape": view.shape,
                "relations": [str(pattern) for pattern in view.patterns],
                "flags": _flags(view),
                "methods": _takers(view),
            }
            for view in schema.views()
        ],
    }
    rows = [
        *(("kind", *row) for row in kinds),
        *(("relationship", name, count, None, properties) for name, count, properties in links),
        *((shape, flags, None, None, None) for shape, flags, _ in views),
    ]
    return Page(data, parts, Sheet(("what", "name", "count", "key", "properties"), rows))


def _link(link: Link) -> str:
    return str(Pattern((link.step_from(link.source),)))


def _flags(view: View) -> str:
    """Return what to paste into ``graphmine mine``, with a method where the default does not take it."""
    able = _takers(view)
    method = f" --method {able[-1]}" if able and DEFAULT_METHOD not in able else ""
    return " ".join(f"--relation {_in_quotes(str(pattern))}" for pattern in view.patterns) + method


def _in_quotes(text: str) -> str:
    """Return text as a shell takes it, always in quotes, as people are used to seeing it."""
    quoted = shlex.quote(text)
    return quoted if quoted != text else f"'{text}'"


def _takers(view: View) -> list[str]:
    return takers(len(view.patterns), one_kind=view.of_one_kind)


def _listed(properties: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({kind})" for name, kind in properties.items())
