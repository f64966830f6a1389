"""What an experiment gave, as plain dictionaries for JSON, and back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphmine.errors import DataError
from graphmine.experiments.base import Experiment, Reproduction, Spread, TaskResult

__all__ = ["from_record", "read_reproduction", "reproduction_record", "write_reproduction"]

_DIGITS = 4


def reproduction_record(experiment: Experiment, done: Reproduction) -> dict[str, Any]:
    """Return all of it: what the experiment is, what it gave draw by draw, and which claims hold."""
    return {
        "experiment": done.experiment,
        "title": experiment.title,
        "paper": experiment.paper,
        "quick": done.quick,
        "draws": done.draws,
        "seconds": round(done.seconds, 1),
        "versions": dict(done.versions),
        "machine": dict(done.machine),
        "settings": dict(experiment.settings),
        "left_open": list(experiment.left_open),
        "missing": list(experiment.missing),
        "complete": len(done.tasks) == experiment.expected(done.quick),
        "tasks": [_task(each) for each in done.tasks],
        "claims": [
            {"where": claim.where, "says": claim.says, "measured": verdict.measured, "holds": verdict.holds}
            for claim, verdict in experiment.verdicts(done)
        ],
    }


def from_record(record: Mapping[str, Any]) -> Reproduction:
    """Return what an experiment gave; what it is, is known from its name."""
    try:
        tasks = tuple(map(_task_result, record["tasks"]))
        names = ("seconds", "versions", "machine")
        kept = {name: record[name] for name in names}
        return Reproduction(record["experiment"], record["quick"], record["draws"], tasks, **kept)
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"this is no result of an experiment: {error!r} is wrong with it") from error


def write_reproduction(path: Path, experiment: Experiment, done: Reproduction) -> None:
    """Write what an experiment gave to a file; a file that is there is replaced in one step."""
    part = path.with_name(f"{path.name}.part")
    text = json.dumps(reproduction_record(experiment, done), indent=1, ensure_ascii=False)
    part.write_text(f"{text}\n", encoding="utf-8")
    part.replace(path)


def read_reproduction(path: Path) -> Reproduction:
    """Read what an experiment gave from a file."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"the result {path} can not be read: {error}") from error
    return from_record(record)


def _task(result: TaskResult) -> dict[str, Any]:
    found = {"found": {method: list(each) for method, each in result.found.items()}} if result.found else {}
    return {
        "name": result.name,
        "printed": dict(result.printed),
        "sizes": dict(result.sizes),
        "fits": dict(result.fits),
        "methods": {
            method: {name: [round(value, _DIGITS) for value in spread.values] for name, spread in measures.items()}
            for method, measures in result.measures.items()
        },
        **found,
    }


def _task_result(record: Mapping[str, Any]) -> TaskResult:
    measures = {
        method: {name: Spread(tuple(values)) for name, values in of_method.items()}
        for method, of_method in record["methods"].items()
    }
    found = {method: tuple(each) for method, each in record.get("found", {}).items()}
    return TaskResult(record["name"], record["printed"], record["sizes"], record["fits"], measures, found)
