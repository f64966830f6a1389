"""The base class of SCM, LCM and VCM: their parameters, and the fit with links of a given or chosen weight."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from graphmine.methods.base import Method, Traits
from graphmine.methods.n_clusters import Clusters, checked_clusters
from graphmine.methods.selection.choose_delta import AUTO, Delta, checked_delta, choose_delta
from graphmine.methods.spectral.fit import ConstrainedCut, spectral_fit
from graphmine.model import Clustering, Constraints, Relation, Star
from graphmine.progress import Progress

__all__ = ["ConstrainedMethod"]


@dataclass(frozen=True)
class ConstrainedMethod(Method):
    """A spectral method with links of weight ``delta`` in its graph or metric; each says how in `constrained_cut`."""

    n_clusters: Clusters
    delta: Delta = 3.0
    traits: ClassVar[Traits]

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters or weight."""
        object.__setattr__(self, "n_clusters", checked_clusters(self.n_clusters))
        checked_delta(self.delta)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of both kinds of a relation, drawn together and apart by links."""
        if self.delta == AUTO:
            return choose_delta(self, star, constraints, seed, progress)
        delta = self.delta

        def make_cut(relation: Relation, links: Constraints) -> ConstrainedCut:
            return self.constrained_cut(relation, links, delta)

        return spectral_fit(type(self).__name__, self, star, constraints, seed, progress, make_cut)

    @staticmethod
    @abstractmethod
    def constrained_cut(relation: Relation, constraints: Constraints, delta: float) -> ConstrainedCut:
        """Return the cut of a relation with links of a weight in it."""
