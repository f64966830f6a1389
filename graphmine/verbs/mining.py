"""Pull, constrain, fit and push as one movement, and what it would do."""

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import TypeVar

from graphmine.constraints.draw import check_kinds
from graphmine.constraints.met import Met, as_records, met
from graphmine.exchange.names import check_names, check_rule
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push
from graphmine.exchange.runs import Run
from graphmine.exchange.schema import property_type
from graphmine.job import Job
from graphmine.methods.choosing import Choice, as_record, choose_k
from graphmine.methods.clusters import Clusters, most_clusters
from graphmine.model import FREE, Clustering, Constraints, Pattern, Star, Step
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store, query
from graphmine.verbs.constraining import constrain, relation_keys, settle

__all__ = ["Mined", "Plan", "fit", "mine", "plan", "write"]

T = TypeVar("T")
_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Mined:
    """What a job gave: the star it pulled, the clustering it found, and the run if it wrote one.

    With rules, also the constraints they made, how far the clustering meets them, and how many links were dropped or
    weakened because hard ones contradicted each other. Where the job leaves the number of clusters to the data, how it
    was chosen.
    """

    job: Job
    star: Star
    clustering: Clustering
    run: Run | None
    seconds: Mapping[str, float] = field(default_factory=dict)
    constraints: Constraints = FREE
    met: tuple[Met, ...] = ()
    given_up: int = 0
    choice: Choice | None = None

    @property
    def asked(self) -> Clusters:
        """How many clusters the method was asked for, in all or of each kind."""
        if self.choice is not None:
            return self.choice.k
        return self.job.fitter.n_clusters

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters of the method as the job gives them, and what the data made of those it leaves open."""
        found: dict[str, object] = {"n_clusters": self.job.n_clusters, **self.job.param}
        if self.choice is not None:
            found["chosen"] = as_record(self.choice)
        if self.clustering.tried:
            found["tried"] = [dict(each) for each in self.clustering.tried]
        if self.clustering.figures:
            found["figures"] = dict(self.clustering.figures)
        return found


@dataclass(frozen=True)
class Plan:
    """What a job would do: how many nodes and relationships it would read, and what it would write."""

    job: Job
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    writes: Mapping[str, int]
    """For each kind whose property would be written: how many of its nodes hold a value there now."""


def mine(store: Store, job: Job, *, progress: Progress = silent) -> Mined:
    """Pull, constrain, fit and, where the job names a property, push.

    The store is the one given; ``job.db`` is for whoever opens it, as the command line does.
    """
    return write(store, fit(store, job, progress=progress), progress=progress)


def fit(
    store: Store, job: Job, *, recall: Callable[[Star], Constraints] | None = None, progress: Progress = silent
) -> Mined:
    """Pull, constrain and fit; nothing is written.

    Parameters
    ----------
    recall
        What is known of the nodes of the star besides what the rules say; it is asked as soon as that is pulled.
    """
    seconds: dict[str, float] = {}
    keys = relation_keys(job.patterns, job.keys, job.rules)
    star = _timed(seconds, "pull", lambda: pull(store, job.patterns, where=job.filters, keys=keys, progress=progress))
    known = FREE if recall is None else recall(star)
    constraints, given_up = FREE, 0
    if job.rules:
        constraints, given_up = _timed(seconds, "constrain", lambda: _constrained(store, star, job, progress))
    constraints += known
    choice = None
    if job.chooses:
        choice = _timed(
            seconds,
            "choose",
            lambda: choose_k(star, job.fitter_for, constraints, seed=job.seed, progress=progress),
        )
    clustering = _timed(seconds, "fit", lambda: _fitted(job, star, constraints, choice, progress))
    return Mined(job, star, clustering, None, seconds, constraints, met(constraints, clustering), given_up, choice)


def write(
    store: Store,
    found: Mined,
    *,
    parameters: Mapping[str, object] | None = None,
    n_clusters: int | None = None,
    progress: Progress = silent,
) -> Mined:
    """Push what was found, if its job names a property.

    Parameters
    ----------
    parameters
        What to record with the parameters of the method.
    n_clusters
        How many clusters there are, where their numbers have gaps.
    """
    job = found.job
    if job.write is None:
        return found
    draft = _draft(found, job.write)
    found_clusters = draft.n_clusters if n_clusters is None else n_clusters
    draft = replace(draft, parameters={**draft.parameters, **(parameters or {})}, n_clusters=found_clusters)
    keys = relation_keys(job.patterns, job.keys, job.rules)
    seconds = dict(found.seconds)
    send = partial(push, store, found.star, found.clustering, draft, constraints=found.constraints)
    run = _timed(seconds, "push", lambda: send(overwrite=job.overwrite, keys=keys, progress=progress))
    return replace(found, run=run, seconds=seconds)


def _fitted(job: Job, star: Star, constraints: Constraints, choice: Choice | None, progress: Progress) -> Clustering:
    """Return the fit, which may have been made when its number of clusters was chosen."""
    if choice is None:
        return job.fitter.fit(star, constraints, seed=job.seed, progress=progress)
    return choice.clustering or job.fitter_for(choice.k).fit(star, constraints, seed=job.seed, progress=progress)


def _constrained(store: Store, star: Star, job: Job, progress: Progress) -> tuple[Constraints, int]:
    drawn = constrain(store, star, job.rules, keys=job.keys, progress=progress)
    return settle(drawn, star, job.on_conflict, None if job.chooses else most_clusters(job.fitter.n_clusters))


def _draft(found: Mined, property_: str) -> Run:
    """Return what is to be recorded of a result that is about to be pushed."""
    job, clustering = found.job, found.clustering
    report = {
        "rules": [str(rule) for rule in job.rules],
        "keys": job.keys,
        "on_conflict": job.on_conflict,
        "given_up": found.given_up,
        "repeats": sorted(found.constraints.repeats),
        "met": as_records(found.met),
    }
    return Run(
        property=property_,
        method=job.method,
        parameters=found.parameters,
        seed=job.seed,
        relations=tuple(job.relation),
        filters=tuple(job.where),
        objective=clustering.objective,
        converged=clustering.converged,
        n_clusters=clustering.n_clusters,
        seconds={name: round(value, 3) for name, value in found.seconds.items()},
        versions={"python": platform.python_version()} | {name: version(name) for name in _SHAPE_THE_RESULT},
        constraints=report if job.rules else {},
    )


def plan(store: Store, job: Job) -> Plan:
    """Say what a job would read and write, from counts alone."""
    return store.reading(lambda tx: _plan(tx, store.dialect, job))


def _plan(tx: Reader, dialect: str, job: Job) -> Plan:
    check_names(tx, dialect, job.patterns, job.filters, relation_keys(job.patterns, job.keys, job.rules))
    for rule in job.rules:
        check_kinds(rule, dict.fromkeys(end for pattern in job.patterns for end in (pattern.rows, pattern.cols)))
        check_rule(tx, dialect, rule)

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


def _timed(seconds: dict[str, float], name: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = work()
    seconds[name] = time.perf_counter() - start
    return result
