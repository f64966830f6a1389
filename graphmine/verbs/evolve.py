"""One clustering for each snapshot of time: each remembers the one before, and clusters keep their numbers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from graphmine.arrays import Bools
from graphmine.checks import nearest
from graphmine.constraints.previous_labels import memory_links
from graphmine.errors import DataError, ParameterError
from graphmine.exchange.names import check_names, where_clause
from graphmine.exchange.runs import Run
from graphmine.exchange.schema import find_properties, property_type
from graphmine.job import Job, read_evolution
from graphmine.job.evolution import (
    FARTHEST,
    MEMORY,
    Snapshot,
    Timeline,
    Window,
    check_flat,
    check_memory_weight,
    check_takes,
    check_unaligned,
)
from graphmine.model import FREE, Constraints, Star, parse_property
from graphmine.model.pattern import write_property
from graphmine.progress import Progress, silent
from graphmine.store import Reader, Store
from graphmine.verbs.mine import fit
from graphmine.verbs.result import Mined
from graphmine.verbs.sequences import EVOLUTION, name_of, on_record, property_of
from graphmine.verbs.stages import Stage, follow_numbers, read_stage
from graphmine.verbs.write import write

__all__ = ["MEMORY", "Evolved", "evolve", "read_evolution", "span"]


def span(store: Store, job: Job, by: str) -> tuple[int, int]:
    """Return the first and the last unit of time that a property holds, on the nodes that the job's filters keep."""
    return store.reading(lambda tx: _span(tx, job, by))


def _span(tx: Reader, job: Job, by: str) -> tuple[int, int]:
    kind, property_ = parse_property(by)
    check_names(tx, job.patterns, job.filters, {})
    if not any(kind in pattern.kinds for pattern in job.patterns):
        kinds = dict.fromkeys(each for pattern in job.patterns for each in pattern.kinds)
        raise ParameterError(f"no relation goes through {kind!r}, named in {by}{nearest(kind, kinds)}")
    held = property_type(tx, kind, property_)
    if held is None:
        raise ParameterError(f"{kind} has no property {property_!r}{nearest(property_, find_properties(tx, kind))}")
    where, values = where_clause(tx, kind, job.filters)
    found = tx.query("span", {"kind": kind, "property": property_, "where": where}, **values).to_pylist()[0]
    ends = found["first"], found["last"]
    name = write_property(kind, property_)
    if None in ends:
        raise DataError(f"no {kind} that the filters keep has a value in {name}, so there is no time to cut")
    if held not in ("integer", "float") or not all(_is_time(each) for each in ends):
        raise DataError(f"{name} holds {held}, and snapshots are cut by numbers, such as a year")
    return math.floor(ends[0]), math.floor(ends[1])


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FARTHEST


@dataclass(frozen=True, eq=False)
class Evolved:
    """The stages of an evolution, in order, and why a snapshot has none.

    Parameters
    ----------
    name
        What the runs are recorded under; the same job, cut in the same way, has the same name.
    skipped
        A sentence for each snapshot that could not be clustered.
    """

    name: str
    job: Job
    timeline: Timeline
    memory: float
    stages: tuple[Stage, ...]
    skipped: Mapping[str, str]


def evolve(
    store: Store,
    job: Job,
    by: str,
    *,
    window: Window = 1,
    step: int = 1,
    since: int | None = None,
    until: int | None = None,
    memory: float = MEMORY,
    progress: Progress = silent,
) -> Evolved:
    """Cluster a network snapshot by snapshot; with ``job.write``, write each to a property named after it.

    Parameters
    ----------
    store, job
        As for `mine`. Snapshot 2005 of a job that writes ``area`` is written to ``area_2005``, as a run of its own.
    by, window, step, since, until
        How time is cut, see `Timeline`.
    memory
        How much the cluster that a node had in the snapshot before weighs, in links of weight 1; 0 for none. The links
        are soft: nodes that were together want to stay so, and the relation may say otherwise.

    Notes
    -----
    Clusters take the numbers of those before with which they share the most nodes; a new one gets a new number, and a
    number that has gone is not used again.

    A snapshot that is on record from an earlier call, all before it being so too, is not fitted again. So a call that
    was interrupted can be repeated, and one with a later ``until`` adds what is new.
    """
    check_memory_weight(memory)
    check_takes(job.method, memory)
    check_flat(job.hierarchy)
    check_unaligned(job.align)
    timeline = Timeline(by, window, step, since, until)
    if since is None or until is None:
        first, last = span(store, job, by)
        timeline = replace(timeline, since=first if since is None else since, until=last if until is None else until)
    snapshots = timeline.snapshots()
    name = _name(job, timeline, memory)
    done = {}
    if job.write is not None:
        done = on_record(store, EVOLUTION, name, [property_of(job.write, each.name) for each in snapshots])
    evolution = _Evolution(store, job, timeline, memory, name, progress)
    stages: list[Stage] = []
    skipped: dict[str, str] = {}
    for number, snapshot in enumerate(snapshots):
        progress(f"snapshot {snapshot.name}", number, len(snapshots))
        if snapshot.name in done and all(stage.kept for stage in stages):
            stages.append(read_stage(store, done[snapshot.name]))
            continue
        try:
            stages.append(evolution.stage(snapshot, stages))
        except _TooLittleError as error:
            skipped[snapshot.name] = str(error)
    progress("snapshots", len(snapshots), len(snapshots))
    if not stages:
        raise DataError(
            f"no snapshot has enough linked nodes for {max(_wanted(job.n_clusters, kind) for kind in job.kinds)} "
            f"clusters, so all of {snapshots[0].name} to {snapshots[-1].name} were skipped; ask for fewer with "
            "`n_clusters=` or widen `window=`"
        )
    return Evolved(name, job, timeline, memory, tuple(stages), skipped)


