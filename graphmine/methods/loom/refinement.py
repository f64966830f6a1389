"""The passes of Loom: every kind in turn goes where its neighbours' other entries, and its links, would have it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Floats, Labels
from graphmine.linalg.refinement import Profiles, RowView, Shrinkage, leave_one_out, shrinkage
from graphmine.linalg.resources import parallel_product, run_parallel
from graphmine.methods.loom.belief_propagation import Hearing
from graphmine.methods.loom.evidence_scale import tempering
from graphmine.methods.loom.hard_links import Apart
from graphmine.methods.loom.soft_links import LEAST, Wishes, belief, shares
from graphmine.methods.loom.units import UnitGraph
from graphmine.model import FREE

__all__ = ["Refined", "Refiner", "State"]


_SETTLED = 1e-3
"""A gain of less than so much of the likelihood ends the passes."""

_ALIKE = 1000.0
"""Where all shrinkages are at least this, nodes of a cluster differ in their degrees alone."""

_NEARLY = 100.0
"""Where all are at least this, they differ in little else."""

_MESSAGES = 1 << 21
"""Up to so many entries times clusters, each entry passes on what is believed without it."""

_SOFT = 10
"""The most soft passes."""

_STILL = 1e-3
"""Soft passes end when beliefs about the centre change by less than this on average."""

_COST = 0.1
"""Soft passes may cost a tenth of what clusters are worth; more, and they have led nowhere."""


@dataclass(frozen=True, eq=False)
class State:
    """Clusters of every kind, what they are worth in nats, and what was found on the way there.

    Parameters
    ----------
    labels
        For each kind, the cluster of each unit.
    value
        The log-likelihood of left-out entries, of all relations and the mean of both sides, and of links; -∞ where it
        was not asked.
    scores
        For each kind, how well each unit fits each cluster by its relationships; None before the first pass.
    beliefs
        With links, how probable each cluster is for each unit; None before the first pass.
    """

    labels: tuple[Labels, ...]
    value: float
    scores: tuple[Floats | None, ...]
    beliefs: tuple[Floats | None, ...]


class Refined(NamedTuple):
    """What passes led to, the values on the way, and whether there was nothing more to gain."""

    cloth: State
    trace: tuple[float, ...]
    settled: bool


class _Trusted(NamedTuple):
    """What relationships alone say about both ends of each pair, and the trust in each rule and in each pair."""

    free: tuple[Floats, Floats]
    rules: Floats
    pairs: Floats


class _Seen(NamedTuple):
    """A relation as a kind sees it: its best shrinkage, the profiles of the other side, the view and its weight."""

    best: Shrinkage
    profiles: Profiles
    view: RowView
    weight: float


@dataclass(frozen=True, eq=False)
class Refiner:
    """All that passes need: units and relations, soft links, hard ones, and how many clusters.

    ``tempers`` are, for each kind, how much of the score of each unit is evidence beside links; 1 without links.
    """

    warp: UnitGraph
    wishes: Wishes
    apart: Apart
    n_clusters: int
    tempers: tuple[Floats, ...] | tuple[float, ...]
    _last: dict[int, tuple[tuple[Labels, ...], list["_Seen"]]] = field(default_factory=dict, repr=False)

    @cached_property
    def linked(self) -> list[Bools]:
        """Which units of each kind have relationships."""
        return self.warp.linked

    def shares(self, labels: Sequence[Labels]) -> list[Floats]:
        """Return the share of each cluster among the units of each kind that have relationships."""
        return [shares(own[there], self.n_clusters) for own, there in zip(labels, self.linked, strict=True)]

    @cached_property
    def weight(self) -> float:
        """The weight of all relations."""
        return float(sum(arm.weight * arm.near.total for arm in self.warp.arms))

    @cached_property
    def _units_of_entries(self) -> Floats:
        """What a nat of each link is worth in nats of entries, which hang together, at its ends."""
        tempers = [self._tempers(kind).ravel() for kind in range(len(self.tempers))]
        worth: Floats = 2 / (self.wishes.at(0, tempers) + self.wishes.at(1, tempers))
        return worth

    def begun(self, labels: Sequence[Labels]) -> State:
        """Return a start, with hard links put right; what it is worth is not asked."""
        unknown = (None,) * len(labels)
        if self.apart.binds:
            own = [np.eye(self.n_clusters)[each] for each in labels]
            for kind in range(len(labels)):
                labels = self.apart.settled(kind, own, labels)
        return State(tuple(labels), -np.inf, unknown, unknown)

    def without_wishes(self) -> "Refiner":
        """Return the same as if there were no soft links."""
        return replace(self, wishes=Wishes.of(FREE, self.warp))

    def tempered(self, cloth: State, rng: np.random.Generator) -> "Refiner":
        """Return the same with tempers found from clusters, so that links can be weighed against scores."""
        labels = cloth.labels
        found = [
            tempering(self._seen(kind, labels), labels[kind], p, rng) for kind, p in enumerate(self.shares(labels))
        ]
        return replace(self, tempers=tuple(found))

    def value(self, labels: Sequence[Labels]) -> float:
        """Return what clusters are worth: the likelihood of entries, and that of links as what it is beside it."""
        # In units of entries, so that links which are worth nothing change nothing.
        total = self.wishes.worth(labels, self.shares(labels), self._units_of_entries)
        for kind in range(len(labels)):
            for best, _, view, weight in self._seen(kind, labels):
                total += weight * best.likelihood * view.total / 2
        return total

    def strengths(self, labels: Sequence[Labels]) -> list[float]:
        """Return the shrinkage of every relation, from both sides."""
        kinds = range(len(self.warp.kinds))
        return [best.strength for kind in kinds for best, *_ in self._seen(kind, labels)]

    def best(self, begun: Iterable[Sequence[Labels]], count: int) -> State:
        """Return what so many passes make of the start that is worth most after them.

        Each start is refined while the next is found, by a loom that notes for itself what it has seen last.
        """

        def tried(labels: Sequence[Labels]) -> tuple[Refiner, State]:
            own = replace(self, _last={})
            return own, own.first_passes(own.begun(labels), count)

        own, cloth = max(run_parallel(tried, begun), key=lambda each: each[1].value)
        self._last.update(own._last)
        return cloth

    def first_passes(self, cloth: State, count: int) -> State:
        """Return what so many passes make of a start, whatever they gain."""
        for _ in range(count):
            cloth = self.passed(cloth)
        return replace(cloth, value=self.value(cloth.labels))

    def passes(self, cloth: State, most: int) -> Refined:
        """Return what at most so many passes make of clusters; one that gains nothing is taken back and ends them."""
        trace = [cloth.value / self.weight]
        for _ in range(most):
            after = self.passed(cloth)
            after = replace(after, value=self.value(after.labels))
            gain = after.value - cloth.value
            if gain <= 0:
                return Refined(cloth, tuple(trace), True)
            cloth = after
            trace.append(cloth.value / self.weight)
            if gain < _SETTLED * abs(cloth.value):
                return Refined(cloth, tuple(trace), True)
        return Refined(cloth, tuple(trace), False)

    def passed(self, cloth: State) -> State:
        """Return what a pass makes of clusters: each kind moves, the centre first; its worth is not asked."""
        labels, scores, beliefs = list(cloth.labels), list(cloth.scores), list(cloth.beliefs)
        for kind in range(len(labels)):
            scores[kind] = self._scores(kind, labels)
            fit = list(scores)
            if len(self.wishes):
                beliefs[kind], fit[kind] = self._asked(kind, labels, scores, beliefs)
            labels = self.apart.settled(kind, fit, labels)
        return State(tuple(labels), -np.inf, tuple(scores), tuple(beliefs))

    def soft_passes(self, cloth: State) -> State:
        """Return what soft passes make of clusters where nodes of one differ in little but degrees; else the same.

        In these a unit is in every cluster as far as it fits, so that what is doubtful does not decide for others. Each
        of its neighbours hears it without what that one told it, or its own opinion would come back to it as another's;
        where there are so many entries that this would take long, all hear the same.
        """
        few = self.n_clusters * sum(arm.near.block.nnz for arm in self.warp.arms) <= _MESSAGES
        if min(self.strengths(cloth.labels)) < (_NEARLY if few else _ALIKE):
            return cloth
        hearing = self._hearing(cloth.labels) if few else None
        beliefs: list[Floats] = [np.eye(self.n_clusters)[own] for own in cloth.labels]
        labels, scores, p = list(cloth.labels), list(cloth.scores), self.shares(cloth.labels)
        for _ in range(_SOFT):
            before = beliefs[0]
            for kind in range(len(labels)):
                fit = self._blockwise(kind, beliefs) if hearing is None else hearing.fit(kind)
                scores[kind] = self._tempers(kind) * fit
                if len(self.wishes):
                    fit = fit + self._said(kind, self._trusted(labels, scores), beliefs, p[kind]) / self._tempers(kind)
                beliefs[kind] = belief(fit, p[kind])
                labels[kind] = beliefs[kind].argmax(axis=1)
                if hearing is not None:
                    hearing.believe(kind, fit + np.log(p[kind]))
            if np.abs(beliefs[0] - before).mean() < _STILL:
                break
        known = [np.log(np.maximum(own, 1e-300)) for own in beliefs]
        for kind in range(len(labels)):
            labels = self.apart.settled(kind, known, labels)
        value = self.value(labels)
        lost = any(_used(new) < _used(old) for new, old in zip(labels, cloth.labels, strict=True))
        # Where there is too little to go by, soft passes end with everything everywhere.
        if lost or value < cloth.value - _COST * abs(cloth.value):
            return cloth
        return State(tuple(labels), value, tuple(scores), tuple(beliefs))

    def _hearing(self, labels: Sequence[Labels]) -> Hearing:
        """Return what passes beliefs along the entries of all relations."""
        sides = {kind: iter(self._seen(kind, labels)) for kind in range(len(labels))}
        strengths = [(next(sides[0]).best.strength, next(sides[arm.kind]).best.strength) for arm in self.warp.arms]
        return Hearing(self.warp, labels, self.n_clusters, strengths)

    def trust(self, cloth: State) -> Floats:
        """Return how far each pair of the links is to be believed."""
        return self._trusted(cloth.labels, cloth.scores).pairs

    def believes(self, labels: Sequence[Labels]) -> bool:
        """Return whether relationships, with such clusters, bear out any rule of the soft links."""
        scores = [self._scores(kind, labels) for kind in range(len(labels))]
        return bool(np.any(self._trusted(labels, scores).rules > LEAST))

    def _seen(self, kind: int, labels: Sequence[Labels]) -> list["_Seen"]:
        """Return each relation of a kind as it sees it.

        What was seen last is kept: a pass begins with the very clusters that the one before was judged by.
        """
        before = self._last.get(kind)
        if before is None or any(one is not other for one, other in zip(before[0], labels, strict=True)):
            views, seen = self.warp.views(kind), self.warp.profiles(kind, labels, self.n_clusters)
            found = [
                _Seen(shrinkage(view, labels[kind], each), each, view, weight)
                for (_, view, weight), each in zip(views, seen, strict=True)
            ]
            before = self._last[kind] = tuple(labels), found
        return before[1]

    def _tempers(self, kind: int) -> Floats:
        tempers: Floats = np.broadcast_to(self.tempers[kind], len(self.warp.kinds[kind]))[:, None]
        return tempers

    def _scores(self, kind: int, labels: Sequence[Labels]) -> Floats:
        """Return how well each unit fits each cluster by all of its relations; into one without any, not at all."""
        relations = self._seen(kind, labels)
        total, empty = np.zeros((len(labels[kind]), self.n_clusters)), np.ones(self.n_clusters, dtype=np.bool_)
        for best, seen, view, weight in relations:
            total += self._tempers(kind) * weight * leave_one_out(view, labels[kind], seen, best.strength)
            empty &= seen.sizes == 0
        if relations:
            total[:, empty] = -np.inf
        return total

    def _asked(
        self, kind: int, labels: Sequence[Labels], scores: Sequence[Floats | None], beliefs: Sequence[Floats | None]
    ) -> tuple[Floats, Floats]:
        """Return the beliefs about the units of a kind, and their scores, once their links have been heard."""
        own, p = scores[kind], self.shares(labels)[kind]
        assert own is not None
        told = [_sure(labels[each], self.n_clusters) if found is None else found for each, found in enumerate(beliefs)]
        told[kind], trusted = belief(own, p), self._trusted(labels, scores)
        for _ in range(2):  # links within a kind: what is heard is passed on once
            fit = own + self._said(kind, trusted, told, p)
            told[kind] = belief(fit, p)
        return told[kind], fit

    def _trusted(self, labels: Sequence[Labels], scores: Sequence[Floats | None]) -> "_Trusted":
        """Return what relationships say about the ends of links, and how far that lets each rule be trusted."""
        p = self.shares(labels)
        free = self._free(labels, scores, p)
        return _Trusted(free, *self.wishes.trusted(self.wishes.odds(*free, p)))

    def _said(self, kind: int, trusted: "_Trusted", beliefs: Sequence[Floats], p: Floats) -> Floats:
        """Return the sum of what links say to the units of a kind."""
        wishes, (free, pi, _) = self.wishes, trusted
        total = np.zeros((len(self.warp.kinds[kind]), self.n_clusters))
        for end, which in wishes.towards(kind):
            told = np.where(wishes.repeats[which, None], free[1 - end][which], wishes.at(1 - end, beliefs)[which])
            np.add.at(total, wishes.ends[end][which], wishes.messages(which, told, pi, p))
        return total

    def _free(
        self, labels: Sequence[Labels], scores: Sequence[Floats | None], p: Sequence[Floats]
    ) -> tuple[Floats, Floats]:
        """Return what relationships alone say about both ends of each pair.

        Of a pair that repeats the relation the columns that both ends have in common are left out on both sides: these
        hold the very records that the link was made from.
        """
        known = [
            _sure(labels[kind], self.n_clusters) if own is None else belief(own, p[kind])
            for kind, own in enumerate(scores)
        ]
        first, second = self.wishes.at(0, known), self.wishes.at(1, known)
        same = self.wishes.repeats & (self.wishes.kinds[0] == self.wishes.kinds[1])
        for kind, own in enumerate(scores):
            which = np.flatnonzero(same & (self.wishes.kinds[0] == kind))
            if len(which) and own is not None:
                left, right = self.wishes.ends[:, which]
                first[which] = belief(own[left] - self._common(kind, left, right, labels), p[kind])
                second[which] = belief(own[right] - self._common(kind, right, left, labels), p[kind])
        return first, second

    def _common(self, kind: int, units: Labels, mates: Labels, labels: Sequence[Labels]) -> Floats:
        """Return the part of the scores of units that comes from columns which their mates have too."""
        total = np.zeros((len(units), self.n_clusters))
        for best, seen, view, weight in self._seen(kind, labels):
            shared = RowView(csr_array(view.block[units].multiply(view.block[mates].astype(np.bool_))))
            total += (
                self._tempers(kind)[units] * weight * leave_one_out(shared, labels[kind][units], seen, best.strength)
            )
        return np.where(np.isfinite(total), total, 0.0)

    def _blockwise(self, kind: int, beliefs: Sequence[Floats]) -> Floats:
        """Return the scores of a kind where all units of a cluster are alike: Σ_b (B R)_ib log[N_ab / (N_a N_b)]."""
        total = np.zeros_like(beliefs[kind])
        for other, view, weight in self.warp.views(kind):
            seen = parallel_product(view.block, beliefs[other])
            blocks = beliefs[kind].T @ seen + 0.5 / self.n_clusters
            sizes = np.outer(blocks.sum(axis=1), blocks.sum(axis=0)) / blocks.sum()
            total += weight * (seen @ np.log(blocks / sizes).T)
        return total


def _used(labels: Labels) -> int:
    """Return how many clusters have units."""
    return int(np.count_nonzero(np.bincount(labels)))


def _sure(labels: Labels, n_clusters: int) -> Floats:
    """Return the belief that units are where they are, before anything is known of them."""
    return belief(3.0 * np.eye(n_clusters)[labels], np.full(n_clusters, 1 / n_clusters))
