"""Nodes without links: they keep the clusters of the graph alone, unless links elsewhere surely move them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from graphmine.arrays import Bools
from graphmine.methods.labels import align_labels, renumber
from graphmine.methods.selection.hidden_links import Hidden, without_hidden
from graphmine.model import Clustering, Constraints

__all__ = ["Steady", "confirm_by_halves", "hold_unlinked"]

Steady = Mapping[str, Bools]
"""The nodes of each kind whose place does not depend on any tenth of the links."""

_FEWEST = 12
"""Of a kind at least so many nodes without links move, or none.

If each of m moves is right with probability ¾, which is what steady ones were on planted networks, m / 2 nodes more are
in place afterwards, give or take .87 √m: twelve are the fewest for which none is two such deviations away.
"""


def confirm_by_halves(
    constraints: Constraints,
    hidden: Sequence[Hidden],
    found: Clustering,
    steady: Steady,
    fit: Callable[[Constraints], Clustering],
) -> Steady:
    """Return which steady nodes stay so without half of the nodes in groups, either half.

    Nine tenths of a group say the same as all of it, be they right or wrong, so that to be steady without any tenth
    tells little. On 450 planted networks with 40 to 200 labels, of which none to two fifths were wrong, three lost more
    than .02 of NMI on nodes without labels, and none where both halves had to agree, which left two thirds of the gain.
    Links of two nodes say something of their own each, and need no more than tenths: there halves take three quarters
    of what they bring.

    Parameters
    ----------
    hidden
        The parts, as `graphmine.methods.l1.choose_lambda.hidden_parts` gives them, of which every other one is a half.
    found
        The fit that nodes are as steady as in.
    fit
        Makes others of the same weight.
    """
    in_groups = any(np.any(((links.left < 0) | (links.right < 0)) & ~links.hard) for links in constraints.values())
    if not (hidden and in_groups):
        return steady
    for number in (0, 1):
        half = {kind: np.any([part[kind] for part in hidden[number::2]], axis=0) for kind in steady}
        other = align_labels(fit(without_hidden(constraints, half)).labels, found.labels)
        steady = {kind: each & (other[kind] == found.labels[kind]) for kind, each in steady.items()}
    return steady


def hold_unlinked(constraints: Constraints, alone: Clustering, found: Clustering, steady: Steady) -> Clustering:
    """Return a fit whose nodes without links are where the graph alone has them, unless they surely move.

    Links of some nodes shift where others are put, and faint graphs have many nodes that lie between two clusters: what
    these gain in one network, they lose in the next. A node without links moves if it is steady, and if enough others
    of its kind do so too. Where the graph alone has another number of clusters, there is no place to stay at, and the
    fit is left as it is.

    Parameters
    ----------
    constraints
        The links.
    alone, found
        The fit without links, and the one with them.
    steady
        Which nodes every fit without a tenth of the links places as ``found`` does; none where links are too few.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> known = Constraints({"Author": Links.of_pairs([[0, 1]])})
    >>> here, there = (Clustering({"Author": np.array(each)}) for each in ([0, 1, 0, 0, 1], [0, 0, 0, 1, 1]))
    >>> fit = hold_unlinked(known, here, there, {"Author": np.ones(5, dtype=bool)})
    >>> fit.labels["Author"].tolist(), fit.figures["nodes held"]  # one that moves is not enough
    ([0, 0, 0, 0, 1], 1)
    """
    if alone.n_clusters != found.n_clusters:
        return found
    before, labels, n_held = align_labels(alone.labels, found.labels), {}, 0
    for kind, now in found.labels.items():
        moved = (now != before[kind]) & ~constraints.touched(kind, len(now))
        surely = moved & steady[kind]
        stay = moved & ~surely if np.count_nonzero(surely) >= _FEWEST else moved
        labels[kind] = np.where(stay, before[kind], now)
        n_held += int(np.count_nonzero(stay))
    return replace(found, labels=renumber(labels), figures={**found.figures, "nodes held": n_held})
