"""The runs on record, one or all."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from graphmine.constraints.satisfaction import from_records
from graphmine.exchange.runs import Run
from graphmine.report.page import Page, Sheet, counted, fact, number
from graphmine.report.pages.constraints import met_parts
from graphmine.report.pages.quality import quality_facts
from graphmine.report.pages.selection import chosen_parts, figure_facts
from graphmine.verbs.sequences import Sort, sequence_of

__all__ = ["ended_page", "left_alone", "run_page", "runs_page"]

_SHOWN_APART = ("chosen", "tried", "figures", "splits")
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
    listed = [(*row, sequence and sequence[1]) for row, sequence in zip(rows, map(sequence_of, runs), strict=True)]
    parts = (table,) if runs else ("no run has been written yet; `graphmine mine … --write PROPERTY` writes one",)
    data = [asdict(run) for run in runs]
    return Page(data, (*parts, *_sequences(runs)), Sheet((*columns, "part of"), listed))


def run_page(run: Run) -> Page:
    """Return everything on record of one run."""
    values: dict[str, Any] = asdict(run)
    hidden = ("counts", "batches", "added", "constraints", "quality")
    given = {name: value for name, value in run.parameters.items() if name not in _SHOWN_APART}
    shown = {**values, "parameters": given}
    lines = [fact(name, _text(value)) for name, value in shown.items() if name not in hidden]
    lines += [] if run.quality is None else quality_facts(run.quality)
    lines += figure_facts(run.parameters)
    lines += [fact("rule", rule) for rule in run.constraints.get("rules", ())]
    found = from_records(run.constraints.get("met", ()))
    links = met_parts(found, run.constraints.get("repeats", ()))
    tried = chosen_parts(run.parameters)
    parts = ("\n".join(lines), _counts(run), *_splits(run), *tried, *links)
    return Page(values, parts, Sheet(("field", "value"), list(values.items())))


def ended_page(run: Run, what: str) -> Page:
    """Return what ending a run did, and to how many nodes it could not be done."""
    data = {"id": run.id, "property": run.property, "state": run.state, "counts": run.counts}
    sheet, sentence = _counts(run), f"run {run.id} on {run.property!r} {what}{_except(run)}"
    return Page(data, (sentence, *([sheet] if sheet.rows else [])), sheet)


def left_alone(run: Run) -> Iterator[str]:
    """Say for each kind how many nodes did not get their label, and why."""
    for kind, counts in run.counts.items():
        changed, gone = counts.get("changed", 0), counts.get("gone", 0)
        if changed:
            were = "was" if changed == 1 else "were"
            yield f"{counted(changed, f'{kind} node')} {were} changed by somebody else meanwhile and left alone"
        if gone:
            yield f"{counted(gone, f'{kind} node')} {'has' if gone == 1 else 'have'} gone meanwhile"


def _splits(run: Run) -> tuple[Sheet, ...]:
    """Return what was split on the way to a level of a taxonomy."""
    splits = run.parameters.get("splits")
    if not splits:
        return ()
    rows = [(each["cluster"], ", ".join(map(str, each["into"])), number(each["objective"])) for each in splits]
    return (Sheet(("cluster", "into", "objective"), rows, "splits", right=frozenset({"cluster", "objective"})),)


def _sequences(runs: Sequence[Run]) -> tuple[str, ...]:
    """Say which properties the runs of each evolution and taxonomy wrote, but for those that are undone."""
    written: dict[tuple[Sort, str], list[str]] = {}
    for run in runs:
        sequence = sequence_of(run)
        if sequence is not None and run.state != "undone":
            written.setdefault(sequence, []).append(run.property)
    lines = [fact(sort.noun, f"{name}: {', '.join(names)}") for (sort, name), names in written.items()]
    return ("\n".join(lines),) if lines else ()


def _except(run: Run) -> str:
    changed, gone = (sum(counts.get(name, 0) for counts in run.counts.values()) for name in ("changed", "gone"))
    where = [f"on {counted(changed, 'node')} that somebody has changed since"] if changed else []
    where += [f"on {counted(gone, 'node')} that {'has' if gone == 1 else 'have'} gone"] if gone else []
    return f", except {' and '.join(where)}" if where else ""


def _counts(run: Run) -> Sheet:
    rows = [(kind, *(counts.get(name, 0) for name in _COUNTS)) for kind, counts in run.counts.items()]
    return Sheet(("kind", *_COUNTS), rows, right=frozenset(_COUNTS))


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items()) or "–"
    if isinstance(value, tuple):
        return ", ".join(value) or "–"
    return "–" if value in (None, "") else str(value)
