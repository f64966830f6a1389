"""What the constrained spectral methods of one paper share: their parameters, and the way from links to clusters."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from graphmine.methods.base import Method, Traits
from graphmine.methods.n_clusters import Clusters, checked_clusters
from graphmine.methods.selection.choose_delta import AUTO, Delta, checked_delta, weighed
from graphmine.methods.spectral.fit import Bound, spectral_fit
from graphmine.model import Clustering, Constraints, Relation, Star
from graphmine.progress import Progress

__all__ = ["Constrained"]


@dataclass(frozen=True)
class Constrained(Method):
    """A spectral method whose graph, or metric, is bent by links of weight ``delta``; each says how in `bound`."""

    n_clusters: Clusters
    delta: Delta = 3.0
    traits: ClassVar[Traits]

    def __post_init__(self) -> None:
        """Refuse a number of clusters that is none, and a weight that is none."""
        object.__setattr__(self, "n_clusters", checked_clusters(self.n_clusters))
        checked_delta(self.delta)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of both kinds of a relation, drawn together and apart by links."""
        if self.delta == AUTO:
            return weighed(self, star, constraints, seed, progress)
        delta, name = self.delta, type(self).__name__
        return spectral_fit(
            name, self, star, constraints, seed, progress, lambda relation, links: self.bound(relation, links, delta)
        )

    @staticmethod
    @abstractmethod
    def bound(relation: Relation, constraints: Constraints, delta: float) -> Bound:
        """Return the cut of a relation with links of a weight in it."""
