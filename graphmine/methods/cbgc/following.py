"""Clusters of nodes that only arms have which do not count."""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.methods.numbering import renumbered
from graphmine.model import UNPLACED, Star

__all__ = ["followed"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


def followed(star: Star, idle: Collection[int], labels: Mapping[str, Integers]) -> dict[str, Integers]:
    """Return labels in which the nodes of idle arms go to the cluster that most of their relationships lead to.

    First the nodes of their kinds that have none, then what is left of the centre. Of equal clusters the first wins.

    >>> from graphmine import gallery
    >>> star, truth = gallery.islands()
    >>> nowhere = {**truth, "Venue": np.full(9, UNPLACED)}
    >>> followed(star, [0], nowhere)["Venue"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2]
    """
    if not idle:
        return dict(labels)
    found = {kind: own.copy() for kind, own in labels.items()}
    for arm in (star.arms[number] for number in sorted(idle)):
        centre, own = found[arm.rows.kind], found[arm.cols.kind]
        _led(csr_array(arm.block.T), centre, own)
        _led(arm.block, own, centre)
    return renumbered(found)


def _led(block: csr_array, leaders: Integers, followers: Integers) -> None:
    """Give the rows that have no cluster the one that most of their weight is in."""
    weight = _votes(block, leaders)
    open_ = (followers == UNPLACED) & (weight.max(axis=1, initial=0.0) > 0)
    followers[open_] = weight[open_].argmax(axis=1)


def _votes(block: csr_array, labels: Integers) -> Numbers:
    """Return how much weight each row has in each cluster of the columns."""
    placed = np.flatnonzero(labels != UNPLACED)
    clusters = csr_array(
        (np.ones(len(placed)), (placed, labels[placed])), shape=(len(labels), 1 + int(labels.max(initial=0)))
    )
    votes: Numbers = (block @ clusters).toarray()
    return votes
