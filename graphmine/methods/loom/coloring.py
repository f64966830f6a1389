"""Clusters for what hard cannot-links keep apart: coloring a graph whose edges join groups as well as single nodes.

An *end* of a cannot-link stands for one component or, where it is a group, for several. Two ends that face each other
exclude each other's components; an end that faces itself excludes its own from one another.
"""

from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from graphmine.arrays import Bools, Floats, Labels
from graphmine.closure.components import expand_ranges
from graphmine.linalg.leave_one_out import indicators

__all__ = ["Exclusions"]


_SWEEPS = 3
"""So often all pairs of clusters are gone through for exchanges."""

_PATIENCE = 60
"""Mending ends when so many rounds have not lowered the number of clashes."""

_BAN, _FORCED = 5, 0.03
"""A component that left a cluster stays out of it for fewer rounds than that; and so many go where they meet more."""

_STEPS = 8
"""So far around a clash all choose anew."""

_CLEARLY = 1e-9
"""An exchange has to gain so much of what is at stake; less is rounding."""


@dataclass(frozen=True, eq=False)
class Exclusions:
    """Which components exclude each other.

    Parameters
    ----------
    members
        Ends × components: which components each end stands for.
    facing
        Ends × ends: how many cannot-links there are between two of them; symmetric.

    Examples
    --------
    Three components, of which the first is kept from the other two; all would rather be in cluster 0.

    >>> apart = Exclusions(csr_array(np.eye(3)), csr_array([[0.0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    >>> scores = np.array([[2.0, 0.0], [3.0, 0.0], [1.0, 0.0]])
    >>> apart.coloring(scores, np.array([0, 0, 0]), np.array([0, 1, 1])).tolist()
    [1, 0, 0]
    """

    members: csr_array
    facing: csr_array

    @cached_property
    def ends_of(self) -> csr_array:
        """Components × ends: which ends each component is of."""
        return csr_array(self.members.T)

    @cached_property
    def against(self) -> csr_array:
        """Components × ends: how many cannot-links there are between a component and an end."""
        return csr_array(self.ends_of @ self.facing)

    @cached_property
    def loops(self) -> Labels:
        """How often an end that is against a component holds the component itself."""
        return np.asarray(self.against.multiply(self.ends_of).sum(axis=1), dtype=np.int64).ravel()

    @cached_property
    def busy(self) -> Bools:
        """Which components are kept apart from any other."""
        busy: Bools = np.diff(self.against.indptr) > 0
        return busy

    def coloring(self, scores: Floats, wanted: Labels, present: Labels) -> Labels:
        """Return clusters in which no two components that exclude each other are together, if some are found.

        Those that clash in the clusters they want take the best that are open to them, the surest first. What still
        clashes is mended by moving it, and what it then clashes with, about; then by choosing anew for all around it.
        If that leaves any, all stay where they are at present; if these clash too, all choose anew. Then they change
        places where that is better for all together.
        """
        clashing = self.clashes(wanted)
        if not len(clashing):
            return wanted
        found = self._recolor_around(scores, self._tabu_search(scores, self._greedy(scores, wanted, clashing)))
        if len(self.clashes(found)):
            found = self._fewest(found, present)
        if len(self.clashes(found)):
            found = self._fewest(found, self._tabu_search(scores, self._dsatur(scores, wanted, self.busy)))
        return self._exchange(scores, found)

    def clashes(self, labels: Labels) -> Labels:
        """Return the components that share a cluster with one that they exclude."""
        owned = indicators(labels, labels.max(initial=0) + 1)
        counts = csr_array(self.against @ csr_array(self.members @ owned))
        same = np.asarray(counts[np.arange(len(labels)), labels]).ravel() - self.loops
        return np.flatnonzero(same > 0)

    def _fewest(self, *every: Labels) -> Labels:
        return min(every, key=lambda labels: len(self.clashes(labels)))

    def _greedy(self, scores: Floats, labels: Labels, loose: Labels) -> Labels:
        """Return labels in which loose components have taken the best clusters that are open to them.

        All choose at once, and of those that are in each other's way the surest are served; then the rest choose again.
        One to which nothing is open takes what is the least closed.
        """
        found, k = labels.copy(), scores.shape[1]
        found[loose] = -1
        fixed = found >= 0
        taken = self.members[:, np.flatnonzero(fixed)] @ indicators(found[fixed], k).toarray()
        best = np.partition(scores[loose], max(k - 2, 0), axis=1)
        order = np.argsort(best[:, max(k - 2, 0)] - best.max(axis=1), kind="stable")
        left = loose[order]  # the surest first, and so it stays
        while len(left):
            against, ends_of = self.against[left], self.ends_of[left]
            closed = against @ taken
            least = closed.min(axis=1, keepdims=True)
            chosen = np.where(closed == least, scores[left], -np.inf).argmax(axis=1)
            beaten = _outbid(against, ends_of, chosen, k) & (least.ravel() == 0)
            found[left[~beaten]] = chosen[~beaten]
            rows, cols = _entries(ends_of)
            served = ~beaten[rows]
            np.add.at(taken, (cols[served], chosen[rows[served]]), 1.0)
            left = left[beaten]
        return found

    def _tabu_search(self, scores: Floats, labels: Labels) -> Labels:
        """Return labels with as few clashes as moving half of what clashes at a time leads to (Hertz, de Werra 1987).

        Each goes where it meets the fewest that it excludes, of these where it fits best; if it would meet more than
        now it stays, but for a few.
        """
        found, best, fewest, now, last = labels.copy(), labels, len(labels) + 1, 0, 0
        rng, banned = np.random.default_rng(0), np.zeros(scores.shape, dtype=np.int32)
        while now - last < _PATIENCE:
            clashing, now = self.clashes(found), now + 1
            if len(clashing) < fewest:
                best, fewest, last = found.copy(), len(clashing), now
            if not fewest or scores.shape[1] == 1:
                break
            some = clashing[rng.random(len(clashing)) < 0.5]
            met = (self.against[some] @ (self.members @ indicators(found, scores.shape[1]))).toarray()
            rows, here = np.arange(len(some)), found[some]
            own = met[rows, here] - self.loops[some]
            met[rows, here] = np.inf
            met[banned[some] > now] += len(found)
            least = met.min(axis=1)
            chosen = np.where(met == least[:, None], scores[some], -np.inf).argmax(axis=1)
            going = (least <= own) | (rng.random(len(some)) < _FORCED)
            banned[some[going], here[going]] = now + rng.integers(1, _BAN, int(going.sum()))
            found[some[going]] = chosen[going]
        return best

    def _recolor_around(self, scores: Floats, labels: Labels) -> Labels:
        """Return labels in which all choose anew that are within a few steps of what clashes, if fewer clash then."""
        found, clashing = labels, self.clashes(labels)
        near = np.zeros(len(labels))
        near[clashing] = 1.0
        if not len(clashing):
            return found
        for _ in range(_STEPS):
            near = np.minimum(near + self.ends_of @ (self.facing @ (self.members @ near)), 1.0)
            other = self._dsatur(scores, labels, near > 0)
            found = self._fewest(found, other)
            if not len(self.clashes(found)):
                break
        return found

    def _dsatur(self, scores: Floats, labels: Labels, loose: Bools) -> Labels:
        """Return labels in which loose components take their best, those with the fewest open clusters first.

        That is the order of Brélaz (1979). Where two clusters are enough for all, it finds them.
        """
        found, k = labels.copy(), scores.shape[1]
        opposite, links = csr_array(self.against.T), np.diff(self.against.indptr)
        fixed = np.flatnonzero(~loose)
        taken = self.members[:, fixed] @ indicators(labels[fixed], k).toarray() > 0
        closed = self.against @ taken.astype(np.float64) > 0
        shut = closed.sum(axis=1)
        left = set(np.flatnonzero(loose).tolist())
        heap = [(-int(shut[each]), -int(links[each]), each) for each in left]
        heapify(heap)
        while left:
            _, _, component = heappop(heap)
            if component not in left:
                continue
            left.remove(component)
            open_ = np.where(closed[component], -np.inf, scores[component])
            label = found[component] = int(np.argmax(open_ if not closed[component].all() else scores[component]))
            for end in _row(self.ends_of, component).tolist():
                if taken[end, label]:
                    continue
                taken[end, label] = True
                others = _row(opposite, end)
                new = others[~closed[others, label]]
                closed[new, label] = True
                shut[new] += 1
                for each in new.tolist():
                    if each in left:
                        heappush(heap, (-int(shut[each]), -int(links[each]), each))
        return found

    def _exchange(self, scores: Floats, labels: Labels) -> Labels:
        """Let components change between two clusters, with all that this moves out of the way, where it gains."""
        found = labels
        for _ in range(_SWEEPS):
            before = found
            for one, other in self._tempting_pairs(scores, found):
                found = self._swap_chains(scores, found, one, other)
            if np.array_equal(found, before):
                break
        return found

    def _tempting_pairs(self, scores: Floats, labels: Labels) -> list[tuple[int, int]]:
        """Return the pairs of clusters between which some component would rather be in the other."""
        k, rows = scores.shape[1], np.flatnonzero(self.busy)
        which, better = np.nonzero(scores[rows] > scores[rows, labels[rows]][:, None])
        here = labels[rows[which]]
        # A pair of clusters a < b is the number a k + b.
        pairs = np.unique(np.minimum(here, better) * k + np.maximum(here, better))
        return [(pair // k, pair % k) for pair in pairs.tolist()]

    def _swap_chains(self, scores: Floats, labels: Labels, one: int, other: int) -> Labels:
        """Return labels in which every chain between two clusters has changed sides that gains by it.

        A chain is what has to move if one of it does: components of the two clusters that exclude each other, and those
        that these exclude. The members of an end that are in the one cluster are of one chain if the end faces any in
        the other.
        """
        inside = np.flatnonzero(self.busy & ((labels == one) | (labels == other)))
        swap = np.where(labels[inside] == one, other, one)
        gain = scores[inside, swap] - scores[inside, labels[inside]]
        rows, ends = _entries(self.ends_of[inside])
        # The members of end e that are in cluster `one` are the vertex 2e, those in the other 2e + 1.
        sides = 2 * ends + (labels[inside][rows] == other)
        there = np.zeros(2 * self.members.shape[0], dtype=np.bool_)
        there[sides] = True
        near, far = _entries(self.facing)
        near, far = 2 * near, 2 * far + 1
        met = there[near] & there[far]
        near, far = near[met], far[met]
        active = np.zeros_like(there)
        active[near] = active[far] = True
        kept = active[sides]
        n = len(inside)
        heads, tails = np.concatenate([rows[kept], n + near]), np.concatenate([n + sides[kept], n + far])
        shape = (n + len(there),) * 2
        graph = csr_array((np.ones(len(heads), dtype=np.int8), (heads, tails)), shape=shape)
        part = connected_components(graph, directed=False)[1][:n]
        gains, stake = np.bincount(part, gain), np.bincount(part, np.abs(gain))
        moving = (gains > _CLEARLY * (1 + stake))[part]
        found = labels.copy()
        found[inside[moving]] = swap[moving]
        return found


def _outbid(against: csr_array, ends_of: csr_array, chosen: Labels, k: int) -> Bools:
    """Return which components want what one before them wants, which excludes them."""
    # The members of end e that choose cluster a are the place e k + a; `first` is the first of them.
    first = np.full(against.shape[1] * k, len(chosen))
    rows, cols = _entries(ends_of)
    np.minimum.at(first, cols.astype(np.int64) * k + chosen[rows], rows)
    rows, cols = _entries(against)
    beaten = np.zeros(len(chosen), dtype=np.bool_)
    beaten[rows[first[cols.astype(np.int64) * k + chosen[rows]] < rows]] = True
    return beaten


def _entries(matrix: csr_array) -> tuple[Labels, Labels]:
    """Return the rows and columns of all entries, row by row."""
    rows, places = expand_ranges(matrix.indptr[:-1].astype(np.int64), matrix.indptr[1:].astype(np.int64))
    return rows, matrix.indices[places].astype(np.int64)


def _row(matrix: csr_array, row: int) -> NDArray[np.int32]:
    found: NDArray[np.int32] = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
    return found
