"""The members of clusters: how many nodes of each kind, and which of them have most weight inside."""

from dataclasses import asdict, dataclass

import numpy as np

from graphmine.arrays import Floats
from graphmine.checks import check_integer
from graphmine.model import UNPLACED, Clustering, Star

__all__ = ["ClusterMembers", "Member", "cluster_members", "inside_weights", "isolated", "members_record"]


@dataclass(frozen=True)
class Member:
    """A node, and the weight of its links inside its cluster."""

    key: str | int
    weight: float


@dataclass(frozen=True)
class ClusterMembers:
    """The nodes of one kind in one cluster."""

    cluster: int
    kind: str
    size: int
    top: tuple[Member, ...]


def cluster_members(star: Star, clustering: Clustering, top: int = 5) -> list[ClusterMembers]:
    """Return every cluster, kind by kind, with its ``top`` members: those with most weight inside, ties by key.

    >>> from scipy.sparse import csr_array
    >>> from graphmine.model import Nodes, Relation
    >>> block = csr_array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem"]), Nodes("Venue", ["KDD", "VLDB"]), block)
    >>> for part in cluster_members(Star((wrote,)), Clustering({"Author": [0, 0, 1], "Venue": [0, 1]}), top=1):
    ...     print(part.cluster, part.kind, part.size, part.top)
    0 Author 2 (Member(key='bob', weight=2.0),)
    0 Venue 1 (Member(key='KDD', weight=3.0),)
    1 Author 1 (Member(key='cem', weight=3.0),)
    1 Venue 1 (Member(key='VLDB', weight=3.0),)
    """
    check_integer("top", top, least=0)
    weights = inside_weights(star, clustering)
    found = []
    for nodes in star.kinds:
        labels, inside = clustering.labels[nodes.kind], weights[nodes.kind]
        order = np.lexsort((-inside, labels))  # stable: the nodes are in the order of their keys
        sizes, numbers = clustering.sizes(nodes.kind), clustering.clusters
        for cluster, start in zip(numbers, np.searchsorted(labels[order], numbers), strict=True):
            size = sizes[cluster]
            first = order[start : start + min(top, size)]
            members = tuple(Member(nodes[int(at)], float(inside[at])) for at in first)
            found.append(ClusterMembers(cluster, nodes.kind, int(size), members))
    return sorted(found, key=lambda part: part.cluster)


def members_record(part: ClusterMembers) -> dict[str, object]:
    """Return the nodes of a part as plain values.

    >>> members_record(ClusterMembers(0, "Author", 9, (Member("ann", 2.0),)))
    {'size': 9, 'top': [{'key': 'ann', 'weight': 2.0}]}
    """
    return {"size": part.size, "top": [asdict(member) for member in part.top]}


def inside_weights(star: Star, clustering: Clustering) -> dict[str, Floats]:
    """Return for every node the weight of its links to nodes of the same cluster, over all arms."""
    inside = {nodes.kind: np.zeros(len(nodes)) for nodes in star.kinds}
    for arm, weight in zip(star.arms, star.weights, strict=True):
        rows = np.repeat(np.arange(len(arm.rows)), np.diff(arm.block.indptr))
        label = clustering.labels[arm.rows.kind][rows]
        kept = (label == clustering.labels[arm.cols.kind][arm.block.indices]) & (label != UNPLACED)
        data = weight * arm.block.data[kept]
        inside[arm.rows.kind] += np.bincount(rows[kept], data, len(arm.rows))
        if not arm.of_one_kind:  # a graph has every link in both directions
            inside[arm.cols.kind] += np.bincount(arm.block.indices[kept], data, len(arm.cols))
    return inside


def isolated(star: Star) -> dict[str, int]:
    """Return how many nodes of each kind have no link in the star."""
    linked = {nodes.kind: np.zeros(len(nodes), dtype=bool) for nodes in star.kinds}
    for arm in star.arms:
        linked[arm.rows.kind] |= np.diff(arm.block.indptr) > 0
        linked[arm.cols.kind][arm.block.indices] = True
    return {kind: int(np.count_nonzero(~each)) for kind, each in linked.items()}
