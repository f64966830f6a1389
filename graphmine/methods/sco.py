"""S-CO: spectral co-clustering by the normalised cut of the bipartite graph (Dhillon, KDD 2001)."""

import warnings
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.checks import check_integer
from graphmine.errors import DataError, ParameterError
from graphmine.linalg import components, degrees, kmeans, leading_triplets, normalised_cut, scaled
from graphmine.methods.base import Traits, check_fits, generator
from graphmine.methods.numbering import renumbered
from graphmine.model import FREE, UNPLACED, Clustering, Constraints, Relation, Star
from graphmine.progress import Progress, silent

__all__ = ["SCO"]

_NOTHING = 1e-8
"""Singular values of the normalised block (the largest is 1) below which a vector is rounding, not structure."""


@dataclass(frozen=True)
class SCO:
    """Spectral co-clustering: rows and columns embedded by singular vectors, and clustered together by k-means.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind. Fewer come back where the
        relation has fewer distinct profiles than that.

    Notes
    -----
    With B the block, D_r and D_c its row and column sums on the diagonal, and A = D_r^-½ B D_c^-½ = U Σ Vᵀ, the
    singular vectors 2..k relax the k-way normalised cut of the bipartite graph, Σ_a cut(a) / volume(a). The embedding
    is Z = [D_r^-½ U; D_c^-½ V], and k-means over all of its rows gives the clusters of both kinds at once. The one
    entry of the trace is the normalised cut of the clusters found.

    Pitfalls of the printed texts:

    - Dhillon keeps ⌈log₂ k⌉ vectors from the second on, and Shi, Fan and Yu 2..k+1. The first leaves out cluster
      vectors; the last of the second lies in the noise and is the dearest to compute. Vectors 2..k it is here.
    - "The second vector" means nothing in a disconnected graph, where the singular value 1 is repeated once a
      component and a solver may return any basis. The components themselves are taken as the basis: their indicators
      are exact, and the first singular vector, the same number for all nodes in Z, moves no distance. Where there are
      k components or more, every grouping of them has cut 0; the k - 1 of the largest weight stand alone and the rest
      together.
    - Nodes without links have D^-½ infinite; they are left `UNPLACED`.

    The cost is O(nnz + n k) a Lanczos step and O(n k²) a pass of k-means, for n nodes of both kinds.

    References
    ----------
    I. S. Dhillon: Co-clustering documents and words using bipartite spectral graph partitioning. KDD 2001.
    X. Shi, W. Fan, P. S. Yu: Efficient semi-supervised spectral co-clustering with constraints. ICDM 2010, where it is
    the baseline named S-CO.

    Examples
    --------
    >>> from graphmine.model import Nodes
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> found = SCO(n_clusters=2).fit(Star((wrote,)), seed=0)
    >>> found.labels["Author"].tolist(), found.labels["Venue"].tolist(), round(found.objective, 4)
    ([0, 0, 1, -1], [0, 0, 1], 0.1587)
    """

    n_clusters: int
    traits: ClassVar[Traits] = Traits(
        title="Spectral co-clustering",
        paper="I. S. Dhillon: Co-clustering documents and words using bipartite spectral graph partitioning. KDD 2001.",
    )

    def __post_init__(self) -> None:
        """Refuse a number of clusters that is none."""
        check_integer("n_clusters", self.n_clusters, least=1)

    def fit(
        self,
        star: Star,
        constraints: Constraints = FREE,
        *,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> Clustering:
        """Return the clusters of both kinds of a relation."""
        started = perf_counter()
        check_fits(self, star, constraints)
        rng, relation = generator(seed), star.arms[0]
        block, rows, cols = _linked(relation)
        self._check_enough(relation, len(rows), len(cols))
        progress("singular vectors", 0, 2)
        embedding, converged = _embedding(block, self.n_clusters, rng)
        progress("k-means", 1, 2)
        row_labels, col_labels = np.split(kmeans(embedding, self.n_clusters, rng), [len(rows)])
        progress("k-means", 2, 2)
        labels = {
            relation.rows.kind: _spread(row_labels, rows, len(relation.rows)),
            relation.cols.kind: _spread(col_labels, cols, len(relation.cols)),
        }
        cut = normalised_cut(block, row_labels, col_labels)
        return Clustering(renumbered(labels), (cut,), converged, perf_counter() - started)

    def _check_enough(self, relation: Relation, n_rows: int, n_cols: int) -> None:
        n_linked, kind = min((n_rows, relation.rows.kind), (n_cols, relation.cols.kind), key=lambda side: side[0])
        if self.n_clusters > n_linked:
            raise ParameterError(
                f"n_clusters must be at most {n_linked}, the number of {kind} nodes with links, was {self.n_clusters}"
            )


def _linked(relation: Relation) -> tuple[csr_array, NDArray[np.int64], NDArray[np.int64]]:
    """Return the block of the rows and columns that have links, with weights up to 1, and their positions."""
    if not relation.nnz:
        raise DataError(
            f"no {relation.rows.kind} is linked to any {relation.cols.kind}, so there is nothing to cluster; "
            "check the direction of the arrows and the filters"
        )
    # The cut does not depend on the scale of the weights, and sums of very large ones would overflow.
    block = relation.block / relation.block.data.max()
    row_sums, col_sums = degrees(block)
    rows, cols = np.flatnonzero(row_sums), np.flatnonzero(col_sums)
    linked = csr_array(block[rows][:, cols])
    linked.eliminate_zeros()
    return linked, rows, cols


def _embedding(block: csr_array, k: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], bool]:
    """Return Z, a row a node, rows before columns, and whether its vectors converged."""
    indicators, n_parts = _indicators(block, k)
    if n_parts >= k:
        return indicators, True
    row_sums, col_sums = (sums[:, None] for sums in degrees(block))
    row_part, col_part = np.split(indicators, [len(row_sums)])
    known = np.sqrt(row_sums) * row_part, np.sqrt(col_sums) * col_part
    normalised = scaled(block, row_sums.ravel() ** -0.5, col_sums.ravel() ** -0.5)
    found = leading_triplets(normalised, k - n_parts, rng, known=known)
    if not found.converged:
        warnings.warn(
            f"only {found.values.size} of {k - n_parts} singular vectors converged; S-CO goes on with those",
            RuntimeWarning,
            stacklevel=3,
        )
    Z = np.vstack([found.left / np.sqrt(row_sums), found.right / np.sqrt(col_sums)])
    return np.hstack([indicators, Z[:, found.values > _NOTHING]]), found.converged


def _indicators(block: csr_array, k: int) -> tuple[NDArray[np.float64], int]:
    """Return the part of Z with singular value 1, a column a component, and how many components there are.

    Of k components or more, the k - 1 of the largest weight are enough to tell k groups apart.
    """
    n_parts, row_parts, col_parts = components(block)
    volume = np.bincount(row_parts, degrees(block)[0], n_parts)
    largest = np.argsort(-volume, kind="stable")[: min(n_parts, max(k - 1, 1))]
    parts = np.concatenate([row_parts, col_parts])
    return (parts[:, None] == largest) / np.sqrt(volume[largest]), n_parts


def _spread(labels: NDArray[np.int64], positions: NDArray[np.int64], n_nodes: int) -> NDArray[np.int64]:
    """Return a label for every node, `UNPLACED` for those at none of the positions."""
    spread = np.full(n_nodes, UNPLACED, dtype=np.int64)
    spread[positions] = labels
    return spread
