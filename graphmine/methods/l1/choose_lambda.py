"""The weight of links that L1 takes, chosen by cross-validation: by how well each predicts links that are held out."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats
from graphmine.methods.l1.unlinked_nodes import Steady
from graphmine.methods.labels import align_labels
from graphmine.methods.selection.hidden_links import FEWEST, Hidden, hideable_nodes, links_predicted, without_hidden
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["CAUTIOUS", "GRID", "USUAL", "CrossValidation", "Prediction", "cross_validate", "hidden_parts"]


USUAL = 0.1
"""The λ that is taken where nothing else is told."""

CAUTIOUS = 0.01
"""The λ that is taken where one is to be chosen, and too few nodes have links to choose it by: it nudges the cut.

Other nodes stay where they are then. With labels of 10 or 20 of 400 or 300 planted nodes, 0, 10 or 30% of them wrong,
.01 brought them .001 of NMI on average over 216 networks, and lost .113 in the worst of them.
"""

GRID = (0.0, CAUTIOUS, 0.03, USUAL, 0.3, 1.0, 3.0)
"""The weights that are tried; the first shows what there is without links."""

_PARTS = 10
"""The nodes with links are dealt into so many parts, each of which is hidden once."""

Fits = Callable[[Constraints, Sequence[float]], list[Clustering]]
"""Gives the fits with some links, for one weight of them after another."""


class Prediction(NamedTuple):
    """What fits without some links say of these, a row a weight and a column a part that was hidden.

    Parameters
    ----------
    gains
        The share of hidden links that are met, less the share that chance would meet.
    shares
        The share that is met, over all parts.
    """

    gains: Floats
    shares: Floats

    @property
    def best(self) -> float:
        """The weight to take: none, which leaves the cut of the graph alone, unless others surely predict better.

        Better is a mean gain above 0, and above that of the graph alone, by two standard errors over the parts. Of such
        weights the smallest is taken that is no more than one standard error behind the best of them. Where the graph
        alone meets fewer links than chance would, by two standard errors, it contradicts them as a whole, and weights
        that merely break it up would seem better.

        >>> dealt = np.tile([0.1, 0.2], (7, 1))
        >>> Prediction(dealt, np.zeros(7)).best
        0.0
        >>> dealt[3:5] += [[0.1, 0.12], [0.11, 0.11]]
        >>> Prediction(dealt, np.zeros(7)).best
        0.1
        """
        gains, alone = self.gains, self.gains[0]
        better = (_lower_bound(gains) > 0) & (_lower_bound(gains - alone) > 0)
        if not better.any() or _lower_bound(-gains)[0] > 0:
            return GRID[0]
        leader = int(np.argmax(np.where(better, gains.mean(axis=1), -np.inf)))
        near = _lower_bound(gains[leader] - gains, 1.0) <= 0
        return GRID[int(np.argmax(better & near))]


class CrossValidation(NamedTuple):
    """What fits without some links tell.

    Parameters
    ----------
    prediction
        How well each weight of the grid predicts hidden links; None where too few nodes have soft links.
    steady
        For each weight the nodes that all these fits place as the one with all links does; none without a prediction.
    """

    prediction: Prediction | None
    steady: Sequence[Steady]


def hidden_parts(star: Star, constraints: Constraints, rng: np.random.Generator) -> list[Hidden]:
    """Return ten parts of the nodes that have soft links and no hard ones; no part where they are too few."""
    apt = hideable_nodes(star, constraints)
    if sum(map(len, apt.values())) < FEWEST:
        return []
    part = {kind: rng.permutation(np.arange(len(places)) % _PARTS) for kind, places in apt.items()}
    hidden: list[Hidden] = []
    for number in range(_PARTS):
        masks = {nodes.kind: np.zeros(len(nodes), dtype=np.bool_) for nodes in star.kinds}
        for kind, places in apt.items():
            masks[kind][places[part[kind] == number]] = True
        hidden.append(masks)
    return hidden


def cross_validate(
    constraints: Constraints, hidden: Sequence[Hidden], whole: Sequence[Clustering], fits: Fits, progress: Progress
) -> CrossValidation:
    """Return what comes of hiding some links after others, with each weight of the grid.

    Nodes of a part lose all their links and leave their groups, and it is fitted with each weight. The links they had
    are then looked at by `graphmine.methods.selection.hidden_links.links_predicted`: it shows what links are worth to
    nodes that have none.

    Parameters
    ----------
    constraints
        All links.
    hidden
        The parts, as `hidden_parts` gives them.
    whole
        The fits with all links, one a weight.
    fits
        Makes the others.
    """
    sums = np.zeros((len(GRID), len(hidden), 3))
    steady = [{kind: np.ones(len(each), dtype=np.bool_) for kind, each in fit.labels.items()} for fit in whole]
    for number, part in enumerate(hidden):
        progress("hidden links", number, len(hidden))
        for place, found in enumerate(fits(without_hidden(constraints, part), GRID)):
            sums[place, number] = links_predicted(constraints, found.labels, part)
            for kind, each in align_labels(found.labels, whole[place].labels).items():
                steady[place][kind] &= each == whole[place].labels[kind]
    progress("hidden links", len(hidden), len(hidden))
    told = sums[0, :, 0] > 0  # in a part whose links have no place nothing can be met
    if np.count_nonzero(told) < 2:
        return CrossValidation(None, [{kind: np.zeros_like(each) for kind, each in nodes.items()} for nodes in steady])
    known, right, lucky = np.moveaxis(sums[:, told], 2, 0)
    return CrossValidation(Prediction((right - lucky) / known, right.sum(axis=1) / known.sum(axis=1)), steady)


def _lower_bound(gains: Floats, errors: float = 2.0) -> Floats:
    """Return the mean of each row less so many of its standard errors."""
    surely: Floats = gains.mean(axis=1) - errors * gains.std(axis=1, ddof=1) / np.sqrt(gains.shape[1])
    return surely
