"""Links that are held out, to measure how well a fit without them predicts them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from graphmine.arrays import Bools, Floats, Ints
from graphmine.model import UNPLACED, Constraints, Groups, Links, Star

__all__ = ["FEWEST", "Hidden", "hideable_nodes", "links_met", "links_predicted", "without_hidden"]

Hidden = Mapping[str, Bools]
"""Which nodes of each kind lose their links."""

FEWEST = 25
"""So many nodes must have soft links; fewer could not tell one weight of links from another."""


def hideable_nodes(star: Star, constraints: Constraints) -> dict[str, Ints]:
    """Return the nodes of each kind that have soft links and no hard ones.

    >>> from graphmine.gallery import islands
    >>> known = Constraints({"Author": Links.of_pairs([[0, 1]]) + Links.of_pairs([[1, 2]], hard=True)})
    >>> hideable_nodes(islands()[0], known)["Author"].tolist()
    [0]
    """
    soft, hard = constraints.select(lambda links: ~links.hard), constraints.select(lambda links: links.hard)
    return {
        nodes.kind: np.flatnonzero(soft.touched(nodes.kind, len(nodes)) & ~hard.touched(nodes.kind, len(nodes)))
        for nodes in star.kinds
    }


def without_hidden(constraints: Constraints, hidden: Hidden) -> Constraints:
    """Return the links without the soft ones of hidden nodes; these leave their groups.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]])})
    >>> without_hidden(known, {"Author": np.array([True, False, False])}).within["Author"].left.tolist()
    [1]
    """
    return replace(
        constraints,
        within={kind: _keep_links(links, hidden[kind], hidden[kind]) for kind, links in constraints.within.items()},
        across={
            kinds: _keep_links(links, *(hidden[kind] for kind in kinds)) for kinds, links in constraints.across.items()
        },
    )


def _keep_links(links: Links, left: Bools, right: Bools) -> Links:
    soft = links.only(~links.hard)
    named = [(units >= 0) & gone[np.maximum(units, 0)] for units, gone in ((soft.left, left), (soft.right, right))]
    others = None if soft.others is None else _drop_members(soft.others, right)
    kept = replace(soft.only(~(named[0] | named[1])), groups=_drop_members(soft.groups, left), others=others)
    return links.only(links.hard) + kept


def _drop_members(groups: Groups, gone: Bools) -> Groups:
    """Return groups without some of their members."""
    stay = ~gone[groups.members]
    counts = np.concatenate([[0], np.cumsum(stay)])
    return Groups(counts[groups.starts].astype(np.int64), groups.members[stay])


def links_met(constraints: Constraints, labels: Mapping[str, Ints], hidden: Hidden) -> Floats:
    """Return the weight of pairs with a hidden node, of those that are as they should be, and of those by chance.

    >>> known = Constraints({"Author": Links.of_pairs([[0, 1], [1, 2]])})
    >>> links_met(known, {"Author": np.array([0, 0, 1])}, {"Author": np.array([True, False, False])}).round(3).tolist()
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


def links_predicted(constraints: Constraints, labels: Mapping[str, Ints], hidden: Hidden) -> Floats:
    """Return how much links say of hidden nodes, how much of that is so, and how much would be by chance.

    A link of two nodes says that they share a cluster, or do not, as in `links_met`. One of groups says of each hidden
    member that it is, or is not, where most of the others are, or most of the other group. Its pairs with single
    members would speak for whatever keeps a group together: what is wrongly said to be of it would be wrong about the
    hidden node too, and such pairs are met more often the more such members are made to follow.

    >>> from graphmine.model import Groups
    >>> known = Constraints({"Author": Links.tying(Groups.of([range(5)]))})
    >>> labels = {"Author": np.array([0, 1, 0, 0, 1])}
    >>> links_predicted(known, labels, {"Author": np.array([True, True, False, False, False])}).round(1).tolist()
    [2.0, 1.0, 1.2]
    """
    sums = links_met(constraints.select(lambda links: ~_of_groups(links)), labels, hidden)
    for (first, second), links in constraints.items():
        some = links.only(_of_groups(links) & ~links.hard)
        one, other = (_Side(labels[kind], hidden[kind]) for kind in (first, second))
        once = (some.left != some.right) | (some.others is not None)  # of itself a group says the same both ways
        left, right = (some.left, some.groups), (some.right, some.right_groups)
        sums += _said(some, one.gone(*left), other.there(*right), one.sizes)
        sums += _said(some, other.gone(*right) * once[:, None], one.there(*left), other.sizes)
    return sums


