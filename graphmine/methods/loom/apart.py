"""Hard links that reach beyond a kind or keep apart: units that move together, and clusters that are closed to some."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.closure.ties import cannots, tied
from graphmine.linalg.refinement import moved
from graphmine.methods.loom.warp import Warp
from graphmine.model import Constraints

__all__ = ["Apart"]

Labels = NDArray[np.int64]
Numbers = NDArray[np.float64]

_CHAIN = 200
"""The most components that change places for one another."""


@dataclass(frozen=True, eq=False)
class Apart:
    """Components of units that are tied across kinds or kept apart from others.

    Parameters
    ----------
    places
        For each kind, the unit of each component; -1 where it has none.
    members
        Ends × components: which components each end of a cannot-link stands for.
    against
        Components × ends: how many cannot-links there are between a component and an end.
    loops
        How often an end that is against a component holds the component itself.
    """

    places: Labels
    members: csr_array
    against: csr_array
    loops: Labels

    @classmethod
    def of(cls, constraints: Constraints, warp: Warp) -> "Apart":
        """Return what hard links say beyond what units are."""
        ties = tied(constraints)
        parted = cannots(constraints, ties)
        sets = np.unique(parted.keys // max(ties.n, 1))
        single = np.unique(np.concatenate([end[end < ties.n] for end in (parted.left, parted.right)]))
        where = [units.component for units in warp.kinds]
        several, counts = np.unique(np.concatenate(where), return_counts=True)
        bound = np.unique(np.concatenate([several[counts > 1], single, parted.keys % max(ties.n, 1)]))
        ends = np.concatenate([single, sets])
        heads = np.searchsorted(ends, np.concatenate([single, parted.keys // max(ties.n, 1)]))
        tails = np.searchsorted(bound, np.concatenate([single, parted.keys % max(ties.n, 1)]))
        members = csr_array((np.ones(len(heads)), (heads, tails)), shape=(len(ends), len(bound)))
        left, right = (np.searchsorted(ends, end) for end in (parted.left, parted.right))
        both = left != right  # a set against itself is against each of its members once
        heads, tails = np.concatenate([left, right[both]]), np.concatenate([right, left[both]])
        facing = csr_array((np.ones(len(heads)), (heads, tails)), shape=(len(ends), len(ends)))
        against = csr_array(members.T @ facing)
        loops = np.asarray(against.multiply(members.T).sum(axis=1), dtype=np.int64).ravel()
        return cls(np.stack([_found(bound, each) for each in where]), members, against, loops)

    @property
    def binds(self) -> bool:
        """Whether there are any such components."""
        return bool(self.places.shape[1])

    def settled(self, kind: int, scores: Sequence[Numbers | None], labels: Sequence[Labels]) -> list[Labels]:
        """Return labels in which the units of a kind have moved to their best clusters, as far as hard links let them.

        Components that are tied across kinds move by the scores of all kinds there are, and all of their units do.
        """
        after, own = list(labels), scores[kind]
        assert own is not None
        after[kind] = moved(own, labels[kind])
        if not self.binds:
            return after
        total = sum(
            np.where(places[:, None] >= 0, _finite(each)[np.maximum(places, 0)], 0.0)
            for places, each in zip(self.places, scores, strict=True)
            if each is not None
        )
        present = self._labels(labels)
        here = self.places[kind] >= 0
        chosen = np.where(here, moved(np.asarray(total), present), present)
        if self.members.shape[0]:
            chosen = self._coloured(np.asarray(total), chosen)
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

    def _coloured(self, scores: Numbers, labels: Labels) -> Labels:
        """Return labels in which no two components that exclude each other share a cluster, if a greedy way finds some.

        Those that clash give up their clusters, and take the best that is open to them, the surest first; or, if that
        leaves any without one, those with most links first. Then they change places where that is better for all.
        """
        clashing = self._clashes(labels)
        if not len(clashing):
            return labels
        sure = np.sort(scores[clashing], axis=1)
        margin = sure[:, -1] - sure[:, -2] if scores.shape[1] > 1 else sure[:, -1]
        busy = np.asarray(self.against.sum(axis=1)).ravel()
        found = self._greedy(scores, labels, clashing[np.argsort(-margin, kind="stable")])
        if len(self._clashes(found)):
            every = np.argsort(-busy, kind="stable")
            other = self._greedy(scores, labels, every[busy[every] > 0])
            found = min((found, other), key=lambda each: len(self._clashes(each)))
        return self._exchanged(scores, found)

    def _clashes(self, labels: Labels) -> Labels:
        there = labels >= 0
        owned = csr_array(
            (np.ones(there.sum()), (np.flatnonzero(there), labels[there])),
            shape=(len(labels), labels.max(initial=0) + 1),
        )
        counts = csr_array(self.against @ csr_array(self.members @ owned))
        same = np.asarray(counts[np.arange(len(labels)), labels]).ravel() - self.loops
        return np.flatnonzero(same > 0)

    def _greedy(self, scores: Numbers, labels: Labels, order: Labels) -> Labels:
        found, k = labels.copy(), scores.shape[1]
        found[order] = -1
        there = np.flatnonzero(found >= 0)
        taken = self.members[:, there] @ (found[there, None] == np.arange(k)).astype(float)
        of_component = csr_array(self.members.T)
        for component in order.tolist():
            ends = _row(self.against, component)
            closed = taken[ends].sum(axis=0)
            open_to = np.where(closed == closed.min(), scores[component], -np.inf)
            found[component] = int(np.argmax(open_to))
            taken[_row(of_component, component), found[component]] += 1
        return found

    def _exchanged(self, scores: Numbers, labels: Labels) -> Labels:
        """Let components have the cluster they want where all that stand in the way can take theirs at a gain."""
        found, best = labels.copy(), scores.argmax(axis=1)
        rows = np.arange(len(found))
        regret = scores[rows, best] - scores[rows, found]
        busy = np.diff(self.against.indptr) > 0
        for component in np.flatnonzero((regret > 0) & busy)[
            np.argsort(-regret[(regret > 0) & busy], kind="stable")
        ].tolist():
            here, there = int(found[component]), int(best[component])
            chain = self._chain(found, component, here, there)
            if chain is None:
                continue
            swapped = np.where(found[chain] == here, there, here)
            if scores[chain, swapped].sum() > scores[chain, found[chain]].sum():
                found[chain] = swapped
        return found

    def _chain(self, labels: Labels, component: int, here: int, there: int) -> Labels | None:
        """Return what has to change between two clusters with a component; None if that is too much."""
        chain, reached = {component}, [component]
        while reached:
            each = reached.pop()
            other = there if labels[each] == here else here
            facing = np.unique(self.members[_row(self.against, each)].indices)
            new = set(facing[labels[facing] == other].tolist()) - chain
            chain |= new
            reached += new
            if len(chain) > _CHAIN:
                return None
        return np.array(sorted(chain))


def _row(matrix: csr_array, row: int) -> NDArray[np.int32]:
    found: NDArray[np.int32] = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return found


def _found(wanted: Labels, among: Labels) -> Labels:
    """Return where each number stands in a row of distinct ones, -1 where it does not."""
    order = np.argsort(among)
    place = np.minimum(np.searchsorted(among[order], wanted), len(among) - 1)
    return np.where(among[order][place] == wanted, order[place], -1) if len(among) else np.full(len(wanted), -1)


def _finite(scores: Numbers) -> Numbers:
    """Return scores in which an empty cluster is worse than any other, but not forbidden."""
    finite = np.isfinite(scores)
    worst = scores[finite].min(initial=0.0)
    return np.where(finite, scores, worst - 1.0)
