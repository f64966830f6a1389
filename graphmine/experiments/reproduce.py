"""Doing an experiment again: each task through an embedded database of its own, draw by draw, method by method."""

import os
import platform
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from graphmine.exchange.load import load
from graphmine.experiments.base import Experiment, Measured, Reproduction, Spread, Task, TaskResult
from graphmine.job import Job
from graphmine.model import Star
from graphmine.progress import Progress, silent
from graphmine.store import Store, connect
from graphmine.verbs.mine import mine

__all__ = ["reproduced"]

_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")


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
        done.append(_result(task, draws, _Part(progress, len(done), experiment.expected(quick))))
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

    def __call__(self, what: str, done: int, total: int | None = None) -> None:
        total = total or 1
        self.progress(what, self.done * total + done, self.total * total)

    def of(self, done: int, total: int) -> "_Part":
        """Return a part of this part."""
        return _Part(self.progress, self.done * total + done, self.total * total)


def _result(task: Task, draws: int, progress: _Part) -> TaskResult:
    found, draws = _Found(), 1 if task.once else draws
    databases = [[draw] for draw in range(draws)] if task.redrawn else [list(range(draws))]
    for some in databases:
        with TemporaryDirectory(prefix="graphmine-") as folder, connect(Path(folder) / "task.lbug") as store:
            load(store, task.network(some[0]))
            for draw in some:
                _mine(store, task, draw, found, progress.of(draw, draws))
    fits = {method: _told(job) for method, job in task.jobs(0).items()}
    return found.result(task, fits)


class _Found:
    """What was measured so far, draw by draw."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.measured: dict[str, list[Measured]] = {}

    def result(self, task: Task, fits: Mapping[str, str]) -> TaskResult:
        spreads = {
            method: {name: Spread(tuple(draw.values[name] for draw in draws)) for name in draws[0].values}
            for method, draws in self.measured.items()
        }
        words = {method: tuple(draw.found for draw in draws) for method, draws in self.measured.items()}
        told = words if any(any(each) for each in words.values()) else {}
        return TaskResult(task.name, task.printed, self.sizes, fits, spreads, told)


def _mine(store: Store, task: Task, draw: int, found: _Found, progress: Progress) -> None:
    """Mine by every method in one draw."""
    task.prepare(store, draw)
    jobs = task.jobs(draw)
    for at, (method, job) in enumerate(jobs.items()):
        progress(f"{task.name}: {method}", at, len(jobs))
        with warnings.catch_warnings():
            if draw:  # the first has told what there is to know of the set
                warnings.simplefilter("ignore", UserWarning)
            mined = mine(store, job)
        found.sizes = found.sizes or _sizes(mined.star)
        found.measured.setdefault(method, []).append(task.measured(store, draw, mined))


def _told(job: Job) -> str:
    return " + ".join([str(job.fitter), *(f"'{rule}'" for rule in job.rules)])


def _sizes(star: Star) -> dict[str, int]:
    return {nodes.kind: len(nodes) for nodes in star.kinds} | {"links": sum(arm.block.nnz for arm in star.arms)}
