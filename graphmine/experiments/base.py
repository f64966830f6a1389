"""What an experiment of a paper consists of, and the results of doing it again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import NamedTuple, Protocol

from graphmine.datasets.network import Network
from graphmine.job import Job
from graphmine.store import Store
from graphmine.verbs.result import Mined

__all__ = [
    "MEASURES", "Claim", "Curves", "Experiment", "Measured", "Reproduction", "Spread", "Task", "TaskResult", "Verdict",
]  # fmt: skip

MEASURES: Mapping[str, str] = {
    "purity": "purity",
    "nmi": "NMI",
    "free_purity": "purity, unlabelled",
    "free_nmi": "NMI, unlabelled",
    "seconds": "seconds of the fit",
}
"""What is measured of a fit with constraints, and what a person calls it; unlabelled are nodes no rule names."""


class Measured(NamedTuple):
    """What was measured of one fit, and what it found, in words, where a task has them."""

    values: Mapping[str, float]
    found: str = ""


class Task(Protocol):
    """One data set of an experiment: a network to load, and what to mine from it in each draw."""

    @property
    def name(self) -> str:
        """What the paper calls it."""

    @property
    def printed(self) -> Mapping[str, int]:
        """How large the paper says it is."""

    @property
    def redrawn(self) -> bool:
        """Whether every draw has a network of its own."""

    @property
    def once(self) -> bool:
        """Whether nothing is drawn, so that one draw is enough."""

    def network(self, draw: int) -> Network:
        """Make the network of a draw, or of all of them."""

    def prepare(self, store: Store, draw: int) -> None:
        """Bring into the database what the jobs of a draw need beside the network."""

    def jobs(self, draw: int) -> Mapping[str, Job]:
        """Return what to mine in a draw, method by method."""

    def measured(self, store: Store, draw: int, mined: Mined) -> Measured:
        """Measure what was mined: a value for each measure of the experiment."""


@dataclass(frozen=True)
class Spread:
    """The values of one measure over all draws.

    >>> Spread((0.25, 0.75)).mean, Spread((0.25, 0.75)).deviation
    (0.5, 0.25)
    """

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Their mean."""
        return fmean(self.values)

    @property
    def deviation(self) -> float:
        """Their standard deviation."""
        return pstdev(self.values)


@dataclass(frozen=True)
class TaskResult:
    """What one task gave.

    Parameters
    ----------
    printed, sizes
        How large it is in the paper, and here.
    fits
        Each method with its parameters and, in the first draw, its rules.
    measures
        Each method's values of each measure.
    found
        What each method found in each draw, in words, where the task has them.
    """

    name: str
    printed: Mapping[str, int]
    sizes: Mapping[str, int]
    fits: Mapping[str, str]
    measures: Mapping[str, Mapping[str, Spread]]
    found: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def mean(self, method: str, measure: str) -> float:
        """Return the mean of a method's measure over the draws."""
        return self.measures[method][measure].mean

    def best(self, methods: Sequence[str], measure: str) -> float:
        """Return the largest mean that any of some methods has."""
        return max(self.mean(each, measure) for each in methods)


@dataclass(frozen=True)
class Reproduction:
    """What an experiment gave when it was done again, or as much of it as is done so far.

    Parameters
    ----------
    machine
        What the seconds depend on: how many processors there are, and how many processes waited for one on average
        (the load of the last minute after each task); more than there are processors makes every fit seem slower.
    """

    experiment: str
    quick: bool
    draws: int
    tasks: tuple[TaskResult, ...]
    seconds: float
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, float] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of the first task, then those that only later ones have."""
        return list(dict.fromkeys(method for task in self.tasks for method in task.measures))

    @property
    def fits(self) -> dict[str, str]:
        """Each method with its fit in the first task that has it."""
        return {each: next(task.fits[each] for task in self.tasks if each in task.fits) for each in self.methods}


@dataclass(frozen=True)
class Verdict:
    """What was measured where the paper claims something, and whether the claim holds there."""

    measured: str
    holds: bool


@dataclass(frozen=True)
class Claim:
    """What a paper says of its results, where, and how to look whether it holds in ours.

    ``judge`` may take it for granted that every task is done.
    """

    where: str
    says: str
    judge: Callable[[Sequence[TaskResult]], Verdict]


class Curves(NamedTuple):
    """How tasks are points of curves: several of them are one set, measured at several numbers.

    Parameters
    ----------
    axis
        What the numbers are.
    place
        Returns the set and the number of a task, from its name.
    solid, dashed
        The measures that are drawn.
    """

    axis: str
    place: Callable[[str], tuple[str, float]]
    solid: str
    dashed: str


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper, ready to be done again.

    Parameters
    ----------
    name, title, paper
        What a user calls it, what it is about, and the paper it is from.
    tasks
        Makes the tasks, small ones if it is to be quick; reads the data and says where they are missing.
    n_tasks
        How many tasks there are.
    n_quick
        How many there are if it is to be quick; as many, unless told.
    draws, quick_draws
        How often the constraints, or the documents, are drawn anew.
    ours
        The methods that the paper does not have.
    settings
        Everything a reader needs to know to do the same, by name.
    left_open
        What the paper does not say, and what was taken.
    missing
        What of the paper's experiments is not done again, and why.
    claims
        What the paper says of its results.
    measures
        What is measured of every fit, by name, and what a person calls it.
    curves
        How tasks are drawn as curves, where they are points of some.
    """

    name: str
    title: str
    paper: str
    tasks: Callable[[bool], Sequence[Task]]
    n_tasks: int
    draws: int
    quick_draws: int
    ours: frozenset[str]
    settings: Mapping[str, str]
    left_open: tuple[str, ...]
    missing: tuple[str, ...]
    claims: tuple[Claim, ...]
    measures: Mapping[str, str] = field(default_factory=lambda: MEASURES)
    n_quick: int | None = None
    curves: Curves | None = None

    def expected(self, quick: bool) -> int:
        """Return how many tasks there are."""
        return self.n_quick if quick and self.n_quick is not None else self.n_tasks

    def verdicts(self, done: Reproduction) -> list[tuple[Claim, Verdict]]:
        """Judge every claim, once all tasks are done."""
        if len(done.tasks) < self.expected(done.quick):
            return []
        return [(claim, claim.judge(done.tasks)) for claim in self.claims]
