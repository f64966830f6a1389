"""The result of a fit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.errors import DataError

__all__ = ["UNPLACED", "Clustering", "clusters_of"]

UNPLACED = -1
"""The label of a node that a method could not place; it is written to the database as null."""


@dataclass(frozen=True, eq=False)
class Clustering:
    """Cluster numbers of every kind, and how they were reached.

    Parameters
    ----------
    labels
        An array for each kind: 0..k-1, the same number meaning the same cluster in every kind; `UNPLACED` where a
        method could not place a node. Where numbers follow those of an earlier run, some may be missing among them.
    trace
        The objective after each step, the last being the final one.
    converged
        False where the method stopped for another reason than having arrived.
    seconds
        How long the fit took.
    trust
        Where a method judges the links it is given: for each kind, or two, of the constraints a number from 0 to 1 for
        each of their links in turn, the probability that it is right; 1 for hard ones. Else empty.
    belonging
        Where it judges each member of a group too: for each kind a number from 0 to 1 for each node, how near it comes
        to being where the groups are that it must be with; 1 for nodes of none. Else empty.
    tried
        Where a parameter was chosen and not given: a record of each candidate, by name, with what it was judged by.
    figures
        What else a method can say of its result in numbers, by name: how far from the best it can be, and the like.
    method, parameters, seed
        The method that found it, by the name that a job gives it, what it was made with, and the seed of the fit; empty
        for labels that no method found.

    Examples
    --------
    >>> found = Clustering({"Author": [0, 1, 1, -1], "Venue": [0, 1]}, trace=(0.5,))
    >>> found.n_clusters, found.sizes("Author").tolist(), found.unplaced("Author"), found.objective
    (2, [1, 2], 1, 0.5)
    """

    labels: Mapping[str, Ints]
    trace: tuple[float, ...] = ()
    converged: bool = True
    seconds: float = 0.0
    trust: Mapping[tuple[str, str], Floats] = field(default_factory=dict)
    tried: tuple[Mapping[str, float], ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    belonging: Mapping[str, Floats] = field(default_factory=dict)
    method: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        """Bring labels to integer arrays and refuse what is no cluster number."""
        labels = {kind: np.asarray(given) for kind, given in self.labels.items()}
        for kind, given in labels.items():
            whole = given.dtype.kind in "iu" or not given.size
            if given.ndim != 1 or not whole or (given.size and given.min() < UNPLACED):
                raise DataError(f"labels of {kind} must be one whole number a node, from {UNPLACED} up")
        object.__setattr__(self, "labels", {kind: given.astype(np.int64) for kind, given in labels.items()})

    @property
    def clusters(self) -> list[int]:
        """The numbers of the clusters that have nodes, of any kind."""
        return clusters_of(self.labels.values())

    @property
    def n_clusters(self) -> int:
        """The number of clusters over all kinds."""
        return len(self.clusters)

    @property
    def width(self) -> int:
        """One more than the largest cluster number, the length of an array indexed by cluster."""
        return 1 + max((int(labels.max(initial=UNPLACED)) for labels in self.labels.values()), default=UNPLACED)

    @property
    def objective(self) -> float | None:
        """The final value of the objective of the method."""
        return self.trace[-1] if self.trace else None

    def sizes(self, kind: str) -> Ints:
        """Return the number of nodes of a kind in each cluster, by cluster number."""
        placed = self.labels[kind][self.labels[kind] != UNPLACED]
        return np.bincount(placed, minlength=self.width)

    def unplaced(self, kind: str) -> int:
        """Return the number of nodes of a kind without a cluster."""
        return int(np.count_nonzero(self.labels[kind] == UNPLACED))


def clusters_of(labels: Iterable[Ints]) -> list[int]:
    """Return the cluster numbers that occur in some labels.

    >>> clusters_of([np.array([3, -1]), np.array([0, 3])])
    [0, 3]
    """
    found = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *labels]))
    numbers: list[int] = found[found != UNPLACED].tolist()
    return numbers
