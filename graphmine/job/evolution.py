"""What a job for ``graphmine evolve`` says besides: how time is cut, and how much is remembered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from graphmine.checks import check_integer, check_number
from graphmine.errors import ConstraintError, ParameterError
from graphmine.job.check import AS_THEY_COME
from graphmine.job.mistakes import Mistake, Noted
from graphmine.methods.catalog import CATALOG, DEFAULT_METHOD
from graphmine.model import Filter, parse_property

__all__ = [
    "EVOLVE_FIELDS",
    "FARTHEST",
    "MEMORY",
    "Snapshot",
    "Timeline",
    "Window",
    "check_flat",
    "check_memory_weight",
    "check_takes",
    "check_unaligned",
    "evolution_mistakes",
]

Window = int | Literal["all"]

_MOST = 1000
"""More snapshots than this are taken for a slip."""
FARTHEST = 2**62
"""No time is as far as this from 0."""


@dataclass(frozen=True)
class Snapshot:
    """A stretch of time: its name, and the filters that keep what belongs to it."""

    name: str
    filters: tuple[Filter, Filter]


@dataclass(frozen=True)
class Timeline:
    """How time is cut.

    Parameters
    ----------
    by
        The property that holds the time, as ``Paper.year``: numbers.
    window
        How many units of time a snapshot covers, up to and with the one it is named after; ``all`` for everything up
        to it.
    step
        How many units lie between two snapshots.
    since, until
        The first and the last unit; what the property holds, if they are not given.

    Examples
    --------
    >>> [snapshot.name for snapshot in Timeline("Paper.year", window=3, since=2000, until=2005).snapshots()]
    ['2002', '2003', '2004', '2005']
    >>> [str(each) for each in Timeline("Paper.year", window="all", since=2000, until=2001).snapshots()[1].filters]
    ['Paper.year >= 2000', 'Paper.year < 2002']
    >>> Timeline("Paper.year", window=0)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: window must be a whole number of at least 1, was 0
    """

    by: str
    window: Window = 1
    step: int = 1
    since: int | None = None
    until: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no time."""
        if not isinstance(self.by, str):
            raise ParameterError(f"by must be a property such as Paper.year, was {self.by!r}")
        parse_property(self.by)
        if self.window != "all":
            check_integer("window", self.window, least=1)
        check_integer("step", self.step, least=1)
        for name in ("since", "until"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), least=-FARTHEST, most=FARTHEST)
        if self.since is not None and self.until is not None and self.since > self.until:
            raise ParameterError(f"since must not be after until, was {self.since} and {self.until}")

    def snapshots(self) -> tuple[Snapshot, ...]:
        """Return the snapshots, in order; both ends must be known by now."""
        ends = self._ends()
        if len(ends) < 2:
            raise ParameterError(
                f"{self.by} from {self.since} to {self.until} gives {len(ends) or 'no'} snapshot of window "
                f"{self.window} and step {self.step}, and an evolution needs two; take a smaller step or "
                "window, or more time"
            )
        if len(ends) > _MOST:
            raise ParameterError(
                f"{self.by} from {self.since} to {self.until} gives {len(ends)} snapshots, more than {_MOST}; "
                "take a larger step"
            )
        return tuple(map(self._snapshot, ends))

    @property
    def overlaps(self) -> bool:
        """Whether neighbouring snapshots have some time in common."""
        return self.window == "all" or self.window > self.step

    @property
    def left_over(self) -> int | None:
        """The end of the last snapshot, where what comes after it is in none.

        >>> Timeline("Paper.year", window=5, step=5, since=2000, until=2011).left_over
        2009
        """
        last = self._ends()[-1]
        return None if last == self.until else last

    def _ends(self) -> range:
        if self.since is None or self.until is None:
            raise ParameterError("since and until must be known before time can be cut")
        first = self.since if self.window == "all" else self.since + self.window - 1
        return range(first, self.until + 1, self.step)

    def _snapshot(self, end: int) -> Snapshot:
        start = self.since if self.window == "all" or self.since is None else end - self.window + 1
        assert start is not None
        place = parse_property(self.by)
        # Half-open, so that 2005.5 is of the year 2005.
        return Snapshot(str(end), (Filter(*place, ">=", start), Filter(*place, "<", end + 1)))


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
        noted.attempt(("memory",), check_memory_weight, memory)
    if not any(each.place == ("memory",) for each in noted.mistakes):
        noted.attempt(("method",), check_takes, method, MEMORY if memory is None else memory)
    noted.attempt(("hierarchy",), check_flat, values.get("hierarchy", False))
    noted.attempt(("align",), check_unaligned, values.get("align"))
    return noted.mistakes


def check_memory_weight(memory: object) -> None:
    """Refuse what is no weight of memory."""
    check_number("memory", memory, least=0, most=1e6)


def check_takes(method: object, memory: float) -> None:
    """Refuse a method that can not remember; one that there is not is for others to refuse."""
    if memory and isinstance(method, str) and method in CATALOG and "must" not in CATALOG[method].traits.constraints:
        raise ConstraintError(
            f"{method} takes no must-links, so a snapshot can not remember the one before; name a method that "
            "does, such as loom, or say `memory=0`"
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
