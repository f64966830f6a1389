"""What `evolve` found, and the flow of nodes from cluster to cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from graphmine.exchange.runs import Run
from graphmine.model import UNPLACED
from graphmine.report.page import Page, Sheet, counted, fact
from graphmine.verbs.evolve import Evolved
from graphmine.verbs.flow import Change, Flow, changes, flows

__all__ = ["evolved_page", "flow_page", "unwound_page"]

_COLUMNS = ("snapshot", "kind", "nodes", "new", "gone", "stayed", "moved", "agreement", "clusters")


def evolved_page(evolved: Evolved, top: int = 5) -> Page:
    """Return what changed from snapshot to snapshot, and the largest moves between clusters."""
    changed, flowed = changes(evolved.stages), flows(evolved.stages)
    moves = sorted((each for each in flowed if _is_move(each)), key=lambda each: -each.nodes)[:top]
    largest = (_flow_sheet(moves, "largest moves"),) if moves else ()
    labels = Sheet(("snapshot", "kind", "key", "label"), _labels(evolved))
    parts = (_changes(evolved, changed), *largest, "\n".join(_facts(evolved)))
    return Page(_data(evolved, changed, flowed), parts, labels)


def flow_page(flowed: Sequence[Flow]) -> Page:
    """Return how many nodes went from each cluster of a snapshot to each of the next."""
    sheet = _flow_sheet(flowed)
    return Page([asdict(each) for each in flowed], (sheet,), sheet)


def unwound_page(runs: Sequence[Run]) -> Page:
    """Return the runs that were undone, the last first."""
    columns = ("run", "state", "property")
    sheet = Sheet(columns, [(run.id, run.state, run.property) for run in runs])
    told = f"{counted(len(runs), 'run')} undone: what stood there before is back"
    data = [{"id": run.id, "state": run.state, "property": run.property, "counts": run.counts} for run in runs]
    return Page(data, (sheet, told), sheet)


def _changes(evolved: Evolved, changed: Sequence[Change]) -> Sheet:
    clusters = {stage.name: stage.clusters for stage in evolved.stages}
    rows: list[tuple[object, ...]] = []
    for name, group in groupby(changed, key=lambda each: each.after):
        for position, each in enumerate(group):
            counts = (each.nodes, each.new, each.gone, each.stayed, each.moved)
            agreement = None if each.agreement is None else f"{each.agreement:.3f}"
            numbers = None if position else ", ".join(map(str, clusters[name]))
            rows.append((None if position else name, each.kind, *counts, agreement, numbers))
    return Sheet(_COLUMNS, rows, right=frozenset(_COLUMNS[2:-1]))


def _flow_sheet(flowed: Sequence[Flow], title: str = "") -> Sheet:
    columns = ("before", "after", "kind", "from", "to", "nodes")
    rows = [(each.before, each.after, each.kind, each.source, each.target, each.nodes) for each in flowed]
    return Sheet(columns, rows, title, right=frozenset(columns[3:]))


def _is_move(flow: Flow) -> bool:
    return flow.source is not None and flow.target is not None and flow.source != flow.target


def _facts(evolved: Evolved) -> Iterator[str]:
    kept = [stage.name for stage in evolved.stages if stage.kept]
    if kept:
        yield fact("kept", f"{', '.join(kept)}: on record already, not fitted again")
    for name, why in evolved.skipped.items():
        yield fact("skipped", f"{name}: {why}")
    yield fact("memory", f"{evolved.memory:g}" if evolved.memory else "none: each snapshot was fitted by itself")
    if evolved.job.write is None:
        yield fact("evolution", "none: nothing was written, as there is no --write")
        return
    written = ", ".join(stage.run.property for stage in evolved.stages if stage.run is not None)
    yield fact("evolution", f"{evolved.name}, labels in {written or 'nothing'}")


def _data(evolved: Evolved, changed: Sequence[Change], flowed: Sequence[Flow]) -> dict[str, Any]:
    return {
        "evolution": None if evolved.job.write is None else evolved.name,
        "method": evolved.job.method,
        "seed": evolved.job.seed,
        **asdict(evolved.timeline),
        "memory": evolved.memory,
        "snapshots": [
            {
                "snapshot": stage.name,
                "clusters": stage.clusters,
                "converged": stage.converged,
                "kept": stage.kept,
                "run": stage.run and {"id": stage.run.id, "property": stage.run.property, "state": stage.run.state},
                "changes": [asdict(each) for each in changed if each.after == stage.name],
            }
            for stage in evolved.stages
        ],
        "skipped": dict(evolved.skipped),
        "flows": [asdict(each) for each in flowed],
    }


def _labels(evolved: Evolved) -> Iterator[tuple[str, str, str | int, int]]:
    for stage in evolved.stages:
        for kind, (nodes, labels) in stage.labels.items():
            for key, label in zip(nodes.keys.to_pylist(), labels.tolist(), strict=True):
                if label != UNPLACED:
                    yield stage.name, kind, key, label
