"""The result of a job, and how long its steps took."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from graphmine.clock import now
from graphmine.constraints.satisfaction import Met
from graphmine.exchange.push_checks import PropertyClaim
from graphmine.exchange.runs import Run
from graphmine.job import Job
from graphmine.methods.n_clusters import Clusters
from graphmine.methods.selection.choose_k import Choice, choice_record
from graphmine.methods.taxonomy.taxonomy import Taxonomy
from graphmine.metrics import quality
from graphmine.model import FREE, Clustering, Constraints, Quality, Star

__all__ = ["Alignment", "Mined", "clock"]


@dataclass(frozen=True)
class Alignment:
    """How far the numbers of clusters follow those of an earlier run.

    Parameters
    ----------
    run
        The earlier run.
    followed, clusters
        How many clusters have their number from it, of how many.
    kept, nodes
        How many nodes have the number that they had, of those that have a cluster in both.
    """

    run: str
    followed: int
    clusters: int
    kept: int
    nodes: int


@dataclass(frozen=True)
class Mined:
    """What a job gave: the star it pulled, the clustering it found, and the run if it wrote one.

    With rules, also the constraints they made, how far the clustering meets them, and how many links were dropped or
    weakened because hard ones contradicted each other. Where the job leaves the number of clusters to the data, how it
    was chosen. For a taxonomy the clusters are its leaves, and there is a run for each of its levels, of which `run` is
    the last; the first ``kept`` of them were on record already. Where the numbers of clusters follow those of an
    earlier run, how far they do. Where labels are yet to be written, what stands in their place.
    """

    job: Job
    star: Star
    clustering: Clustering
    run: Run | None
    seconds: Mapping[str, float] = field(default_factory=dict)
    constraints: Constraints = FREE
    met: tuple[Met, ...] = ()
    given_up: int = 0
    choice: Choice | None = None
    taxonomy: Taxonomy | None = None
    levels: tuple[Run, ...] = ()
    kept: int = 0
    alignment: Alignment | None = None
    claim: PropertyClaim | None = field(default=None, repr=False)

    @cached_property
    def quality(self) -> Quality:
        """How good the clustering is by its star alone."""
        return quality(self.star, self.clustering)

    @property
    def asked(self) -> Clusters:
        """How many clusters the method was asked for, in all or of each kind."""
        if self.choice is not None:
            return self.choice.k
        return self.job.fitter.n_clusters

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters of the method as the job gives them, and what the data made of those it leaves open."""
        found: dict[str, object] = {"n_clusters": self.job.n_clusters, **self.job.param}
        if self.job.hierarchy:
            found["hierarchy"] = True
        if self.alignment is not None:
            found["aligned_to"] = self.alignment.run
        if self.choice is not None:
            found["chosen"] = choice_record(self.choice)
        if self.clustering.tried:
            found["tried"] = [dict(each) for each in self.clustering.tried]
        if self.clustering.figures:
            found["figures"] = dict(self.clustering.figures)
        return found


@contextmanager
def clock(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Write down under a name how many seconds the block took.

    >>> seconds = {}
    >>> with clock(seconds, "fit"):
    ...     total = sum(range(1000))
    >>> list(seconds)
    ['fit']
    """
    start = now()
    yield
    seconds[name] = now() - start
