"""Write a result back, with a record of how it was made."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from graphmine.constraints.satisfaction import as_records, met
from graphmine.exchange.journal import labels_of
from graphmine.exchange.push import push, undo
from graphmine.exchange.push_checks import claim
from graphmine.exchange.run_draft import versions
from graphmine.exchange.runs import Run
from graphmine.methods.taxonomy.taxonomy import Taxonomy
from graphmine.model import Clustering, Star
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.result import Mined, clock
from graphmine.verbs.sequences import TAXONOMY, name_of, on_record, property_of

__all__ = ["draft_of", "write", "write_levels", "write_result"]


def write_result(store: Store, found: Mined, *, progress: Progress = silent) -> Mined:
    """Push what was found, a taxonomy level by level, if its job names a property."""
    if found.job.hierarchy:
        return write_levels(store, found, progress=progress)
    return write(store, found, progress=progress)


def write(
    store: Store,
    found: Mined,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Progress = silent,
) -> Mined:
    """Push what was found, if its job names a property.

    Parameters
    ----------
    parameters
        What to record with the parameters of the method.
    """
    job = found.job
    if job.write is None:
        return found
    draft = draft_of(found, job.write)
    draft = replace(draft, parameters={**draft.parameters, **(parameters or {})})
    seconds = dict(found.seconds)
    claimed = found.claim if found.claim is not None and found.claim.property == job.write else None
    with clock(seconds, "push"):
        run = push(
            store,
            found.star,
            found.clustering,
            draft,
            constraints=found.constraints,
            overwrite=job.overwrite,
            keys=job.relation_keys,
            claimed=claimed,
            progress=progress,
        )
    return replace(found, run=run, seconds=seconds, claim=None)


def draft_of(found: Mined, property_: str) -> Run:
    """Return what is to be recorded of a result that is about to be pushed."""
    job, clustering = found.job, found.clustering
    report = {
        "rules": [str(rule) for rule in job.rules],
        "keys": dict(job.keys),
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
        versions=versions(),
        constraints=report if job.rules else {},
        quality=found.quality,
    )


def write_levels(store: Store, found: Mined, *, progress: Progress = silent) -> Mined:
    """Push the levels of a taxonomy, the first first, if its job names a property: ``topic_1``, ``topic_2``, ...

    Levels that are on record with the same labels are kept. From the first on that is not, what is on record of the
    taxonomy is undone, the last first, and written anew. Nothing is changed where one of them could not be written.
    """
    job, tree = found.job, found.taxonomy
    if job.write is None or tree is None:
        return found
    name, depth = name_of(TAXONOMY, job), len(tree.levels)
    properties = [property_of(job.write, level) for level in range(1, depth + 1)]
    earlier = on_record(store, TAXONOMY, name, properties)
    kept = _kept_levels(store, found.star, tree, earlier)
    missing = range(len(kept) + 1, depth + 1)
    for level in missing:
        _check_level(store, found, properties[level - 1])
    for level in sorted(earlier.keys() - set(range(1, len(kept) + 1)), reverse=True):
        undo(store, earlier[level], progress=progress)
    told = {"taxonomy": name, "levels": depth}
    seconds = dict(found.seconds)
    with clock(seconds, "push"):
        new = [_write_level(store, found, level, properties[level - 1], told, progress) for level in missing]
    runs = (*kept, *new)
    return replace(found, run=runs[-1], levels=runs, kept=len(kept), seconds=seconds)


def _write_level(
    store: Store, found: Mined, level: int, property_: str, told: Mapping[str, object], progress: Progress
) -> Run:
    """Push one level and return its run."""
    assert found.taxonomy is not None
    clustering = found.taxonomy.levels[level - 1]
    at = replace(found, job=replace(found.job, write=property_), clustering=clustering)
    at = replace(at, met=met(found.constraints, clustering))
    told = {**told, "level": level, "splits": _splits(found.taxonomy, level)}
    run = write(store, at, parameters=told, progress=progress).run
    assert run is not None  # the job names a property
    return run


def _check_level(store: Store, found: Mined, property_: str) -> None:
    """Refuse a level that can not be written."""
    job = found.job
    claim(store, found.star, property_, overwrite=job.overwrite, keys=job.relation_keys)


def _kept_levels(store: Store, star: Star, tree: Taxonomy, earlier: Mapping[int, Run]) -> list[Run]:
    """Return the runs of the first levels, as far as they are on record and say the same."""
    kept: list[Run] = []
    for number, level in enumerate(tree.levels, start=1):
        run = earlier.get(number)
        if run is None or run.parameters["levels"] != len(tree.levels) or not _same(store, run, star, level):
            break
        kept.append(run)
    return kept


def _same(store: Store, run: Run, star: Star, level: Clustering) -> bool:
    """Whether a run wrote just these labels to just these nodes."""
    written = labels_of(store, run.id)
    return written.keys() == level.labels.keys() and all(
        each.nodes == star.nodes(kind) and np.array_equal(each.labels, level.labels[kind])
        for kind, each in written.items()
    )


def _splits(tree: Taxonomy, level: int) -> list[dict[str, object]]:
    """Return what was split on the way to a level from the one above, into what, and how well."""
    return [
        {
            "cluster": each.number,
            "into": [child.number for child in each.children],
            "objective": None if each.split is None else each.split.objective,
        }
        for each in tree.root.walk()
        if each.level == level - 1 and each.children
    ]
