"""Nodes that have to share a cluster: at one point, and under one label."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

__all__ = ["firsts_of", "pooled"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


def pooled(points: Numbers, tied: Integers, weights: Numbers) -> Numbers:
    """Return the points with those of one set at their mean, weighted; evenly where no weight is above 0.

    >>> pooled(np.array([[0.0], [4.0], [9.0]]), np.array([5, 5, 7]), np.array([3.0, 1.0, 1.0])).ravel().tolist()
    [1.0, 1.0, 9.0]
    """
    several = np.flatnonzero((np.bincount(tied) > 1)[tied])
    if not len(several):
        return points
    names, sets = np.unique(tied[several], return_inverse=True)
    weight = weights[several]
    totals = np.bincount(sets, weight, len(names))
    weight = np.where(totals[sets] > 0, weight / np.where(totals > 0, totals, 1)[sets], 1 / np.bincount(sets)[sets])
    shares = csr_array((weight, (sets, np.arange(len(several)))), shape=(len(names), len(several)))
    moved, means = points.copy(), np.asarray(shares @ points[several])
    moved[several] = means[sets]
    return moved


def firsts_of(tied: Integers) -> Integers:
    """Return where the first point of each point's set stands.

    >>> firsts_of(np.array([5, 7, 5])).tolist()
    [0, 1, 0]
    """
    _, first, sets = np.unique(tied, return_index=True, return_inverse=True)
    firsts: Integers = first[sets]
    return firsts
