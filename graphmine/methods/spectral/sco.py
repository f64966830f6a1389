"""S-CO: spectral co-clustering by the normalised cut of the bipartite graph (Dhillon, KDD 2001)."""

from dataclasses import dataclass
from typing import ClassVar

from graphmine.methods.base import Method, Traits
from graphmine.methods.n_clusters import Clusters, checked_clusters
from graphmine.methods.spectral.fit import SPECTRAL_COST, spectral_fit
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["SCO"]


@dataclass(frozen=True)
class SCO(Method):
    """Spectral co-clustering: rows and columns embedded by singular vectors, and clustered together by k-means.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind; or how many of each kind, as
        ``{"Author": 4, "Venue": 3}``. Fewer come back where the relation has fewer distinct profiles than that.

    Notes
    -----
    With B the block, D_r and D_c its row and column sums on the diagonal, and A = D_r^-½ B D_c^-½ = U Σ Vᵀ, the
    singular vectors 2..k relax the k-way normalised cut of the bipartite graph, Σ_a cut(a) / volume(a). The embedding
    is Z = [D_r^-½ U; D_c^-½ V], and k-means over all of its rows gives the clusters of both kinds at once. The one
    entry of the trace is the normalised cut of the clusters found.

    With a number for each kind, k and l, the vectors are 2..max(k, l), and k-means goes over the rows of each kind by
    themselves. Their clusters are then matched one to one by the weight between them, so that the same number means
    partners; what is left over on the larger side has the numbers behind.

    Pitfalls of the printed texts:

    - Dhillon keeps ⌈log₂ k⌉ vectors from the second on, and Shi, Fan and Yu 2..k+1. The first leaves out cluster
      vectors; the last of the second lies in the noise and is the dearest to compute. Vectors 2..k it is here.
    - "The second vector" means nothing in a disconnected graph, where the singular value 1 is repeated once a
      component and a solver may return any basis. The components themselves are taken as the basis: their indicators
      are exact, and the first singular vector, the same number for all nodes in Z, moves no distance. Where there are
      k components or more, every grouping of them has cut 0; the k - 1 of the largest weight stand alone and the rest
      together.
    - Nodes without links have D^-½ infinite; they are left `UNPLACED`.

    The vectors are found in double precision to a residual of 1e-12; where there are more than a million relationships,
    in single precision to 1e-4, which k-means does not notice.

    The cost is O(nnz + n k) a Lanczos step and O(n k²) a pass of k-means, for n nodes of both kinds.

    References
    ----------
    I. S. Dhillon: Co-clustering documents and words using bipartite spectral graph partitioning. KDD 2001.
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010, where it is
    the baseline named S-CO.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.model import Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> found = SCO(n_clusters=2).fit(Star((wrote,)), seed=0)
    >>> found.labels["Author"].tolist(), found.labels["Venue"].tolist(), round(found.objective, 4)
    ([0, 0, 1, -1], [0, 0, 1], 0.1587)
    """

    n_clusters: Clusters
    traits: ClassVar[Traits] = Traits(
        name="s-co",
        title="Spectral co-clustering",
        paper="I. S. Dhillon: Co-clustering documents and words using bipartite spectral graph partitioning. KDD 2001.",
        cost=SPECTRAL_COST,
        k_per_kind=True,
    )

    def __post_init__(self) -> None:
        """Refuse an invalid number of clusters."""
        object.__setattr__(self, "n_clusters", checked_clusters(self.n_clusters))

    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clusters of both kinds of a relation."""
        return spectral_fit("S-CO", self, star, constraints, seed, progress)
