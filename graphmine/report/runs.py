"""The runs on record, one or all."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from graphmine.exchange.runs import Run
from graphmine.report.page import Page, Sheet, fact, number

__all__ = ["ended_page", "run_page", "runs_page"]

_COUNTS = ("nodes", "written", "unplaced", "gone", "changed")


def runs_page(runs: Sequence[Run]) -> Page:
    """Return every run in a line."""
    columns = ("run", "state", "property", "method", "k", "relations", "objective")
    rows = [
        (run.id, run.state, run.property, run.method, run.n_clusters, ", ".join(run.relations), run.objective)
        for run in runs
    ]
    shown = [(*row[:-1], number(run.objective)) for row, run in zip(rows, runs, strict=True)]
    table = Sheet(columns, shown, right=frozenset({"k", "objective"}))
    parts = (table,) if runs else ("no run has been written yet; `graphmine mine … --write PROPERTY` writes one",)
    return Page([asdict(run) for run in runs], parts, Sheet(columns, rows))


def run_page(run: Run) -> Page:
    """Return everything on record of one run."""
    values: dict[str, Any] = asdict(run)
    lines = [fact(name, _text(value)) for name, value in values.items() if name not in ("counts", "batches", "added")]
    return Page(values, ("\n".join(lines), _counts(run)), Sheet(("field", "value"), list(values.items())))


def ended_page(run: Run, what: str) -> Page:
    """Return what ending a run did."""
    data = {"id": run.id, "property": run.property, "state": run.state, "counts": run.counts}
    sheet = _counts(run)
    return Page(data, (f"run {run.id} on {run.property!r} {what}", *([sheet] if sheet.rows else [])), sheet)


def _counts(run: Run) -> Sheet:
    rows = [(kind, *(counts.get(name, 0) for name in _COUNTS)) for kind, counts in run.counts.items()]
    return Sheet(("kind", *_COUNTS), rows, right=frozenset(_COUNTS))


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items()) or "–"
    if isinstance(value, tuple):
        return ", ".join(value) or "–"
    return "–" if value in (None, "") else str(value)
