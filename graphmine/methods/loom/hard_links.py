"""Hard links in Loom: units of several kinds that move as one, and units that must not share a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Labels
from graphmine.closure.components import hard_cannot_links, must_link_components
from graphmine.linalg.leave_one_out import best_clusters
from graphmine.methods.loom.coloring import Exclusions
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import Constraints

__all__ = ["HardLinks"]


@dataclass(frozen=True, eq=False)
class HardLinks:
    """Components of units that are tied across kinds or kept apart from others.

    Parameters
    ----------
    places
        For each kind, the unit of each component; -1 where it has none.
    exclusions
        Which of the components exclude each other.
    """

    places: Labels
    exclusions: Exclusions

    @classmethod
    def of(cls, constraints: Constraints, graph: UnitGraph) -> "HardLinks":
        """Return what hard links say beyond what units are."""
        # A cannot-link set s that holds component c is the key s n + c, of n components.
        ties = must_link_components(constraints)
        excluded = hard_cannot_links(constraints, ties)
        sets = np.unique(excluded.keys // max(ties.n, 1))
        single = np.unique(np.concatenate([end[end < ties.n] for end in (excluded.left, excluded.right)]))
        where = [units.component for units in graph.kinds]
        several, counts = np.unique(np.concatenate(where), return_counts=True)
        bound = np.unique(np.concatenate([several[counts > 1], single, excluded.keys % max(ties.n, 1)]))
        ends = np.concatenate([single, sets])
        heads = np.searchsorted(ends, np.concatenate([single, excluded.keys // max(ties.n, 1)]))
        tails = np.searchsorted(bound, np.concatenate([single, excluded.keys % max(ties.n, 1)]))
        members = csr_array((np.ones(len(heads)), (heads, tails)), shape=(len(ends), len(bound)))
        left, right = (np.searchsorted(ends, end) for end in (excluded.left, excluded.right))
        both = left != right  # a set against itself is against each of its members once
        heads, tails = np.concatenate([left, right[both]]), np.concatenate([right, left[both]])
        facing = csr_array((np.ones(len(heads)), (heads, tails)), shape=(len(ends), len(ends)))
        return cls(np.stack([_found(bound, each) for each in where]), Exclusions(members, facing))

    @property
    def binds(self) -> bool:
        """Whether there are any such components."""
        return bool(self.places.shape[1])

    def best_labels(self, kind: int, scores: Sequence[Floats | None], labels: Sequence[Labels]) -> list[Labels]:
        """Return labels in which the units of a kind have moved to their best clusters, as far as hard links let them.

        Components that are tied across kinds move by the scores of all kinds there are, and all of their units do.
        """
        after, own = list(labels), scores[kind]
        assert own is not None
        after[kind] = best_clusters(own, labels[kind])
        if not self.binds:
            return after
        total = sum(
            np.where(places[:, None] >= 0, _finite(each)[np.maximum(places, 0)], 0.0)
            for places, each in zip(self.places, scores, strict=True)
            if each is not None
        )
        present = self._labels(labels)
        here = self.places[kind] >= 0
        chosen = np.where(here, best_clusters(np.asarray(total), present), present)
        if self.exclusions.facing.nnz:
            chosen = self.exclusions.coloring(np.asarray(total), chosen, present)
        for places, each in zip(self.places, range(len(after)), strict=True):
            there = places >= 0
            after[each] = after[each].copy()
            after[each][places[there]] = chosen[there]
        return after

    def _labels(self, labels: Sequence[Labels]) -> Labels:
        """Return the cluster of each component: that of its unit in the first kind that has one."""
        found = np.full(self.places.shape[1], -1)
        for places, own in zip(self.places, labels, strict=True):
            found = np.where((found < 0) & (places >= 0), own[np.maximum(places, 0)], found)
        return found


def _found(wanted: Labels, among: Labels) -> Labels:
    """Return where each number stands in a row of distinct ones, -1 where it does not."""
    if not len(among):
        return np.full(len(wanted), -1)
    order = np.argsort(among)
    place = np.minimum(np.searchsorted(among[order], wanted), len(among) - 1)
    return np.where(among[order][place] == wanted, order[place], -1)


def _finite(scores: Floats) -> Floats:
    """Return scores in which an empty cluster is worse than any other, but not forbidden."""
    finite = np.isfinite(scores)
    worst = scores[finite].min(initial=0.0)
    return np.where(finite, scores, worst - 1.0)
