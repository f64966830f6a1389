"""What a job for ``graphmine evolve`` says besides: how time is cut, and how much is remembered."""

from collections.abc import Mapping
from typing import Any

from graphmine.checks import check_number
from graphmine.errors import ConstraintError, ParameterError
from graphmine.job.checking import AS_THEY_COME, DEFAULT_METHOD
from graphmine.job.mistakes import Mistake, Noted
from graphmine.job.timeline import Timeline
from graphmine.methods.catalog import CATALOG

__all__ = [
    "EVOLVE_FIELDS",
    "MEMORY",
    "check_flat",
    "check_memory",
    "check_takes",
    "check_unaligned",
    "evolution_mistakes",
]

EVOLVE_FIELDS = ("by", "window", "step", "since", "until", "memory")
"""What a file for ``graphmine evolve`` may have besides the fields of a job."""

MEMORY = 0.5
"""How much the cluster that a node had before weighs, in links of weight 1; docs/evolution.md has what was tried."""

_CUT = EVOLVE_FIELDS[:-1]
_ANY_TIME = "Paper.year"


def evolution_mistakes(values: Mapping[str, Any]) -> list[Mistake]:
    """Return all that is wrong with how a job cuts time, and with having it cut at all.

    >>> [mistake.sentence for mistake in evolution_mistakes({"window": 0, "since": 2005, "until": 2000})]
    ["it needs a field 'by', such as Paper.year", 'window must be a whole number of at least 1, was 0',
    'since must not be after until, was 2005 and 2000']
    """
    noted = Noted()
    if "by" not in values:
        noted.note(("by",), ParameterError(f"it needs a field 'by', such as {_ANY_TIME}"))
    cut: dict[str, Any] = {"by": _ANY_TIME}
    for name in (name for name in _CUT if name in values):
        if noted.attempt((name,), Timeline, **{"by": _ANY_TIME, name: values[name]}) is not None:
            cut[name] = values[name]
    noted.attempt(("until",), Timeline, **cut)
    memory, method = values.get("memory"), values.get("method", DEFAULT_METHOD)
    if memory is not None:
        noted.attempt(("memory",), check_memory, memory)
    if not any(each.place == ("memory",) for each in noted.mistakes):
        noted.attempt(("method",), check_takes, method, MEMORY if memory is None else memory)
    noted.attempt(("hierarchy",), check_flat, values.get("hierarchy", False))
    noted.attempt(("align",), check_unaligned, values.get("align"))
    return noted.mistakes


def check_memory(memory: object) -> None:
    """Refuse what is no weight of memory."""
    check_number("memory", memory, least=0, most=1e6)


def check_takes(method: object, memory: float) -> None:
    """Refuse a method that can not remember; one that there is not is for others to refuse."""
    if memory and isinstance(method, str) and method in CATALOG and "must" not in CATALOG[method].traits.constraints:
        raise ConstraintError(
            f"{method} takes no must-links, so a snapshot can not remember the one before; name a method that "
            "does, such as loom, or say --memory 0"
        )


def check_flat(hierarchy: object) -> None:
    """Refuse taxonomies of snapshots."""
    if hierarchy is True:
        raise ParameterError(
            "the snapshots of an evolution have no taxonomies; leave hierarchy out, or mine one with `graphmine mine`"
        )


def check_unaligned(align: object) -> None:
    """Refuse numbers that are to follow another run."""
    if align not in (None, AS_THEY_COME):
        raise ParameterError(
            "the clusters of an evolution follow those of the snapshot before; leave align out, or mine one snapshot "
            "with `graphmine mine`"
        )
