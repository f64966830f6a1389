"""What loading did to each kind and relationship type."""

from collections.abc import Mapping
from dataclasses import asdict

from graphmine.exchange.load import Loaded
from graphmine.report.page import Page, Sheet, fact

__all__ = ["loaded_page"]

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
