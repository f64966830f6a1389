"""How well the labels of a run agree with known classes."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from graphmine.metrics import Scores
from graphmine.report.page import Page, Sheet

__all__ = ["scores_page"]


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
