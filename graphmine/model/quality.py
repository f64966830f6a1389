"""How well a clustering fits its star, as a value that a result and the record of a run hold."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Quality"]


@dataclass(frozen=True)
class Quality:
    """How good a clustering is by its star alone; `graphmine.metrics.quality` measures it.

    Parameters
    ----------
    cut, modularity
        The normalised cut and Barber's modularity of the whole star; None where it has no weight at all.
    balance
        For each kind the size of its smallest cluster over that of its largest: 1 if all are even, 0 if one is empty.
    unplaced
        For each kind how many of its nodes have no cluster.
    """

    cut: float | None
    modularity: float | None
    balance: Mapping[str, float]
    unplaced: Mapping[str, int]
