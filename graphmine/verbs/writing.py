"""Writing a result back, with what is to be known of it later."""

import platform
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version

from graphmine.constraints.met import as_records
from graphmine.exchange.push import push
from graphmine.exchange.runs import Run
from graphmine.progress import Progress, silent
from graphmine.store import Store
from graphmine.verbs.constraining import relation_keys
from graphmine.verbs.mined import Mined, timed

__all__ = ["draft_of", "write"]

_SHAPE_THE_RESULT = ("graphmine", "numpy", "scipy", "scikit-learn")


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
    keys = relation_keys(job.patterns, job.keys, job.rules)
    seconds = dict(found.seconds)
    claimed = found.claim if found.claim is not None and found.claim.property == job.write else None
    send = partial(push, store, found.star, found.clustering, draft, constraints=found.constraints, claimed=claimed)
    run = timed(seconds, "push", lambda: send(overwrite=job.overwrite, keys=keys, progress=progress))
    return replace(found, run=run, seconds=seconds, claim=None)


def draft_of(found: Mined, property_: str) -> Run:
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
