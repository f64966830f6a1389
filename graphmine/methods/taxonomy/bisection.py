"""One split of a taxonomy: a method asked for two clusters of some nodes of a star."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Ints
from graphmine.errors import DataError, ParameterError
from graphmine.methods.base import Method
from graphmine.methods.spectral.ties import spread_over_ties, tied_sets
from graphmine.model import UNPLACED, Clustering, Constraints, NodePositions, Star, induced, restricted

__all__ = ["Bisection", "BranchPath", "Split"]

KindLabels = dict[str, Ints]
BranchPath = tuple[int, ...]
"""Where a branch stands: at each split from the root down 0 for the larger child, 1 for the other."""


class Split(NamedTuple):
    """What a method found, and the nodes of the two clusters it found them in, the larger first."""

    fit: Clustering
    halves: tuple[NodePositions, NodePositions]


@dataclass(frozen=True, eq=False)
class Bisection:
    """A star that is to be split, and how.

    Parameters
    ----------
    star, constraints
        The whole star, and what is known of its nodes.
    method
        What splits: a method for two clusters.
    seed
        From which the seeds of all splits are drawn; that of the first is the seed itself.
    """

    star: Star
    constraints: Constraints
    method: Method
    seed: int

    def first(self) -> tuple[NodePositions, Split | None]:
        """Return the nodes of the star that have a place, and their split, if the method finds two clusters."""
        try:
            fit = self.method.fit(self.star, self.constraints, seed=self.seed)
        except ParameterError as error:
            raise ParameterError(f"the network can not be split in two: {error}") from error
        placed = {kind: np.flatnonzero(labels != UNPLACED) for kind, labels in fit.labels.items()}
        return placed, _split(fit, {kind: labels[placed[kind]] for kind, labels in fit.labels.items()}, placed)

    def split(self, path: BranchPath, members: NodePositions) -> Split | None:
        """Return the split of a branch below the root; None where the method can not split it."""
        part, known = induced(self.star, members), restricted(self.constraints, self.star, members)
        linked = _without_empty_arms(part)
        if linked is None:
            return None
        seed = int(np.random.SeedSequence(self.seed, spawn_key=path).generate_state(1)[0])
        try:
            fit = self.method.fit(linked, _among_kinds(known, linked), seed=seed)
        except (ParameterError, DataError):  # too few nodes with links: the branch is a leaf
            return None
        return _split(fit, _place_all(fit, part, known), members)

    def crowd(self, members: NodePositions) -> int:
        """Return how many pairs of some nodes hard cannot-links part."""
        known = restricted(self.constraints, self.star, members)
        return sum(int(links.n_pairs[links.hard & ~links.must].sum()) for links in known.values())

    def weight(self, members: NodePositions) -> float:
        """Return the weight of the relationships between some nodes, in parts of the heaviest one."""
        heaviest = max(float(arm.block.data.max(initial=0.0)) for arm in self.star.arms) or 1.0
        part = induced(self.star, members)
        return sum(
            weight * float((arm.block.data / heaviest).sum())
            for arm, weight in zip(part.arms, part.weights, strict=True)
        )


def _without_empty_arms(star: Star) -> Star | None:
    """Return a star without the relations that have no link; None if none has any."""
    arms = [(arm, weight) for arm, weight in zip(star.arms, star.weights, strict=True) if arm.nnz]
    return Star(tuple(arm for arm, _ in arms), tuple(weight for _, weight in arms)) if arms else None


def _among_kinds(constraints: Constraints, star: Star) -> Constraints:
    """Return the constraints on the kinds of a star alone."""
    kinds = {nodes.kind for nodes in star.kinds}
    return replace(
        constraints,
        within={kind: links for kind, links in constraints.within.items() if kind in kinds},
        across={both: links for both, links in constraints.across.items() if kinds.issuperset(both)},
        order={kind: ranks for kind, ranks in constraints.order.items() if kind in kinds},
    )


def _place_all(fit: Clustering, part: Star, constraints: Constraints) -> KindLabels:
    """Return labels for all nodes of a branch: those that the fit has none for go with others.

    They have no link inside the branch any more, and go where those are that hard must-links tie them to; else into the
    larger cluster.
    """
    nowhere = {nodes.kind: np.full(len(nodes), UNPLACED, dtype=np.int64) for nodes in part.kinds}
    labels = spread_over_ties({**nowhere, **fit.labels}, tied_sets(part, constraints))
    larger = _larger(labels)
    return {kind: np.where(own == UNPLACED, larger, own) for kind, own in labels.items()}


def _larger(labels: KindLabels) -> int:
    """Return which of the clusters 0 and 1 has more nodes; the first, if both have as many."""
    one, two = (sum(int(np.count_nonzero(own == label)) for own in labels.values()) for label in (0, 1))
    return int(two > one)


def _split(fit: Clustering, labels: KindLabels, members: NodePositions) -> Split | None:
    """Return the two halves that labels of members make of them; None where one of them would be empty."""
    larger = _larger(labels)
    first, second = (
        {kind: members[kind][own == label] for kind, own in labels.items()} for label in (larger, 1 - larger)
    )
    return Split(fit, (first, second)) if any(map(len, second.values())) else None
