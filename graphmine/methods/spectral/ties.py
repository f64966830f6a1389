"""Nodes that hard must-links tie: they share one point in an embedding, and one label."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Ints
from graphmine.methods.spectral.links import link_matrices
from graphmine.model import UNPLACED, Constraints, Star

__all__ = ["first_of_sets", "pool_points", "spread_over_ties", "tied_sets"]


def pool_points(points: Floats, tied: Ints, weights: Floats) -> Floats:
    """Return the points with those of one set at their mean, weighted; evenly where no weight is above 0.

    >>> pool_points(np.array([[0.0], [4.0], [9.0]]), np.array([5, 5, 7]), np.array([3.0, 1.0, 1.0])).ravel().tolist()
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


def first_of_sets(tied: Ints) -> Ints:
    """Return where the first point of each point's set stands.

    >>> first_of_sets(np.array([5, 7, 5])).tolist()
    [0, 1, 0]
    """
    _, first, sets = np.unique(tied, return_index=True, return_inverse=True)
    firsts: Ints = first[sets]
    return firsts


def tied_sets(star: Star, constraints: Constraints) -> dict[str, Ints]:
    """Return for every node of each kind the set that hard must-links tie it to; sets may be of several kinds.

    >>> from graphmine.gallery import islands
    >>> from graphmine.model import Links
    >>> links = Links.of_pairs([[1, 0]], hard=True, across=True)
    >>> tied = tied_sets(islands()[0], Constraints(across={("Author", "Venue"): links}))
    >>> bool(tied["Author"][1] == tied["Venue"][0]), bool(tied["Author"][0] == tied["Venue"][0])
    (True, False)
    """
    ends = np.cumsum([len(nodes) for nodes in star.kinds])
    sets = link_matrices(constraints, star.kinds, 1.0, 1.0).tied(np.arange(ends[-1]))
    return {nodes.kind: own for nodes, own in zip(star.kinds, np.split(sets, ends[:-1]), strict=True)}


def spread_over_ties(labels: Mapping[str, Ints], tied: Mapping[str, Ints]) -> dict[str, Ints]:
    """Return labels in which a node without one has that of the set it is tied to.

    >>> spread_over_ties({"Term": np.array([UNPLACED, 1, UNPLACED])}, {"Term": np.array([4, 4, 5])})["Term"].tolist()
    [1, 1, -1]
    """
    label_of = np.full(1 + max(int(own.max(initial=0)) for own in tied.values()), UNPLACED, dtype=np.int64)
    for kind, own in labels.items():
        label_of[tied[kind][own != UNPLACED]] = own[own != UNPLACED]
    return {kind: np.where(own == UNPLACED, label_of[tied[kind]], own) for kind, own in labels.items()}
