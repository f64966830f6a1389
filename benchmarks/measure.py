"""Timing things against each other, and what came of it."""

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

__all__ = ["Comparison", "Times", "Work", "compare", "least_seconds", "race", "race_prepared", "whole"]

Work = Callable[[], object]


@dataclass(frozen=True)
class Comparison:
    """One thing graphmine does beside the same, or the least of it, done another way.

    Parameters
    ----------
    database, what, peer
        What was done, and what it is held against.
    ours, theirs
        Medians, in ``unit``.
    most
        The largest ratio ours/theirs that is good enough; None where nothing was promised.
    rounds
        Every round's ours and theirs.
    """

    database: str
    what: str
    peer: str
    ours: float
    theirs: float
    most: float | None = None
    unit: str = "s"
    rounds: tuple[tuple[float, float], ...] = ()

    @property
    def ratio(self) -> float:
        """How many times the peer's cost ours is."""
        return self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        """Whether the ratio is good enough; None where nothing was promised."""
        return None if self.most is None else self.ratio <= self.most

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return asdict(self) | {"ratio": self.ratio, "met": self.met}


@dataclass(frozen=True)
class Times:
    """The seconds of each contestant, one a round."""

    seconds: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def median(self, name: str) -> float:
        """Return the middle one of a contestant's times."""
        return statistics.median(self.seconds[name])


def race(contestants: Mapping[str, Work], repeats: int) -> Times:
    """Time each contestant once a round, in turns, so that a busy machine is busy for all of them alike."""
    return race_prepared({name: partial(_itself, work) for name, work in contestants.items()}, repeats)


def race_prepared(contestants: Mapping[str, Callable[[], Work]], repeats: int, *, warm_up: int = 1) -> Times:
    """Do as `race`, with contestants that make their work ready outside the time; rounds to warm up do not count."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(warm_up + repeats):
        for name, prepare in contestants.items():
            work = prepare()
            gc.collect()
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return Times({name: rounds[warm_up:] for name, rounds in seconds.items()})


def least_seconds(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """Return the least processor time of each, taken in turns."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = time.process_time()
            work()
            seconds[name].append(time.process_time() - start)
    return {name: min(rounds) for name, rounds in seconds.items()}


def whole(text: str) -> int:
    """Read an argument that is a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _itself(work: Work) -> Work:
    return work


def compare(
    times: Times, ours: str, theirs: str, *, database: str, what: str, peer: str, most: float | None = None
) -> Comparison:
    """Hold one contestant of a race against another."""
    rounds = tuple(zip(times.seconds[ours], times.seconds[theirs], strict=True))
    return Comparison(database, what, peer, times.median(ours), times.median(theirs), most, "s", rounds)
