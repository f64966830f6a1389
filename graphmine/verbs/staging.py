"""Several runs as stages, one after the other: what went where between them."""

from collections.abc import Sequence
from contextlib import suppress

from graphmine.checks import nearest
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.runs import Run, find_complete
from graphmine.store import Store
from graphmine.verbs.recalling import Recalled, written_by
from graphmine.verbs.sequences import EVOLUTION, TAXONOMY, members_of, sequence_of
from graphmine.verbs.stages import Stage, runs_of

__all__ = ["of_kind", "staged", "stages_of_results"]


def staged(store: Store, names: Sequence[str]) -> list[Stage]:
    """Return the stages that names stand for: runs in the order given, or all runs of one evolution or taxonomy.

    A single name may be that of an evolution or a taxonomy, the beginning of one, ``last`` for the last of them, or a
    run that is part of one.
    """
    if len(names) == 1:
        sequence, runs = _sequence(store, names[0])
        return [_stage(store, run, str(run.parameters[sequence])) for run in runs]
    runs = [find_complete(store, name) for name in names]
    properties = [run.property for run in runs]
    by_property = len(set(properties)) == len(properties)
    if len({run.id for run in runs}) < len(runs):
        raise ParameterError("the same run is named twice; name different ones")
    return [_stage(store, run, run.property if by_property else run.id) for run in runs]


def stages_of_results(results: Sequence[Recalled]) -> list[Stage]:
    """Return recalled runs as stages."""
    properties = [each.run.property for each in results]
    by_property = len(set(properties)) == len(properties)
    return [
        Stage(
            each.run.property if by_property else each.run.id,
            {nodes.kind: (nodes, each.clustering.labels[nodes.kind]) for nodes in each.star.kinds},
            each.run,
        )
        for each in results
    ]


def of_kind(stages: Sequence[Stage], kind: str | None) -> list[Stage]:
    """Return stages with those kinds alone that all of them have, or with the one that is asked for."""
    shared = [each for each in stages[0].labels if all(each in stage.labels for stage in stages)] if stages else []
    if len(stages) < 2:
        raise ParameterError("a flow needs two runs or more, an evolution or a taxonomy")
    if kind is not None and kind not in shared:
        among = nearest(kind, shared) or f", only {', '.join(shared) or 'none'}"
        raise ParameterError(f"the runs have no kind {kind!r} in common{among}")
    if not shared:
        raise ParameterError("the runs have no kind in common, so nothing went from one to another")
    kept = shared if kind is None else [kind]
    return [Stage(stage.name, {each: stage.labels[each] for each in kept}, stage.run) for stage in stages]


def _sequence(store: Store, name: str) -> tuple[str, list[Run]]:
    with suppress(RunError):
        return _members(store, name)
    run = find_complete(store, name)
    found = sequence_of(run)
    if found is None:
        raise ParameterError(
            f"run {run.id} is part of no evolution and no taxonomy; name a second run to see what went where"
        )
    return _members(store, found[1])


def _members(store: Store, name: str) -> tuple[str, list[Run]]:
    runs = members_of(store, name)
    found = sequence_of(runs[0])
    if found is not None and found[0] == EVOLUTION:
        return EVOLUTION.step, runs_of(store, found[1])
    latest = {run.parameters[TAXONOMY.step]: run for run in runs}
    return TAXONOMY.step, [latest[level] for level in sorted(latest)]


def _stage(store: Store, run: Run, name: str) -> Stage:
    written = written_by(store, run)
    return Stage(name, {kind: (each.nodes, each.labels) for kind, each in written.items()}, run)
