"""Doing an experiment again: each task through an embedded database of its own, draw by draw, method by method."""

import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from graphmine.exchange.load import load
from graphmine.experiments.base import MEASURES, Experiment, Reproduction, Spread, Task, TaskResult
from graphmine.job import Job
from graphmine.metrics import nmi, purity
from graphmine.model import UNPLACED, Star
from graphmine.progress import Progress, silent
from graphmine.store import Store, connect
from graphmine.verbs import Mined, constrain, mine
from graphmine.verbs.truth import known_classes

__all__ = ["reproduced"]

_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")

Measures = dict[str, list[float]]


def reproduced(experiment: Experiment, *, quick: bool = False, progress: Progress = silent) -> Iterator[Reproduction]:
    """Do an experiment again; give what is done after each task, the last time all of it.

    If it is to be quick, tasks are smaller and draws fewer: to see that it works, not what it gives.
    """
    started = time.perf_counter()
    draws = experiment.quick_draws if quick else experiment.draws
    versions = {"python": platform.python_version()} | {name: version(name) for name in _SHAPE_THE_RESULT}
    progress("reading the data", 0)
    done: list[TaskResult] = []
    loads: list[float] = []
    for task in experiment.tasks(quick):
        done.append(_result(task, draws, _Part(progress, len(done), experiment.n_tasks)))
        loads += _load()
        seconds = time.perf_counter() - started
        yield Reproduction(experiment.name, quick, draws, tuple(done), seconds, versions, _machine(loads))


def _load() -> list[float]:
    """Return the load of the last minute, where the system tells it."""
    try:
        return [os.getloadavg()[0]]
    except (AttributeError, OSError):
        return []


def _machine(loads: Sequence[float]) -> dict[str, float]:
    processors = {"processors": float(os.cpu_count() or 1)}
    return processors | ({"load": round(fmean(loads), 1)} if loads else {})


class _Part:
    """Tells how far the work is, as a share of all tasks."""

    def __init__(self, progress: Progress, done: int, total: int) -> None:
        self.progress, self.done, self.total = progress, done, total

    def __call__(self, what: str, done: int, total: int) -> None:
        self.progress(what, self.done * total + done, self.total * total)


def _result(task: Task, draws: int, progress: _Part) -> TaskResult:
    with TemporaryDirectory(prefix="graphmine-") as folder, connect(Path(folder) / "task.lbug") as store:
        load(store, task.network())
        found: dict[str, Measures] = {}
        sizes: dict[str, int] = {}
        fits = {method: _told(job) for method, job in task.jobs(0).items()}
        for draw in range(draws):
            task.prepare(store, draw)
            jobs = task.jobs(draw)
            for at, (method, job) in enumerate(jobs.items()):
                progress(f"{task.name}: {method}", draw * len(jobs) + at, draws * len(jobs))
                mined = mine(store, job)
                sizes = sizes or _sizes(mined.star)
                measures = found.setdefault(method, {name: [] for name in MEASURES})
                for name, value in _measured(store, task, draw, mined).items():
                    measures[name].append(value)
    spreads = {
        method: {name: Spread(tuple(values)) for name, values in measures.items()} for method, measures in found.items()
    }
    return TaskResult(task.name, task.printed, sizes, fits, spreads)


def _told(job: Job) -> str:
    return " + ".join([str(job.fitter), *(f"'{rule}'" for rule in job.rules)])


def _sizes(star: Star) -> dict[str, int]:
    return {nodes.kind: len(nodes) for nodes in star.kinds} | {"links": sum(arm.block.nnz for arm in star.arms)}


def _measured(store: Store, task: Task, draw: int, mined: Mined) -> Mapping[str, float]:
    """Score a clustering on all nodes, and on those that no rule names; nodes without a link are left out of both."""
    kind, truth = task.truth
    nodes = next(each for each in mined.star.kinds if each.kind == kind)
    classes = known_classes(store, {kind: nodes}, {}, truth)[kind]
    labels = mined.clustering.labels[kind]
    named = constrain(store, mined.star, task.labelled(draw)).touched(kind, len(nodes))
    free = np.where(named, UNPLACED, labels)
    return {
        **_agreements(labels, classes),
        **{f"free_{name}": value for name, value in _agreements(free, classes).items()},
        "seconds": mined.seconds["fit"],
    }


def _agreements(labels: NDArray[np.int64], classes: Sequence[object]) -> dict[str, float]:
    return {"purity": purity(labels, classes), "nmi": nmi(labels, classes)}
