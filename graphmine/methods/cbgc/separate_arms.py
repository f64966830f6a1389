"""A partition of each arm of a star by itself, as a price of 0 asks for, and a vote on the labels of the centre."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.linalg.matching import partners, shared_counts
from graphmine.methods.cbgc.beta import arm_names
from graphmine.methods.cbgc.leftover_nodes import place_leftover_nodes
from graphmine.methods.labels import renumber
from graphmine.methods.n_clusters import Clusters
from graphmine.methods.spectral.ties import tied_sets
from graphmine.model import UNPLACED, Clustering, Constraints, Star

__all__ = ["partition_arms"]

Fit = Callable[[Star, Clusters, Constraints], Clustering]


def partition_arms(star: Star, constraints: Constraints, beta: Floats, k: Clusters, fit: Fit) -> Clustering:
    """Return the clusters that each arm has by itself, in the numbers of the arm that counts most.

    The clusters of two arms are the same, one to one, if they share most of the centre's nodes; a node of the centre is
    where most of β has it, and so are the nodes of other kinds that hard must-links tie to it. How many of the centre's
    nodes an arm has there itself is told as its agreement. The constraints have to be closed, as a link of one arm may
    tie nodes of the centre in all of them.
    """
    centre, names = star.centre.kind, arm_names(star)
    order = np.argsort(-beta, kind="stable")[: np.count_nonzero(beta)].tolist()
    fits = {number: _of_arm(star, number, constraints, k, fit) for number in order}
    labels = {nodes.kind: np.full(len(nodes), UNPLACED, dtype=np.int64) for nodes in star.kinds}
    ballots = []
    for number, found in fits.items():
        numbers = matching_clusters(found.labels[centre], fits[order[0]].labels[centre])
        kind = star.arms[number].cols.kind
        labels[kind] = np.where(labels[kind] == UNPLACED, _rename(found.labels[kind], numbers), labels[kind])
        ballots.append(_rename(found.labels[centre], numbers))
    labels[centre] = vote(ballots, beta[order])
    tied = tied_sets(star, constraints)
    bound = tied[centre][labels[centre] != UNPLACED]
    for kind in labels.keys() - {centre}:
        labels[kind] = np.where(np.isin(tied[kind], bound), UNPLACED, labels[kind])  # and so led by the centre
    agreed = [float(np.mean(labels[centre][each != UNPLACED] == each[each != UNPLACED])) for each in ballots]
    return Clustering(
        renumber(place_leftover_nodes(star, set(range(len(beta))).difference(order), labels, tied)),
        (float(sum(beta[number] * (found.objective or 0.0) for number, found in fits.items())),),
        all(found.converged for found in fits.values()),
        figures={f"agreement of {names[number]}": share for number, share in zip(order, agreed, strict=True)},
    )


def _of_arm(star: Star, number: int, constraints: Constraints, k: Clusters, fit: Fit) -> Clustering:
    """Return the fit of one arm, with the links that it has."""
    arm = star.arms[number]
    kinds = (arm.rows.kind, arm.cols.kind)
    links = replace(
        constraints,
        within={kind: each for kind, each in constraints.within.items() if kind in kinds},
        across={pair: each for pair, each in constraints.across.items() if set(pair) == set(kinds)},
    )
    n_linked = min(int(np.count_nonzero(np.diff(arm.block.indptr))), len(np.unique(arm.block.indices)))
    own = {kind: k[kind] for kind in kinds} if isinstance(k, Mapping) else min(k, n_linked)
    return fit(Star((arm,)), own, links)


def _rename(labels: Ints, numbers: Ints) -> Ints:
    """Return labels under other numbers; clusters that the centre has no node of keep theirs."""
    known = np.append(numbers, np.arange(len(numbers), max(len(numbers), 1 + int(labels.max(initial=0)))))
    return np.where(labels == UNPLACED, UNPLACED, known[labels])


def matching_clusters(own: Ints, reference: Ints) -> Ints:
    """Return which cluster of a reference each cluster of the same nodes is, one to one by the nodes they share.

    >>> matching_clusters(np.array([1, 1, 0, 0]), np.array([0, 0, 1, UNPLACED])).tolist()
    [1, 0]
    """
    size = 1 + max(int(own.max(initial=0)), int(reference.max(initial=0)))
    return partners(shared_counts(own, reference, (size, size)))


def vote(ballots: Sequence[Ints], shares: Floats) -> Ints:
    """Return the cluster of each node that has most of the shares behind it; of equal ones the first.

    >>> vote([np.array([0, 1, -1]), np.array([1, 1, -1])], np.array([0.6, 0.4])).tolist()
    [0, 1, -1]
    """
    size = 1 + max(int(each.max(initial=0)) for each in ballots)
    votes = np.zeros((len(ballots[0]), size))
    for ballot, share in zip(ballots, shares, strict=True):
        cast = np.flatnonzero(ballot != UNPLACED)
        votes[cast, ballot[cast]] += share
    return np.where(votes.max(axis=1) > 0, votes.argmax(axis=1), UNPLACED)
