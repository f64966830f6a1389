"""The weight delta of links, chosen by how well fits with each weight predict links that are held out."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.checks import check_number
from graphmine.errors import ParameterError
from graphmine.methods.base import Method, generator
from graphmine.methods.selection.hidden_links import FEWEST, Hidden, hideable_nodes, links_met, without_hidden
from graphmine.model import Clustering, Constraints, Star
from graphmine.progress import Progress

__all__ = ["AUTO", "Delta", "checked_delta", "choose_delta"]

AUTO: Literal["auto"] = "auto"
Delta = float | Literal["auto"]

_GRID = (0.3, 1.0, 3.0, 10.0, 30.0)
_USUAL = 3.0
_HIDDEN = 0.2
_DRAWS = 3


class DeltaTrial(NamedTuple):
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


def choose_delta(
    method: Method, star: Star, constraints: Constraints, seed: int | None, progress: Progress
) -> Clustering:
    """Return the clustering with the weight of links, out of .3, 1, 3, 10 and 30, that meets hidden links best.

    A fifth of the nodes that have soft links, and no hard ones, are drawn by the seed. They lose all their links and
    leave their groups, and the method is fitted with each weight. The links they had are then looked at: the share of
    pairs that are as they should be, pairs counting as much as their links weigh, less the share that clusters of these
    sizes would meet by chance. That is done for three draws. The weight with the greatest difference is taken, of equal
    ones the smallest, and the fit made anew with all links. Where fewer than 25 nodes could be drawn from, the weight
    is 3 and nothing is tried. It costs sixteen fits instead of one. `Clustering.tried` has a record of each weight.
    """
    hidden = _hidden(star, constraints, generator(seed))
    trials = _trials(method, star, constraints, hidden, seed, progress) if hidden else ()
    best = max(trials, key=lambda trial: trial.gain).delta if trials else _USUAL
    found = replace(method, delta=best).fit(star, constraints, seed=seed, progress=progress)
    tried = tuple(trial.record(best) for trial in trials)
    return replace(found, tried=tried)


def _hidden(star: Star, constraints: Constraints, rng: np.random.Generator) -> Sequence[Hidden]:
    """Return, for each draw, a fifth of the nodes that have soft links alone; no draw where these are too few."""
    apt = hideable_nodes(star, constraints)
    if sum(map(len, apt.values())) < FEWEST:
        return []
    return [{nodes.kind: _fifth(apt[nodes.kind], len(nodes), rng) for nodes in star.kinds} for _ in range(_DRAWS)]


def _fifth(places: Ints, n_nodes: int, rng: np.random.Generator) -> Bools:
    drawn = np.zeros(n_nodes, dtype=np.bool_)
    drawn[rng.choice(places, round(_HIDDEN * len(places)), replace=False)] = True
    return drawn


def _trials(
    method: Method, star: Star, constraints: Constraints, hidden: Sequence[Hidden], seed: int | None, progress: Progress
) -> tuple[DeltaTrial, ...]:
    """Return how each weight meets the links of hidden nodes."""
    sums, shown, done = np.zeros((len(_GRID), 3)), [without_hidden(constraints, each) for each in hidden], 0
    for row, delta in zip(sums, _GRID, strict=True):
        for rest, each in zip(shown, hidden, strict=True):
            progress("weights of links", done, len(_GRID) * len(hidden))
            # The fit with all links warns for itself; without some, too few nodes may have a place.
            with warnings.catch_warnings(), suppress(ParameterError):
                warnings.simplefilter("ignore")
                row += links_met(constraints, replace(method, delta=delta).fit(star, rest, seed=seed).labels, each)
            done += 1
    progress("weights of links", done, done)
    shares = np.divide(sums[:, 1:], sums[:, :1], out=np.zeros((len(_GRID), 2)), where=sums[:, :1] > 0)
    return tuple(DeltaTrial(delta, *share) for delta, share in zip(_GRID, shares.tolist(), strict=True))
