"""The weight of each relation of a star, by how far it can be relied on: one of noise must not outvote the others."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graphmine.arrays import Labels
from graphmine.linalg.leave_one_out import profiles, shrinkage
from graphmine.methods.loom.units import UnitArm, UnitGraph

__all__ = ["weigh_relations"]


_LEAST = 1e-3
"""Every relation keeps so much of its weight, so that the nodes of its arm still go where their neighbours are."""


_FULL = 2.0
"""A relation that can be relied on at least half as far as the best keeps its full weight."""


def weigh_relations(graph: UnitGraph, labels: Sequence[Labels], n_clusters: int) -> UnitGraph:
    """Return a star whose relations are weighted by how reliable they are for clusters.

    The likelihood of left-out entries flatters columns of few entries: such a column is in the cluster of the very row
    that it is then said to speak for. Judged by the other entries of each column alone, as if all columns were of one
    cluster, it is honest, and of a relation without structure it is next to nothing. What a relation says is relied on
    in the ratio of that to the former: with half the ratio of the best relation, or more, it keeps its weight, with
    less a part of it. A single one is left as it is.
    """
    if len(graph.arms) < 2:
        return graph
    found = np.array([_reliance(arm, labels, n_clusters) for arm in graph.arms])
    best = found.max()
    shares = np.clip(_FULL * found / best, _LEAST, 1.0) if best > 0 else np.ones(len(found))
    arms = (replace(arm, weight=arm.weight * float(share)) for arm, share in zip(graph.arms, shares, strict=True))
    return replace(graph, arms=tuple(arms))


def _reliance(arm: UnitArm, labels: Sequence[Labels], n_clusters: int) -> float:
    """Return what part of what a relation says of clusters it says without clusters of its columns; at most 1."""
    rows, cols = labels[0], labels[arm.kind]
    honest, said = (
        shrinkage(arm.near, rows, profiles(arm.near, rows, clusters, n_clusters)).likelihood
        for clusters in (np.zeros_like(cols), cols)
    )
    return min(honest / said, 1.0) if honest > 0 and said > 0 else 0.0