def _of_groups(links: Links) -> Bools:
    """Return which links say of nodes where a group is: all that have one, but those whose members exclude another."""
    apart: Bools = (links.left == links.right) & ~links.must if links.others is None else np.zeros_like(links.must)
    return ((links.left < 0) | (links.right < 0)) & ~apart


class _Side(NamedTuple):
    """The labels of one side of links, and which of its nodes are hidden."""

    labels: Ints
    hidden: Bools

    @property
    def sizes(self) -> Ints:
        return np.bincount(self.labels[self.labels != UNPLACED])

    def gone(self, units: Ints, groups: Groups) -> Floats:
        """Return how many hidden nodes of each label each unit has."""
        return _counts(units, groups, _by_label(np.where(self.hidden, self.labels, UNPLACED))).toarray()

    def there(self, units: Ints, groups: Groups) -> Floats:
        """Return how many nodes of each label that are not hidden each unit has."""
        return _counts(units, groups, _by_label(np.where(self.hidden, UNPLACED, self.labels))).toarray()


def _said(links: Links, gone: Floats, there: Floats, sizes: Ints) -> Floats:
    """Return the weight of what links say of hidden nodes, of what is so, and of what would be so by chance.

    Parameters
    ----------
    gone, there
        For each link how many nodes of each label its one side has that are hidden, and its other side that are not.
    sizes
        How many nodes of each label there are of the kind that the hidden ones are of.
    """
    width = max(gone.shape[1], there.shape[1], len(sizes), 1)
    gone, there = (np.pad(each, ((0, 0), (0, width - each.shape[1]))) for each in (gone, there))
    place = there.argmax(axis=1)  # where most of the other side is
    known = np.where(there.any(axis=1), gone.sum(axis=1), 0.0)
    equal = np.where(known > 0, gone[np.arange(len(links)), place], 0.0)
    luck = known * np.pad(sizes, (0, width - len(sizes)))[place] / max(int(sizes.sum()), 1)
    right, lucky = (np.where(links.must, each, known - each) for each in (equal, luck))
    return np.array([float(links.weight @ each) for each in (known, right, lucky)])


def _by_label(labels: Ints) -> csr_array:
    """Return a row for each node with a 1 at its label, and none where it is unplaced."""
    placed = np.flatnonzero(labels != UNPLACED)
    width = 1 + int(labels.max(initial=0))
    return csr_array((np.ones(len(placed)), (placed, labels[placed])), shape=(len(labels), width))


def _pairs(links: Links, left: csr_array, right: csr_array) -> Floats:
    """Return for each link how many placed pairs it stands for, and how many of these share a label."""
    width = max(left.shape[1], right.shape[1])
    ones, others = (
        _counts(units, groups, _widen(side, width))
        for units, groups, side in ((links.left, links.groups, left), (links.right, links.right_groups, right))
    )
    sizes = np.asarray(ones.sum(axis=1)), np.asarray(others.sum(axis=1))
    known, equal = sizes[0] * sizes[1], np.asarray(ones.multiply(others).sum(axis=1))
    if links.others is None:
        loops = links.left == links.right
        known, equal = (np.where(loops, (each - sizes[0]) / 2, each) for each in (known, equal))
    return np.stack([known, equal])


def _counts(units: Ints, groups: Groups, by_label: csr_array) -> csr_array:
    """Return how many nodes of each label each unit has."""
    n_nodes = by_label.shape[0]
    members = csr_array((np.ones(len(groups.members)), groups.members, groups.starts), shape=(len(groups), n_nodes))
    table = csr_array(vstack([by_label, members @ by_label], format="csr"))
    return csr_array(table[np.where(units >= 0, units, n_nodes - 1 - units)])


def _widen(by_label: csr_array, width: int) -> csr_array:
    return csr_array((by_label.data, by_label.indices, by_label.indptr), shape=(by_label.shape[0], width))


def _chance(one: Ints, other: Ints) -> float:
    """Return how probable it is that a node of the one kind and a node of the other share a label."""
    width = 1 + max(int(one.max(initial=0)), int(other.max(initial=0)))
    shares = [np.bincount(each[each != UNPLACED], minlength=width) for each in (one, other)]
    return float(shares[0] @ shares[1] / max(shares[0].sum() * shares[1].sum(), 1))
