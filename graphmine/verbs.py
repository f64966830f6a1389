"""The verbs, put together: pull, fit and push as one movement. Alone knows stores and methods."""

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.errors import DataError, ParameterError, RunError
from graphmine.exchange.journal import ABSENT, Batch, read_journal
from graphmine.exchange.names import check_names
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push
from graphmine.exchange.runs import Run, find_run
from graphmine.exchange.schema import property_type
from graphmine.job import Job
from graphmine.metrics import Scores, score as score_labels
from graphmine.model import UNPLACED, Clustering, Nodes, Pattern, Star, Step
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store, query

__all__ = ["Mined", "Plan", "mine", "plan", "score"]

T = TypeVar("T")
_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Mined:
    """What a job gave: the star it pulled, the clustering it found, and the run if it wrote one."""

    job: Job
    star: Star
    clustering: Clustering
    run: Run | None
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What a job would do: how many nodes and relationships it would read, and what it would write."""

    job: Job
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    writes: Mapping[str, int]
    """For each kind whose property would be written: how many of its nodes hold a value there now."""


def mine(store: Store, job: Job, *, progress: Progress = silent) -> Mined:
    """Pull, fit and, where the job names a property, push.

    The store is the one given; ``job.db`` is for whoever opens it, as the command line does.
    """
    seconds: dict[str, float] = {}
    star = _timed(
        seconds, "pull", lambda: pull(store, job.patterns, where=job.filters, keys=job.keys, progress=progress)
    )
    clustering = _timed(seconds, "fit", lambda: job.fitter.fit(star, seed=job.seed, progress=progress))
    if job.write is None:
        return Mined(job, star, clustering, None, seconds)
    draft = Run(
        property=job.write,
        method=job.method,
        parameters={"n_clusters": job.n_clusters, **job.param},
        seed=job.seed,
        relations=tuple(job.relation),
        filters=tuple(job.where),
        objective=clustering.objective,
        converged=clustering.converged,
        n_clusters=clustering.n_clusters,
        seconds={name: round(value, 3) for name, value in seconds.items()},
        versions={"python": platform.python_version()} | {name: version(name) for name in _SHAPE_THE_RESULT},
    )
    run = _timed(
        seconds,
        "push",
        lambda: push(store, star, clustering, draft, overwrite=job.overwrite, keys=job.keys, progress=progress),
    )
    return Mined(job, star, clustering, run, seconds)


def plan(store: Store, job: Job) -> Plan:
    """Say what a job would read and write, from counts alone."""
    return store.reading(lambda tx: _plan(tx, store.dialect, job))


def score(store: Store, run: str | Run, truth: str) -> dict[str, Scores]:
    """Compare the labels a run wrote with a property that holds the known classes, for each kind that has it."""
    found = find_run(store, run)
    if found.state != "complete":
        raise RunError(f"run {found.id} is {found.state}; only a complete run can be scored")
    journal = read_journal(store, found.id)
    scores = store.reading(lambda tx: _scores(tx, store.dialect, journal, truth))
    if not scores:
        raise ParameterError(f"none of {', '.join(found.kinds)} has a property {truth!r} to compare with")
    return scores


def _plan(tx: Reader, dialect: str, job: Job) -> Plan:
    check_names(tx, dialect, job.patterns, job.filters, job.keys)

    def count(name: str, **names: str) -> int:
        number: int = tx.read(query(dialect, name, **names))["n"][0].as_py()
        return number

    kinds = dict.fromkeys(kind for pattern in job.patterns for kind in pattern.kinds)
    nodes = {kind: count("count_nodes", kind=kind) for kind in kinds}
    relationships = {
        str(Pattern((step,))): sum(
            count("count_links", source=source, type=step.type, target=target) for source, target in _ways(step)
        )
        for pattern in job.patterns
        for step in pattern.steps
        if not step.file
    }
    writes: dict[str, int] = {}
    if job.write is not None:
        for kind in dict.fromkeys(end for pattern in job.patterns for end in (pattern.rows, pattern.cols)):
            held = property_type(tx, dialect, kind, job.write) is not None
            writes[kind] = count("count_property", kind=kind, property=job.write) if held else 0
    return Plan(job, nodes, relationships, writes)


def _ways(step: Step) -> list[tuple[str, str]]:
    """Return from which kind to which the relationships of a step may point."""
    out, back = (step.source, step.target), (step.target, step.source)
    return {"out": [out], "in": [back], "both": [out, back]}[step.direction]


def _scores(tx: Reader, dialect: str, journal: list[Batch], truth: str) -> dict[str, Scores]:
    scores = {}
    for kind, key in {batch.kind: batch.key for batch in journal}.items():
        if property_type(tx, dialect, kind, truth) is None:
            continue
        batches = [batch for batch in journal if batch.kind == kind]
        keys = pa.chunked_array([batch.keys for batch in batches])
        labels = np.concatenate([batch.labels for batch in batches])
        known = tx.read(query(dialect, "score_truth", kind=kind, key=key, truth=truth))
        there = Nodes(kind, known["key"]).keys
        if there.type != keys.type:
            raise DataError(f"the keys of {kind} have changed their type since the run")
        classes = known["truth"].take(pc.index_in(keys, value_set=there)).to_pylist()
        scores[kind] = score_labels(np.where(labels == ABSENT, UNPLACED, labels), classes)
    return scores


def _timed(seconds: dict[str, float], name: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = work()
    seconds[name] = time.perf_counter() - start
    return result
