"""A small method that the catalog does not have, made by the five steps of CONTRIBUTING."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from graphmine.arrays import Floats
from graphmine.checks import check_integer
from graphmine.linalg.kmeans import kmeans
from graphmine.methods.base import Cost, Method, Traits, generator
from graphmine.methods.labels import renumber
from graphmine.methods.n_clusters import check_enough
from graphmine.methods.spectral.embedding import embed, objective, plain_cut, spread
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["Spherical", "directions"]


@dataclass(frozen=True)
class Spherical(Method):
    """Spherical k-means on the rows of a spectral embedding.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind.

    Notes
    -----
    The embedding Z is that of `SCO`. Its rows z_i are divided by their lengths, and k-means over them gives the
    clusters, so that a_i maximises cos(z_i, c_a). The trace has the normalised cut. The cost is that of `SCO`.

    References
    ----------
    A. Y. Ng, M. I. Jordan, Y. Weiss: On spectral clustering: analysis and an algorithm. NIPS 2001.

    Examples
    --------
    >>> from graphmine import gallery
    >>> Spherical(n_clusters=3).fit(gallery.islands()[0], seed=0).labels["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    """

    n_clusters: int
    traits: ClassVar[Traits] = Traits(
        name="spherical",
        title="Spherical spectral co-clustering",
        paper="A. Y. Ng, M. I. Jordan, Y. Weiss: On spectral clustering: analysis and an algorithm. NIPS 2001.",
        cost=Cost(13e6, a_pair=40, a_node_cluster=40, microseconds=2),
    )

    def __post_init__(self) -> None:
        """Refuse a number of clusters that is none."""
        check_integer("n_clusters", self.n_clusters, least=1)

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of both kinds of a relation."""
        rng, (relation,) = generator(seed), star.arms
        cut = plain_cut(relation)
        placed = {relation.rows.kind: len(cut.rows), relation.cols.kind: len(cut.cols)}
        check_enough(self.n_clusters, placed, placed)
        progress("singular vectors", 0, 2)
        points, converged = embed(cut, self.n_clusters, rng, "Spherical")  # step 3 of the paper: the k leading vectors
        progress("k-means", 1, 2)
        labels = kmeans(directions(points), self.n_clusters, rng)  # steps 4 and 5: rows of unit length
        progress("k-means", 2, 2)
        return Clustering(renumber(spread(labels, cut, relation)), (objective(cut, labels),), converged)


def directions(points: Floats) -> Floats:
    """Return points at length one; one at the origin stays there.

    >>> directions(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    found: Floats = np.divide(points, lengths, out=np.zeros_like(points), where=lengths > 0)
    return found
