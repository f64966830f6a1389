"""Belief propagation along the entries of all relations: each message leaves out what its receiver said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graphmine.arrays import Floats, Floats32, Labels
from graphmine.linalg.belief_propagation import (
    Beliefs,
    Entries,
    cavity_beliefs,
    entry_messages,
    initial_beliefs,
    update_pairs,
)
from graphmine.methods.loom.units import UnitArm, UnitGraph

__all__ = ["BeliefPropagation"]


@dataclass(eq=False)
class _RelationMessages:
    """One relation: its entries, the shrinkages of both its sides, what is believed, and what was said last."""

    arm: UnitArm
    entries: Entries
    strengths: tuple[float, float]
    beliefs: Beliefs
    messages: Floats32


class BeliefPropagation:
    """Beliefs about the units of all kinds, passed along the entries of every relation.

    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.leave_one_out import RowView
    >>> from graphmine.methods.loom.units import Units
    >>> block = csr_array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> kinds = [Units(kind, np.arange(n), np.arange(n)) for kind, n in (("Author", 4), ("Venue", 2))]
    >>> graph = UnitGraph(tuple(kinds), (UnitArm(1, RowView(block), RowView(csr_array(block.T)), 1.0),))
    >>> propagation = BeliefPropagation(graph, [np.array([0, 0, 1, 1]), np.array([0, 1])], 2, [(1000.0, 1000.0)])
    >>> fit = propagation.fit(0)
    >>> (fit[:, 0] - fit[:, 1]).round(1).tolist()
    [2.1, 2.1, -3.1, -2.1]
    """

    def __init__(
        self, graph: UnitGraph, labels: Sequence[Labels], n_clusters: int, strengths: Sequence[tuple[float, float]]
    ) -> None:
        """Begin with clusters, and with the shrinkages of each relation from both sides."""
        self._sizes = [len(units) for units in graph.kinds]
        self._relations = []
        for arm, strength in zip(graph.arms, strengths, strict=True):
            entries = Entries.of(arm.near.block)
            beliefs = initial_beliefs(entries, labels[0], labels[arm.kind], n_clusters)
            self._relations.append(_RelationMessages(arm, entries, strength, beliefs, beliefs.sides[0]))
        self._n_clusters = n_clusters

    def fit(self, kind: int) -> Floats:
        """Return how well each unit of a kind fits each cluster, by all that it is told."""
        total = np.zeros((self._sizes[kind], self._n_clusters))
        for relation, side in self._of(kind):
            relation.messages = entry_messages(relation.entries, relation.beliefs, side, relation.strengths[side])
            relation.messages *= np.float32(relation.arm.weight)
            total += relation.entries.sums[side] @ relation.messages
        return total

    def update(self, kind: int, logarithms: Floats) -> None:
        """Take over what is believed about the units of a kind, once they have been told all; any constant apart."""
        logarithms = logarithms - logarithms.max(axis=1, keepdims=True)
        for relation, side in self._of(kind):
            near, far = relation.beliefs.sides
            own = cavity_beliefs(relation.entries, side, logarithms, relation.messages)
            relation.beliefs = relation.beliefs._replace(sides=(own, far) if side == 0 else (near, own))
            if side == 1:
                relation.beliefs = update_pairs(relation.entries, relation.beliefs)

    def _of(self, kind: int) -> Iterator[tuple[_RelationMessages, int]]:
        """Give the relations of a kind, and on which side of each it is."""
        for relation in self._relations:
            if kind in (0, relation.arm.kind):
                yield relation, int(kind != 0)
