"""Links that are hidden for the time, to see whether a fit without them finds out what they say."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from graphmine.model import UNPLACED, Constraints, Groups, Links, Star

__all__ = ["FEWEST", "Hidden", "hideable", "met", "without"]

Truths = NDArray[np.bool_]
Numbers = NDArray[np.float64]
Hidden = Mapping[str, Truths]
"""Which nodes of each kind lose their links."""

FEWEST = 25
"""So many nodes must have soft links; fewer could not tell one weight of links from another."""


def hideable(star: Star, constraints: Constraints) -> dict[str, NDArray[np.int64]]:
    """Return the nodes of each kind that have soft links and no hard ones.

    >>> from graphmine.gallery import islands
    >>> known = Constraints({"Author": Links.of_pairs([[0, 1]]) + Links.of_pairs([[1, 2]], hard=True)})
    >>> hideable(islands()[0], known)["Author"].tolist()
    [0]
    """
    soft, hard = constraints.select(lambda links: ~links.hard), constraints.select(lambda links: links.hard)
    return {
        nodes.kind: np.flatnonzero(soft.touched(nodes.kind, len(nodes)) & ~hard.touched(nodes.kind, len(nodes)))
        for nodes in star.kinds
    }


def without(constraints: Constraints, hidden: Hidden) -> Constraints:
    """Return the links without the soft ones of hidden nodes; these leave their groups.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]])})
    >>> without(known, {"Author": np.array([True, False, False])}).within["Author"].left.tolist()
    [1]
    """
    return replace(
        constraints,
        within={kind: _shown(links, hidden[kind], hidden[kind]) for kind, links in constraints.within.items()},
        across={kinds: _shown(links, *(hidden[kind] for kind in kinds)) for kinds, links in constraints.across.items()},
    )


def _shown(links: Links, left: Truths, right: Truths) -> Links:
    soft = links.only(~links.hard)
    named = [(units >= 0) & gone[np.maximum(units, 0)] for units, gone in ((soft.left, left), (soft.right, right))]
    others = None if soft.others is None else _thinned(soft.others, right)
    kept = replace(soft.only(~(named[0] | named[1])), groups=_thinned(soft.groups, left), others=others)
    return links.only(links.hard) + kept


def _thinned(groups: Groups, gone: Truths) -> Groups:
    """Return groups without some of their members."""
    stay = ~gone[groups.members]
    counts = np.concatenate([[0], np.cumsum(stay)])
    return Groups(counts[groups.starts].astype(np.int64), groups.members[stay])


def met(constraints: Constraints, labels: Mapping[str, NDArray[np.int64]], hidden: Hidden) -> Numbers:
    """Return the weight of pairs with a hidden node, of those that are as they should be, and of those by chance.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]])})
    >>> met(known, {"Author": np.array([0, 0, 1])}, {"Author": np.array([True, False, False])}).round(3).tolist()
    [1.0, 1.0, 0.556]
    """
    sums = np.zeros(3)
    for (first, second), links in constraints.items():
        soft = links.only(~links.hard)
        sides = [_by_label(labels[kind]) for kind in (first, second)]
        shown = [_by_label(np.where(hidden[kind], UNPLACED, labels[kind])) for kind in (first, second)]
        known, equal = _pairs(soft, *sides) - _pairs(soft, *shown)
        luck = known * _chance(labels[first], labels[second])
        right, lucky = (np.where(soft.must, each, known - each) for each in (equal, luck))
        sums += [float(soft.weight @ each) for each in (known, right, lucky)]
    return sums


def _by_label(labels: NDArray[np.int64]) -> csr_array:
    """Return a row a node with a 1 at its label, and none where it is unplaced."""
    placed = np.flatnonzero(labels != UNPLACED)
    width = 1 + int(labels.max(initial=0))
    return csr_array((np.ones(len(placed)), (placed, labels[placed])), shape=(len(labels), width))


def _pairs(links: Links, left: csr_array, right: csr_array) -> Numbers:
    """Return for each link how many placed pairs it stands for, and how many of these share a label."""
    width = max(left.shape[1], right.shape[1])
    ones, others = (
        _counts(units, groups, _widened(side, width))
        for units, groups, side in ((links.left, links.groups, left), (links.right, links.right_groups, right))
    )
    sizes = np.asarray(ones.sum(axis=1)), np.asarray(others.sum(axis=1))
    known, equal = sizes[0] * sizes[1], np.asarray(ones.multiply(others).sum(axis=1))
    if links.others is None:
        loops = links.left == links.right
        known, equal = (np.where(loops, (each - sizes[0]) / 2, each) for each in (known, equal))
    return np.stack([known, equal])


def _counts(units: NDArray[np.int64], groups: Groups, by_label: csr_array) -> csr_array:
    """Return how many nodes of each label each unit has."""
    n_nodes = by_label.shape[0]
    members = csr_array((np.ones(len(groups.members)), groups.members, groups.starts), shape=(len(groups), n_nodes))
    table = csr_array(vstack([by_label, members @ by_label], format="csr"))
    return csr_array(table[np.where(units >= 0, units, n_nodes - 1 - units)])


def _widened(by_label: csr_array, width: int) -> csr_array:
    return csr_array((by_label.data, by_label.indices, by_label.indptr), shape=(by_label.shape[0], width))


def _chance(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return how probable it is that a node of the one kind and a node of the other share a label."""
    width = 1 + max(int(one.max(initial=0)), int(other.max(initial=0)))
    shares = [np.bincount(each[each != UNPLACED], minlength=width) for each in (one, other)]
    return float(shares[0] @ shares[1] / max(shares[0].sum() * shares[1].sum(), 1))
