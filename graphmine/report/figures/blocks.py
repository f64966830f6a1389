"""How heavily clusters are linked with each other: a block cut along its clusters."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Labels
from graphmine.checks import nearest
from graphmine.errors import ParameterError
from graphmine.model import UNPLACED, Clustering, Nodes, Relation, Star

__all__ = ["Blocks", "ClusterSizes", "blocks", "cluster_sizes", "sizes_of_kinds"]


@dataclass(frozen=True, eq=False)
class ClusterSizes:
    """The clusters of one kind that have nodes, in order, and how many; `UNPLACED` comes last, if a node is."""

    kind: str
    clusters: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def n_nodes(self) -> int:
        """How many nodes the kind has."""
        return sum(self.sizes)


@dataclass(frozen=True, eq=False)
class Blocks:
    """One relation, cut along the clusters of its two kinds.

    Parameters
    ----------
    relation
        Its pattern.
    rows, cols
        The clusters on either side.
    weight, links
        For every two clusters the sum of the weights between them, and how many pairs are linked. Of a graph of one
        kind each pair counts once in either direction.
    density
        Weight over the number of pairs that there could be.
    mean
        The density of the whole relation.
    """

    relation: str
    rows: ClusterSizes
    cols: ClusterSizes
    weight: Floats
    links: Floats
    density: Floats
    mean: float

    @property
    def relative(self) -> Floats:
        """Density over its mean: above 1 where clusters have more to do with each other than any two nodes have."""
        return self.density / self.mean if self.mean else self.density

    def cells(self) -> Iterator[dict[str, Any]]:
        """Give every two clusters as plain values, None for a cluster that is none."""
        relative = self.relative
        for i, (above, n_above) in enumerate(zip(self.rows.clusters, self.rows.sizes, strict=True)):
            for j, (beside, n_beside) in enumerate(zip(self.cols.clusters, self.cols.sizes, strict=True)):
                yield {
                    "row_cluster": None if above == UNPLACED else above,
                    "row_size": n_above,
                    "col_cluster": None if beside == UNPLACED else beside,
                    "col_size": n_beside,
                    "links": int(self.links[i, j]),
                    "weight": float(self.weight[i, j]),
                    "density": float(self.density[i, j]),
                    "relative": float(relative[i, j]),
                }


def blocks(star: Star, clustering: Clustering) -> list[Blocks]:
    """Return every arm of a star, cut along the clusters.

    >>> from graphmine.model import Nodes
    >>> block = csr_array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem"]), Nodes("Venue", ["KDD", "VLDB"]), block)
    >>> (found,) = blocks(Star((wrote,)), Clustering({"Author": [0, 0, 1], "Venue": [0, 1]}))
    >>> found.density.tolist(), round(found.mean, 3)
    ([[1.5, 0.5], [0.0, 3.0]], 1.167)
    """
    return [_cut(arm, clustering) for arm in star.arms]


def cluster_sizes(nodes: Nodes, labels: Labels) -> ClusterSizes:
    """Return the clusters of a kind that have nodes."""
    numbers, sizes = np.unique(labels, return_counts=True)
    first = int(len(numbers) > 0 and numbers[0] == UNPLACED)
    return ClusterSizes(nodes.kind, tuple(np.roll(numbers, -first).tolist()), tuple(np.roll(sizes, -first).tolist()))


def sizes_of_kinds(star: Star, clustering: Clustering, only: str | None) -> list[ClusterSizes]:
    """Return the clusters of each kind, or of one alone; refuse one that there is not."""
    kinds = [nodes.kind for nodes in star.kinds]
    if only is not None and only not in kinds:
        among = nearest(only, kinds) or f", only {', '.join(kinds)}"
        raise ParameterError(f"there is no kind {only!r}{among}")
    return [cluster_sizes(nodes, clustering.labels[nodes.kind]) for nodes in star.kinds if only in (None, nodes.kind)]


def _cut(arm: Relation, clustering: Clustering) -> Blocks:
    row_labels, col_labels = clustering.labels[arm.rows.kind], clustering.labels[arm.cols.kind]
    rows, cols = cluster_sizes(arm.rows, row_labels), cluster_sizes(arm.cols, col_labels)
    above, beside = _members(rows, row_labels), _members(cols, col_labels)
    ones = csr_array((np.ones(arm.nnz), arm.block.indices, arm.block.indptr), shape=arm.block.shape)
    weight, links = ((above.T @ block @ beside).toarray() for block in (arm.block, ones))
    pairs = np.outer(rows.sizes, cols.sizes).astype(np.float64).reshape(len(rows.sizes), len(cols.sizes))
    if arm.of_one_kind:  # a node has no link with itself
        pairs -= np.diag(rows.sizes)
    density = np.divide(weight, pairs, where=pairs > 0, out=np.zeros_like(weight))
    total = pairs.sum()
    mean = float(weight.sum() / total) if total else 0.0
    return Blocks(arm.name or repr(arm), rows, cols, weight, links, density, mean)


def _members(side: ClusterSizes, labels: Labels) -> csr_array:
    """Return which node is in which cluster of a side, as a matrix of ones."""
    place = {number: at for at, number in enumerate(side.clusters)}
    numbers, inverse = np.unique(labels, return_inverse=True)
    at = np.array([place[number] for number in numbers.tolist()], dtype=np.int64)
    shape = (len(labels), len(side.clusters))
    return csr_array((np.ones(len(labels)), at[inverse], np.arange(len(labels) + 1)), shape=shape)