class _TooLittleError(Exception):
    """A snapshot holds too little to be clustered."""


@dataclass(frozen=True, eq=False)
class _Evolution:
    """What all stages of an evolution share."""

    store: Store
    job: Job
    timeline: Timeline
    memory: float
    name: str
    progress: Progress

    def stage(self, snapshot: Snapshot, stages: list[Stage]) -> Stage:
        """Fit a snapshot, number its clusters after those before, and write it if the job says where."""
        before = stages[-1] if stages else None
        found = fit(
            self.store, self._job(snapshot), recall=lambda star: self._recall(star, before), progress=self.progress
        )
        labels = {nodes.kind: (nodes, found.clustering.labels[nodes.kind]) for nodes in found.star.kinds}
        if before is not None:
            taken = 1 + max(number for stage in stages for number in stage.clusters)
            numbers = follow_numbers(labels, before.labels, taken)
            labels = {kind: (nodes, numbers[kind]) for kind, (nodes, _) in labels.items()}
            found = replace(found, clustering=replace(found.clustering, labels=numbers))
        stage = Stage(snapshot.name, labels, converged=found.clustering.converged)
        return replace(stage, run=self._written(found, stage, before))

    def _job(self, snapshot: Snapshot) -> Job:
        property_ = None if self.job.write is None else property_of(self.job.write, snapshot.name)
        return replace(self.job, where=(*self.job.where, *map(str, snapshot.filters)), write=property_)

    def _recall(self, star: Star, before: Stage | None) -> Constraints:
        there = _linked(star)
        _check_enough(self.job, star, there)
        if before is None or not self.memory:
            return FREE
        kinds = (star.centre,) if self.job.traits.rows_alone else star.kinds
        nodes = {each.kind: each for each in kinds}
        links = memory_links(nodes, before.labels, there, weight=self.memory, rule=_rule_name(before))
        # Where windows overlap, the clusters before were made of some of the same records.
        return replace(links, repeats=frozenset(links.rules)) if self.timeline.overlaps else links

    def _written(self, found: Mined, stage: Stage, before: Stage | None) -> Run | None:
        if self.job.write is None:
            return None
        timeline = self.timeline
        parameters: dict[str, object] = {
            "evolution": self.name,
            "snapshot": stage.name,
            "previous": before.run.id if before and before.run else None,
            "by": timeline.by,
            "window": timeline.window,
            "step": timeline.step,
            "since": timeline.since,
            "memory": self.memory,
        }
        # Drawn again, it ties all that were together, whether they take part or not, each pair with the whole weight.
        if before and before.run and self.memory:
            again = "; repeats" if timeline.overlaps else ""
            rule = f"must run {before.run.id}; weight {self.memory:g}{again}; name {_rule_name(before)}"
            found = replace(found, job=replace(found.job, constrain=(*found.job.rules, rule)))
        return write(self.store, found, parameters=parameters, progress=self.progress).run


def _name(job: Job, timeline: Timeline, memory: float) -> str:
    """Return a name made of all that shapes an evolution, but for its end."""
    cut = {each: getattr(timeline, each) for each in ("by", "window", "step", "since")}
    return name_of(EVOLUTION, job, {**cut, "memory": memory})


def _rule_name(before: Stage) -> str:
    return f"clusters of {before.name}"


def _linked(star: Star) -> dict[str, Bools]:
    """Return which nodes of each kind have a link in the star."""
    found = {nodes.kind: np.zeros(len(nodes), dtype=np.bool_) for nodes in star.kinds}
    for arm in star.arms:
        rows, cols = arm.block.nonzero()
        found[arm.rows.kind][rows] = True
        found[arm.cols.kind][cols] = True
    return found


def _check_enough(job: Job, star: Star, there: Mapping[str, Bools]) -> None:
    """Refuse a snapshot with fewer linked nodes of a kind than clusters; the arms of a star may have fewer."""
    for kind, linked in there.items():
        if len(star.arms) > 1 and kind != star.centre.kind and linked.any():
            continue
        count, wanted = int(np.count_nonzero(linked)), _wanted(job.n_clusters, kind)
        if count < wanted:
            are = "node is" if count == 1 else "nodes are"
            raise _TooLittleError(f"{count or 'no'} {kind} {are} linked, and there are to be {wanted} clusters")


def _wanted(n_clusters: object, kind: str) -> int:
    """Return how many clusters a kind is to have; two at least, where that is left to the network."""
    if isinstance(n_clusters, Mapping):
        return int(n_clusters.get(kind, 1))
    return n_clusters if isinstance(n_clusters, int) else 2
