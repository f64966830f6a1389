"""Matrices of bonds that hold together like a tree, factorised exactly with hardly any fill."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu

from graphmine.linalg.bonds import Bonds

__all__ = ["factorised"]

Numbers = NDArray[np.float64]

_MOST_CYCLES = 1000
"""So many edges beyond a forest; the fill is at most about half their square."""

_LOST = 1e-14
"""A diagonal is made so much larger where what is free is so small beside its bonds that rounding has left nothing."""


def factorised(free: Numbers, bonds: Bonds) -> SuperLU | None:
    """Return a factorisation of diag(free + C 1) - C with a vertex more for each set; None where it could fill up.

    A set of m points bonded with itself by w is a star: a vertex of its own, joined to each of them by w m, which gives
    back all the pairs when it is eliminated. Conjugate gradients take a step for every point along a chain; this takes
    chains and trees, however long, in one.

    >>> pair = Bonds(csc_array(np.eye(2)).tocsr(), csc_array([[0.0, 1.0], [1.0, 0.0]]).tocsr())
    >>> lu = factorised(np.array([1.0, 0.0]), pair)
    >>> lu.solve(np.array([1.0, 0.0])).round(6).tolist()
    [1.0, 1.0]
    """
    edges = _edges(bonds)
    if edges is None:
        return None
    if _cycles(edges) > _MOST_CYCLES:
        return None
    diagonal = np.asarray(edges.sum(axis=1), dtype=np.float64).ravel()
    diagonal[: len(free)] += free
    try:
        return _factors(edges, diagonal)
    except RuntimeError:  # exactly singular
        return _factors(edges, (1 + _LOST) * diagonal)


def _factors(edges: coo_array, diagonal: Numbers) -> SuperLU:
    """Return a factorisation of a diagonal matrix less edges."""
    places = np.arange(len(diagonal))
    rows, cols = np.concatenate([edges.row, places]), np.concatenate([edges.col, places])
    matrix = csc_array((np.concatenate([-edges.data, diagonal]), (rows, cols)), shape=edges.shape)
    return splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def _edges(bonds: Bonds) -> coo_array | None:
    """Return the graph of pairs and stars, both directions of each edge; None where bonds are of another sort."""
    member, strength = bonds.incidence.tocoo(), bonds.strength.tocoo()
    n_points, n_units = bonds.incidence.shape
    sizes = np.bincount(member.col, minlength=n_units)
    loops, several = bonds.strength.diagonal(), sizes > 1
    stars = several & (loops != 0)
    in_star = stars[member.col]
    beside = strength.row != strength.col
    grouped = several[strength.row[beside]] | several[strength.col[beside]]
    if np.any(grouped) or np.any(loops[stars] < 0) or np.any(member.data[in_star] != 1.0):
        return None
    point, share = np.zeros(n_units, dtype=np.int64), np.zeros(n_units)
    single = ~several[member.col]
    point[member.col[single]], share[member.col[single]] = member.row[single], member.data[single]
    ends = point[strength.row[beside]], point[strength.col[beside]]
    weights = strength.data[beside] * share[strength.row[beside]] * share[strength.col[beside]]
    kept = (ends[0] != ends[1]) & (weights != 0)
    centre = n_points + (np.cumsum(stars) - 1)[member.col[in_star]]
    spokes = (loops * sizes)[member.col[in_star]]
    rows = np.concatenate([ends[0][kept], member.row[in_star], centre])
    cols = np.concatenate([ends[1][kept], centre, member.row[in_star]])
    size = n_points + int(np.count_nonzero(stars))
    return coo_array((np.concatenate([weights[kept], spokes, spokes]), (rows, cols)), shape=(size, size))


def _cycles(edges: coo_array) -> int:
    """Return how many edges would have to go to leave a forest."""
    graph = edges.tocsr()
    n_parts, _ = connected_components(graph, directed=False)
    return int(graph.nnz) // 2 - int(graph.shape[0]) + n_parts
