"""A small experiment of our own, on planted networks, and results made up to be judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmine.datasets.academic import academic
from graphmine.datasets.network import Network
from graphmine.experiments import Claim, Experiment, Measured, TaskResult, Verdict
from graphmine.experiments.base import MEASURES, Spread
from graphmine.experiments.measures import with_and_without_labels
from graphmine.job import Job
from graphmine.store import Store
from graphmine.verbs.mine import mine
from graphmine.verbs.result import Mined


@dataclass(frozen=True)
class Planted:
    """Authors and conferences of three areas."""

    name: str
    noise: float
    printed: Mapping[str, int]
    redrawn: bool = False
    once: bool = False

    def network(self, draw: int) -> Network:
        return academic(authors=80, conferences=9, terms=20, areas=3, noise=self.noise, seed=4)

    def prepare(self, store: Store, draw: int) -> None:
        mine(store, Job(relation="Paper-MENTIONS{count}->Term", n_clusters=3, seed=draw, write="talk"))

    def labelled(self, draw: int) -> str:
        return f"must same Author.known_area; sample 0.4; seed {draw}"

    def jobs(self, draw: int) -> dict[str, Job]:
        relation = "Author-WROTE->Paper-IN->Conference"
        return {
            "s-co": Job(relation=relation, n_clusters=3, method="s-co", seed=draw),
            "scm": Job(relation=relation, n_clusters=3, seed=draw, method="scm", constrain=self.labelled(draw)),
        }

    def measured(self, store: Store, draw: int, mined: Mined) -> Measured:
        return Measured(with_and_without_labels(store, mined, "Author", "known_area", self.labelled(draw)))


def _better(tasks: Sequence[TaskResult]) -> Verdict:
    gains = [task.mean("scm", "nmi") - task.best(["s-co"], "nmi") for task in tasks]
    return Verdict(f"{min(gains):.2f} at least", min(gains) > 0)


PLANTED = Experiment(
    name="planted",
    title="Planted networks",
    paper="Nobody: Nothing. Nowhere 2000.",
    tasks=lambda quick: [Planted(f"noise {noise}", noise, {"Author": 80}) for noise in (0.3, 0.6)],
    n_tasks=2,
    draws=3,
    quick_draws=2,
    ours=frozenset({"scm"}),
    settings={"noise": "much | more"},
    left_open=("everything",),
    missing=("nothing",),
    claims=(Claim("I", "Labels help.", _better),),
)


def made_up(name: str, figures: Mapping[str, Mapping[str, float]]) -> TaskResult:
    """Return a result of two draws in which a method has a measure of a figure, and 0.5 where none is given."""
    measures = {
        method: {name: Spread((given.get(name, 0.5), given.get(name, 0.5))) for name in MEASURES}
        for method, given in figures.items()
    }
    return TaskResult(name, {"Document": 10}, {"Document": 9, "links": 30}, dict.fromkeys(figures, "Fit()"), measures)
