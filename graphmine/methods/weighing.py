"""How much links should count, chosen without any truth: by links that are hidden for the time."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from graphmine.checks import check_number
from graphmine.errors import ParameterError
from graphmine.methods.base import Method, check_fits, generator
from graphmine.model import UNPLACED, Clustering, Constraints, Groups, Links, Star
from graphmine.progress import Progress

__all__ = ["AUTO", "Delta", "checked_delta", "weighed"]

AUTO: Literal["auto"] = "auto"
Delta = float | Literal["auto"]

_GRID = (0.3, 1.0, 3.0, 10.0, 30.0)
_USUAL = 3.0
_HIDDEN = 0.2
_DRAWS = 3
_FEWEST = 25
"""So many nodes must have soft links; fewer could not tell one weight from another."""

Truths = NDArray[np.bool_]
Numbers = NDArray[np.float64]
Hidden = Mapping[str, Truths]
"""Which nodes of each kind lose their links."""


class Trial(NamedTuple):
    """A weight, the share of hidden links that it met, and the share that chance would meet."""

    delta: float
    met: float
    chance: float

    @property
    def gain(self) -> float:
        """What it met beyond chance, without the digits that rounding makes."""
        return round(self.met - self.chance, 9)

    def record(self, chosen: float) -> dict[str, float]:
        """Return it by names."""
        shares = {"held out met": self.met, "by chance": self.chance}
        return {"delta": self.delta, **shares, "chosen": self.delta == chosen}


def checked_delta(delta: object) -> None:
    """Refuse what is neither a weight of links nor ``"auto"``.

    >>> checked_delta("much")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: delta must be a number from 1e-06 to 1e+06, or auto, was 'much'
    """
    if delta == AUTO:
        return
    try:
        check_number("delta", delta, least=1e-6, most=1e6)
    except ParameterError:
        raise ParameterError(f"delta must be a number from 1e-06 to 1e+06, or auto, was {delta!r}") from None


def weighed(method: Method, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
    """Return the clustering with the weight of links, out of .3, 1, 3, 10 and 30, that meets hidden links best.

    A fifth of the nodes that have soft links, and no hard ones, are drawn by the seed. They lose all their links and
    leave their groups, and the method is fitted with each weight. The links they had are then looked at: the share of
    pairs that are as they should be, pairs counting as much as their links weigh, less the share that clusters of these
    sizes would meet by chance. That is done for three draws. The weight with the greatest difference is taken, of equal
    ones the smallest, and the fit made anew with all links. Where fewer than 25 nodes could be drawn from, the weight
    is 3 and nothing is tried. It costs sixteen fits instead of one. `Clustering.tried` has a record of each weight.
    """
    started = perf_counter()
    check_fits(method, star, constraints)
    hidden = _hidden(star, constraints, generator(seed))
    trials = _trials(method, star, constraints, hidden, seed, progress) if hidden else ()
    best = max(trials, key=lambda trial: trial.gain).delta if trials else _USUAL
    found = replace(method, delta=best).fit(star, constraints, seed=seed, progress=progress)
    tried = tuple(trial.record(best) for trial in trials)
    return replace(found, tried=tried, seconds=perf_counter() - started)


def _hidden(star: Star, constraints: Constraints, rng: np.random.Generator) -> Sequence[Hidden]:
    """Return, for each draw, a fifth of the nodes that have soft links alone; no draw where these are too few."""
    soft, hard = constraints.select(lambda links: ~links.hard), constraints.select(lambda links: links.hard)
    apt = {
        nodes.kind: np.flatnonzero(soft.touched(nodes.kind, len(nodes)) & ~hard.touched(nodes.kind, len(nodes)))
        for nodes in star.kinds
    }
    if sum(map(len, apt.values())) < _FEWEST:
        return []
    return [{nodes.kind: _fifth(apt[nodes.kind], len(nodes), rng) for nodes in star.kinds} for _ in range(_DRAWS)]


def _fifth(places: NDArray[np.int64], n_nodes: int, rng: np.random.Generator) -> Truths:
    drawn = np.zeros(n_nodes, dtype=np.bool_)
    drawn[rng.choice(places, round(_HIDDEN * len(places)), replace=False)] = True
    return drawn


def _trials(
    method: Method, star: Star, constraints: Constraints, hidden: Sequence[Hidden], seed: int | None, progress: Progress
) -> tuple[Trial, ...]:
    """Return how each weight meets the links of hidden nodes."""
    sums, shown, done = np.zeros((len(_GRID), 3)), [_without(constraints, each) for each in hidden], 0
    for row, delta in zip(sums, _GRID, strict=True):
        for rest, each in zip(shown, hidden, strict=True):
            progress("weights of links", done, len(_GRID) * len(hidden))
            # The fit with all links warns for itself; without some, too few nodes may have a place.
            with warnings.catch_warnings(), suppress(ParameterError):
                warnings.simplefilter("ignore")
                row += _met(constraints, replace(method, delta=delta).fit(star, rest, seed=seed).labels, each)
            done += 1
    progress("weights of links", done, done)
    shares = np.divide(sums[:, 1:], sums[:, :1], out=np.zeros((len(_GRID), 2)), where=sums[:, :1] > 0)
    return tuple(Trial(delta, *share) for delta, share in zip(_GRID, shares.tolist(), strict=True))


def _without(constraints: Constraints, hidden: Hidden) -> Constraints:
    """Return the links without the soft ones of hidden nodes."""
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


def _met(constraints: Constraints, labels: Mapping[str, NDArray[np.int64]], hidden: Hidden) -> Numbers:
    """Return the weight of pairs with a hidden node, of those that are as they should be, and of those by chance."""
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
