"""The passes of Loom: the units of each kind in turn move to the cluster that their entries and links favour most."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Bools, Floats, Labels
from graphmine.linalg.leave_one_out import RowView, leave_one_out, shrinkage
from graphmine.linalg.resources import parallel_product, run_parallel
from graphmine.methods.loom.belief_propagation import BeliefPropagation
from graphmine.methods.loom.evidence_scale import evidence_scale
from graphmine.methods.loom.hard_links import HardLinks
from graphmine.methods.loom.soft_links import LEAST, SoftLinks, belief, shares
from graphmine.methods.loom.units import RelationView, UnitGraph
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

    state: State
    trace: tuple[float, ...]
    converged: bool


class _Trust(NamedTuple):
    """What relationships alone say about both ends of each pair, and the trust in each rule and in each pair."""

    free: tuple[Floats, Floats]
    rules: Floats
    pairs: Floats


@dataclass(frozen=True, eq=False)
class Refiner:
    """All that passes need: units and relations, soft links, hard ones, and how many clusters.

    ``scales`` are, for each kind, how much of the score of each unit is evidence beside links; 1 without links.
    """

    graph: UnitGraph
    soft_links: SoftLinks
    hard_links: HardLinks
    n_clusters: int
    scales: tuple[Floats, ...] | tuple[float, ...]
    _last: dict[int, tuple[tuple[Labels, ...], list[RelationView]]] = field(default_factory=dict, repr=False)

    @cached_property
    def linked(self) -> list[Bools]:
        """Which units of each kind have relationships."""
        return self.graph.linked

    def shares(self, labels: Sequence[Labels]) -> list[Floats]:
        """Return the share of each cluster among the units of each kind that have relationships."""
        return [shares(own[there], self.n_clusters) for own, there in zip(labels, self.linked, strict=True)]

    @cached_property
    def weight(self) -> float:
        """The weight of all relations."""
        return float(sum(arm.weight * arm.near.total for arm in self.graph.arms))

    @cached_property
    def _units_of_entries(self) -> Floats:
        """What a nat of each link is worth in nats of entries, which hang together, at its ends."""
        scales = [self._scales_of(kind).ravel() for kind in range(len(self.scales))]
        worth: Floats = 2 / (self.soft_links.at(0, scales) + self.soft_links.at(1, scales))
        return worth

    def start_state(self, labels: Sequence[Labels]) -> State:
        """Return a start whose labels meet the hard links; its value is not computed."""
        unknown = (None,) * len(labels)
        if self.hard_links.binds:
            own = [np.eye(self.n_clusters)[each] for each in labels]
            for kind in range(len(labels)):
                labels = self.hard_links.best_labels(kind, own, labels)
        return State(tuple(labels), -np.inf, unknown, unknown)

    def without_soft_links(self) -> "Refiner":
        """Return the same as if there were no soft links."""
        return replace(self, soft_links=SoftLinks.of(FREE, self.graph))

    def with_evidence_scales(self, state: State, rng: np.random.Generator) -> "Refiner":
        """Return the same with scales found from clusters, so that links can be weighed against scores."""
        labels = state.labels
        found = []
        for kind, p in enumerate(self.shares(labels)):
            found.append(evidence_scale(self._relation_views(kind, labels), labels[kind], p, rng))
        return replace(self, scales=tuple(found))

    def value(self, labels: Sequence[Labels]) -> float:
        """Return the value of clusters: the likelihood of the entries and, in the same units, that of the links."""
        # In units of entries, so that links which are worth nothing change nothing.
        total = self.soft_links.worth(labels, self.shares(labels), self._units_of_entries)
        for kind in range(len(labels)):
            for best, _, view, weight in self._relation_views(kind, labels):
                total += weight * best.likelihood * view.total / 2
        return total

    def strengths(self, labels: Sequence[Labels]) -> list[float]:
        """Return the shrinkage of every relation, from both sides."""
        kinds = range(len(self.graph.kinds))
        return [best.strength for kind in kinds for best, *_ in self._relation_views(kind, labels)]

    def best_start(self, initial: Iterable[Sequence[Labels]], count: int) -> State:
        """Return the best of all starts after ``count`` passes of each.

        Each start is refined while the next is found, by a refiner that notes for itself what it has seen last.
        """

        def refine_start(labels: Sequence[Labels]) -> tuple[Refiner, State]:
            own = replace(self, _last={})
            return own, own.first_passes(own.start_state(labels), count)

        own, state = max(run_parallel(refine_start, initial), key=lambda each: each[1].value)
        self._last.update(own._last)
        return state

    def first_passes(self, state: State, count: int) -> State:
        """Return a start after ``count`` passes, whatever they gain."""
        for _ in range(count):
            state = self.one_pass(state)
        return replace(state, value=self.value(state.labels))

    def passes(self, state: State, most: int) -> Refined:
        """Return the clusters after at most ``most`` passes; a pass that gains nothing is undone and ends them."""
        trace = [state.value / self.weight]
        for _ in range(most):
            after = self.one_pass(state)
            after = replace(after, value=self.value(after.labels))
            gain = after.value - state.value
            if gain <= 0:
                return Refined(state, tuple(trace), True)
            state = after
            trace.append(state.value / self.weight)
            if gain < _SETTLED * abs(state.value):
                return Refined(state, tuple(trace), True)
        return Refined(state, tuple(trace), False)

    def one_pass(self, state: State) -> State:
        """Return the clusters after a pass: each kind moves, the centre first; the value is not computed."""
        labels, scores, beliefs = list(state.labels), list(state.scores), list(state.beliefs)
        for kind in range(len(labels)):
            scores[kind] = self._scores(kind, labels)
            fit = list(scores)
            if len(self.soft_links):
                beliefs[kind], fit[kind] = self._with_links(kind, labels, scores, beliefs)
            labels = self.hard_links.best_labels(kind, fit, labels)
        return State(tuple(labels), -np.inf, tuple(scores), tuple(beliefs))

    def soft_passes(self, state: State) -> State:
        """Return the clusters after soft passes if nodes of a cluster differ in little but degree; else the same.

        In these a unit is in every cluster as far as it fits, so that what is doubtful does not decide for others. The
        message to each of its neighbours leaves out what came from that neighbour (belief propagation), or the
        neighbour's own opinion would come back as another's. Where there are so many entries that this would take long,
        all neighbours get the same message.
        """
        few = self.n_clusters * sum(arm.near.block.nnz for arm in self.graph.arms) <= _MESSAGES
        if min(self.strengths(state.labels)) < (_NEARLY if few else _ALIKE):
            return state
        propagation = self._propagation(state.labels) if few else None
        beliefs: list[Floats] = [np.eye(self.n_clusters)[own] for own in state.labels]
        labels, scores, p = list(state.labels), list(state.scores), self.shares(state.labels)
        for _ in range(_SOFT):
            before = beliefs[0]
            for kind in range(len(labels)):
                fit = self._block_scores(kind, beliefs) if propagation is None else propagation.fit(kind)
                scores[kind] = self._scales_of(kind) * fit
                if len(self.soft_links):
                    messages = self._messages(kind, self._trust(labels, scores), beliefs, p[kind])
                    fit = fit + messages / self._scales_of(kind)
                beliefs[kind] = belief(fit, p[kind])
                labels[kind] = beliefs[kind].argmax(axis=1)
                if propagation is not None:
                    propagation.update(kind, fit + np.log(p[kind]))
            if np.abs(beliefs[0] - before).mean() < _STILL:
                break
        known = [np.log(np.maximum(own, 1e-300)) for own in beliefs]
        for kind in range(len(labels)):
            labels = self.hard_links.best_labels(kind, known, labels)
        value = self.value(labels)
        lost = any(_n_used(new) < _n_used(old) for new, old in zip(labels, state.labels, strict=True))
        # Where there is too little to go by, soft passes end with everything everywhere.
        if lost or value < state.value - _COST * abs(state.value):
            return state
        return State(tuple(labels), value, tuple(scores), tuple(beliefs))

    def _propagation(self, labels: Sequence[Labels]) -> BeliefPropagation:
        """Return what passes beliefs along the entries of all relations."""
        sides = {kind: iter(self._relation_views(kind, labels)) for kind in range(len(labels))}
        strengths = [(next(sides[0]).best.strength, next(sides[arm.kind]).best.strength) for arm in self.graph.arms]
        return BeliefPropagation(self.graph, labels, self.n_clusters, strengths)

    def trust(self, state: State) -> Floats:
        """Return how far each pair of the links can be trusted."""
        return self._trust(state.labels, state.scores).pairs

    def supports_rules(self, labels: Sequence[Labels]) -> bool:
        """Return whether the relationships, given such clusters, support any rule of the soft links."""
        scores = [self._scores(kind, labels) for kind in range(len(labels))]
        return bool(np.any(self._trust(labels, scores).rules > LEAST))

    def _relation_views(self, kind: int, labels: Sequence[Labels]) -> list[RelationView]:
        """Return each relation of a kind as it sees it.

        What was seen last is kept: a pass begins with the very clusters that the one before was judged by.
        """
        before = self._last.get(kind)
        if before is None or any(one is not other for one, other in zip(before[0], labels, strict=True)):
            views, seen = self.graph.views(kind), self.graph.profiles(kind, labels, self.n_clusters)
            found = [
                RelationView(shrinkage(view, labels[kind], each), each, view, weight)
                for (_, view, weight), each in zip(views, seen, strict=True)
            ]
            before = self._last[kind] = tuple(labels), found
        return before[1]

    def _scales_of(self, kind: int) -> Floats:
        scales: Floats = np.broadcast_to(self.scales[kind], len(self.graph.kinds[kind]))[:, None]
        return scales

    def _scores(self, kind: int, labels: Sequence[Labels]) -> Floats:
        """Return how well each unit fits each cluster by all of its relations; into one without any, not at all."""
        relations = self._relation_views(kind, labels)
        total, empty = np.zeros((len(labels[kind]), self.n_clusters)), np.ones(self.n_clusters, dtype=np.bool_)
        for best, seen, view, weight in relations:
            total += self._scales_of(kind) * weight * leave_one_out(view, labels[kind], seen, best.strength)
            empty &= seen.sizes == 0
        if relations:
            total[:, empty] = -np.inf
        return total

    def _with_links(
        self, kind: int, labels: Sequence[Labels], scores: Sequence[Floats | None], beliefs: Sequence[Floats | None]
    ) -> tuple[Floats, Floats]:
        """Return the beliefs about the units of a kind, and their scores, with the messages of their links."""
        own, p = scores[kind], self.shares(labels)[kind]
        assert own is not None
        known = [
            _initial_beliefs(labels[each], self.n_clusters) if found is None else found
            for each, found in enumerate(beliefs)
        ]
        known[kind], trust = belief(own, p), self._trust(labels, scores)
        for _ in range(2):  # links within a kind: a message is passed on once
            fit = own + self._messages(kind, trust, known, p)
            known[kind] = belief(fit, p)
        return known[kind], fit

    def _trust(self, labels: Sequence[Labels], scores: Sequence[Floats | None]) -> _Trust:
        """Return what relationships say about the ends of links, and how far that lets each rule be trusted."""
        p = self.shares(labels)
        free = self._beliefs_by_relations(labels, scores, p)
        return _Trust(free, *self.soft_links.estimate_trust(self.soft_links.odds(*free, p)))

    def _messages(self, kind: int, trust: _Trust, beliefs: Sequence[Floats], p: Floats) -> Floats:
        """Return the sum of what links say to the units of a kind."""
        links = self.soft_links
        total = np.zeros((len(self.graph.kinds[kind]), self.n_clusters))
        for end, which in links.towards(kind):
            free, believed = trust.free[1 - end][which], links.at(1 - end, beliefs)[which]
            known = np.where(links.repeats[which, None], free, believed)
            np.add.at(total, links.ends[end][which], links.messages(which, known, trust.rules, p))
        return total

    def _beliefs_by_relations(
        self, labels: Sequence[Labels], scores: Sequence[Floats | None], p: Sequence[Floats]
    ) -> tuple[Floats, Floats]:
        """Return what relationships alone say about both ends of each pair.

        Of a pair that repeats the relation the columns that both ends have in common are left out on both sides: these
        hold the very records that the link was made from.
        """
        known = [
            _initial_beliefs(labels[kind], self.n_clusters) if own is None else belief(own, p[kind])
            for kind, own in enumerate(scores)
        ]
        first, second = self.soft_links.at(0, known), self.soft_links.at(1, known)
        same = self.soft_links.repeats & (self.soft_links.kinds[0] == self.soft_links.kinds[1])
        for kind, own in enumerate(scores):
            which = np.flatnonzero(same & (self.soft_links.kinds[0] == kind))
            if len(which) and own is not None:
                left, right = self.soft_links.ends[:, which]
                first[which] = belief(own[left] - self._score_in_common(kind, left, right, labels), p[kind])
                second[which] = belief(own[right] - self._score_in_common(kind, right, left, labels), p[kind])
        return first, second

    def _score_in_common(self, kind: int, units: Labels, mates: Labels, labels: Sequence[Labels]) -> Floats:
        """Return the part of the scores of units that comes from columns which their mates have too."""
        total = np.zeros((len(units), self.n_clusters))
        for best, seen, view, weight in self._relation_views(kind, labels):
            shared = RowView(csr_array(view.block[units].multiply(view.block[mates].astype(np.bool_))))
            total += (
                self._scales_of(kind)[units] * weight * leave_one_out(shared, labels[kind][units], seen, best.strength)
            )
        return np.where(np.isfinite(total), total, 0.0)

    def _block_scores(self, kind: int, beliefs: Sequence[Floats]) -> Floats:
        """Return the scores of a kind where all units of a cluster are alike: Σ_b (B R)_ib log[N_ab / (N_a N_b)]."""
        total = np.zeros_like(beliefs[kind])
        for other, view, weight in self.graph.views(kind):
            seen = parallel_product(view.block, beliefs[other])
            blocks = beliefs[kind].T @ seen + 0.5 / self.n_clusters
            sizes = np.outer(blocks.sum(axis=1), blocks.sum(axis=0)) / blocks.sum()
            total += weight * (seen @ np.log(blocks / sizes).T)
        return total


def _n_used(labels: Labels) -> int:
    """Return how many clusters have units."""
    return int(np.count_nonzero(np.bincount(labels)))


def _initial_beliefs(labels: Labels, n_clusters: int) -> Floats:
    """Return the belief that units are where they are, before anything is known of them."""
    return belief(3.0 * np.eye(n_clusters)[labels], np.full(n_clusters, 1 / n_clusters))
