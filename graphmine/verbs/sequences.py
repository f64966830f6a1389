"""Sequences of runs under one name: the snapshots of an evolution, the levels of a taxonomy."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmine.errors import RunError
from graphmine.exchange.push import undo
from graphmine.exchange.runs import Run, list_runs
from graphmine.job import Job
from graphmine.progress import Progress, silent
from graphmine.store import Store

__all__ = [
    "EVOLUTION",
    "TAXONOMY",
    "Sort",
    "members_of",
    "name_of",
    "on_record",
    "property_of",
    "sequence_of",
    "unwind",
]


@dataclass(frozen=True)
class Sort:
    """A sort of sequence, by the names that its runs record.

    Parameters
    ----------
    noun
        What it is: the parameter of a run that holds the name of its sequence.
    step
        What each run of it is: the parameter that tells it from the others.
    command
        What makes one.
    """

    noun: str
    step: str
    command: str


EVOLUTION = Sort("evolution", "snapshot", "`graphmine evolve … write=PROPERTY`")
TAXONOMY = Sort("taxonomy", "level", "`graphmine mine … hierarchy=True write=PROPERTY`")

_SORTS = (EVOLUTION, TAXONOMY)
_SHAPING = ("n_clusters", "on_conflict", "method", "param", "seed", "write")


def name_of(sort: Sort, job: Job, more: Mapping[str, object] | None = None) -> str:
    """Return a name made of all that shapes a sequence: the job, and what comes with it.

    >>> name_of(TAXONOMY, Job(relation="Author-IN->Venue", n_clusters=4, write="topic"))
    'topic-2c9aeb'
    """
    shaping = {
        **{each: list(getattr(job, each)) for each in ("relation", "where", "key")},
        **{each: getattr(job, each) for each in _SHAPING},
        "constrain": [str(rule) for rule in job.rules],
        **(more or {}),
    }
    digest = hashlib.sha256(json.dumps(shaping, sort_keys=True, default=str).encode()).hexdigest()
    return f"{job.write or sort.noun}-{digest[:6]}"


def property_of(written: str, step: object) -> str:
    """Return the property that a step of a sequence is written to.

    >>> property_of("area", "2005")
    'area_2005'
    """
    return f"{written}_{step}"


def sequence_of(run: Run) -> tuple[Sort, str] | None:
    """Return the sort and the name of the sequence that a run belongs to, if it does.

    >>> sequence_of(Run("area_2005", parameters={"evolution": "area-f5737b", "snapshot": "2005"}))[1]
    'area-f5737b'
    """
    for sort in _SORTS:
        if sort.noun in run.parameters:
            return sort, run.parameters[sort.noun]
    return None


def on_record(store: Store, sort: Sort, name: str, properties: Sequence[str]) -> dict[Any, Run]:
    """Return the complete runs of a sequence by their steps; refuse properties that another sequence wrote.

    A run whose property a later run has taken over does not count.
    """
    found: dict[Any, Run] = {}
    for run in list_runs(store):
        if run.state != "complete":
            continue
        found = {step: earlier for step, earlier in found.items() if not earlier.overlaps(run)}
        owner = sequence_of(run)
        if owner == (sort, name):
            found[run.parameters[sort.step]] = run
        elif owner is not None and run.property in properties:
            noun, other = owner[0].noun, owner[1]
            raise RunError(
                f"{run.property!r} belongs to the {noun} {other}, which was made in another way; undo that one "
                f"with `graphmine runs unwind {other}`, or write to another property"
            )
    return found


def members_of(
    store: Store, name: str = "last", sorts: Sequence[Sort] = _SORTS, *, unfinished: bool = False
) -> list[Run]:
    """Return the runs of a sequence, by its name, its beginning, or ``last``, the oldest first.

    With ``unfinished`` those too that were interrupted.
    """
    states = ("complete", "writing") if unfinished else ("complete",)
    owners = [(run, sequence_of(run)) for run in list_runs(store) if run.state in states]
    every = [(run, owner[1]) for run, owner in owners if owner is not None and owner[0] in sorts]
    names = list(dict.fromkeys(each for _, each in every))
    found = (
        names[-1:]
        if name == "last"
        else [each for each in names if each == name] or [each for each in names if each.startswith(name)]
    )
    nouns, commands = (" or ".join(getattr(sort, what) for sort in sorts) for what in ("noun", "command"))
    if not found:
        raise RunError(f"there is no {nouns} {name!r} in {store.name}; {commands} makes one")
    if len(found) > 1:
        raise RunError(f"several sequences of runs begin with {name!r}: {', '.join(found)}; write more of the name")
    return [run for run, each in every if each == found[0]]


def unwind(store: Store, name: str = "last", *, progress: Progress = silent) -> list[Run]:
    """Undo every run of an evolution or of a taxonomy, the last first; return them as they are now.

    Runs that were interrupted are undone with the others.
    """
    runs = members_of(store, name, unfinished=True)
    return [undo(store, run, progress=progress) for run in reversed(runs)]
