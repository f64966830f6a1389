"""Labels of nodes whose only relationships are in arms with a share of 0: those of most of their neighbours."""

from collections.abc import Collection, Mapping

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.methods.labels import renumber
from graphmine.methods.spectral.ties import spread_over_ties
from graphmine.model import UNPLACED, Star

__all__ = ["place_leftover_nodes"]


def place_leftover_nodes(
    star: Star, idle: Collection[int], labels: Mapping[str, Ints], tied: Mapping[str, Ints]
) -> dict[str, Ints]:
    """Return labels in which the nodes of idle arms go to the cluster that most of their relationships lead to.

    First the nodes of their kinds that have none, then what is left of the centre. What hard must-links tie together
    goes where one of them is already, or else where most of the relationships of all of them lead. Of equal clusters
    the first wins.

    >>> from graphmine import gallery
    >>> star, truth = gallery.islands()
    >>> nowhere, alone = {**truth, "Venue": np.full(9, UNPLACED)}, {"Author": np.arange(13), "Venue": np.arange(13, 22)}
    >>> place_leftover_nodes(star, [0], nowhere, alone)["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    >>> five = {**alone, "Venue": np.array([13, 13, 13, 13, 13, 18, 19, 20, 21])}
    >>> place_leftover_nodes(star, [0], nowhere, five)["Venue"].tolist()
    [0, 0, 0, 0, 0, 1, 1, 2, 2]
    """
    found = spread_over_ties(labels, tied)
    if not idle:
        return found
    for arm in (star.arms[number] for number in sorted(idle)):
        centre, kind = arm.rows.kind, arm.cols.kind
        for block, leaders, followers in ((csr_array(arm.block.T), centre, kind), (arm.block, kind, centre)):
            _follow(block, found[leaders], found[followers], tied[followers])
            found = spread_over_ties(found, tied)
    return renumber(found)


def _follow(block: csr_array, leaders: Ints, followers: Ints, tied: Ints) -> None:
    """Give the rows that have no cluster the one that most of the weight of their set is in."""
    weight = _votes(block, leaders)
    _, sets = np.unique(tied, return_inverse=True)
    members = csr_array((np.ones(len(sets)), (sets, np.arange(len(sets)))), shape=(sets.max(initial=0) + 1, len(sets)))
    weight = np.asarray(members @ weight)[sets]
    open_ = (followers == UNPLACED) & (weight.max(axis=1, initial=0.0) > 0)
    followers[open_] = weight[open_].argmax(axis=1)


def _votes(block: csr_array, labels: Ints) -> Floats:
    """Return how much weight each row has in each cluster of the columns."""
    placed = np.flatnonzero(labels != UNPLACED)
    clusters = csr_array(
        (np.ones(len(placed)), (placed, labels[placed])), shape=(len(labels), 1 + int(labels.max(initial=0)))
    )
    votes: Floats = (block @ clusters).toarray()
    return votes
