"""The starts of Loom: k-means on leading singular vectors, of all kinds together and of the centre alone."""

import warnings
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.sparse import csr_array, hstack

from graphmine.arrays import Bools, Floats, Labels
from graphmine.linalg.bipartite import components, degrees, scaled
from graphmine.linalg.kmeans import kmeans
from graphmine.linalg.leave_one_out import profiles
from graphmine.linalg.triplets import leading_triplets
from graphmine.methods.loom.units import LARGE, UnitArm, UnitGraph

__all__ = ["embedding", "place_by_centre", "starts"]


_NOTHING = 1e-8
"""Singular values below so much of the first, and points below so much of their row's length, are rounding."""

_TOLERANCE = 1e-3
"""The residual of singular vectors; the refinement mends what k-means makes of less."""

_SMALL = 20
"""A part is small that weighs less than the share of a cluster divided by this."""

_BEGIN: Mapping[str, int] = {"n_starts": 5, "drawn": 5000, "n_rounds": 5}
"""k-means starts so often, from so many points at the most, and goes so often through all of them; the refinement
mends what that leaves."""


def embedding(graph: UnitGraph, k: int, rng: np.random.Generator) -> tuple[list[Floats], bool]:
    """Return a point of length one for each unit of each kind, and whether the vectors converged."""
    block = _side_by_side(graph)
    wanted = min(2 * k, k + 10, *block.shape)
    precision = np.float32 if block.nnz > LARGE else np.float64
    found = leading_triplets(block, wanted, rng, tolerance=_TOLERANCE, dtype=precision, sure=k)
    if not found.converged:
        warnings.warn(
            f"only {found.values.size} of {wanted} singular vectors converged; Loom goes on with those",
            RuntimeWarning,
            stacklevel=4,
        )
    there = found.values > _NOTHING * found.values.max(initial=0.0)
    near, far = ((side * found.values**2)[:, there] for side in (found.left, found.right))
    squares = csr_array((block.data**2, block.indices, block.indptr), block.shape)
    points = [np.zeros((len(units), near.shape[1])) for units in graph.kinds]
    points[0] = _directions(near, np.sqrt(squares.sum(axis=1)))
    lengths, first = np.sqrt(squares.sum(axis=0)), 0
    for arm in graph.arms:
        part = slice(first, first + len(graph.kinds[arm.kind]))
        # A kind that takes part in two relations has a place in each: their sum.
        points[arm.kind] += _directions(far[part], lengths[part])
        first = part.stop
    return points, found.converged


def starts(graph: UnitGraph, points: list[Floats], k: int, rng: np.random.Generator) -> Iterator[list[Labels]]:
    """Give the clusters of all kinds together, then those of the centre alone, with the other kinds placed by them.

    Small parts that hang together with nothing else say nothing about the others, and would take a cluster between
    them. They are put into all clusters in turn, each part as a whole; the refinement finds no reason to change that.
    Where there are as many parts as clusters that are not small, these are the clusters, all but the k - 1 heaviest
    parts sharing one.
    """
    parts, small, heaviest = _parts(graph, k)
    if len(heaviest) >= k:
        own = np.full(len(small), k - 1)
        own[heaviest[: k - 1]] = np.arange(k - 1)
        yield [own[each] for each in parts]
        return
    beside = [small[each] for each in parts]
    which = [there & ~aside for there, aside in zip(graph.linked, beside, strict=True)]
    if np.count_nonzero(which[0]) < k:
        which = graph.linked
    anywhere = [np.where(aside, part % k, 0) for aside, part in zip(beside, parts, strict=True)]
    yield _cluster_together(points, which, anywhere, k, rng)
    centre = anywhere[0].copy()
    centre[which[0]] = kmeans(points[0][which[0]], k, rng, **_BEGIN)
    yield place_by_centre(graph, centre, k)


def _cluster_together(
    points: list[Floats], which: list[Bools], others: list[Labels], k: int, rng: np.random.Generator
) -> list[Labels]:
    """Return the clusters of some units of all kinds; the others are where they are said to be."""
    own = [each[there] for each, there in zip(points, which, strict=True)]
    found = np.split(_kmeans(np.vstack(own), k, rng), np.cumsum([len(each) for each in own])[:-1])
    labels = [each.copy() for each in others]
    for each, there, clusters in zip(labels, which, found, strict=True):
        each[there] = clusters
    return labels


def _kmeans(points: Floats, k: int, rng: np.random.Generator) -> Labels:
    """Return clusters of points; hard links can leave fewer of these than there are to be of those."""
    return kmeans(points, min(k, len(points)), rng, **_BEGIN)


def _parts(graph: UnitGraph, k: int) -> tuple[list[Labels], Bools, Labels]:
    """Return the connected part of each unit, which parts are to be put aside, and those that are not small, by weight.

    A part is small that weighs far less than a cluster does. It is put aside beside one that is more than half of
    everything; else there is nothing that it could be small beside.
    """
    kinds = sorted({arm.kind for arm in graph.arms})
    blocks = [[arm.near.block for arm in graph.arms if arm.kind == kind] for kind in kinds]
    block = csr_array(hstack([sum(several[1:], several[0]) for several in blocks], format="csr"))
    n_parts, near, far = components(block)
    weight = np.bincount(near, degrees(block)[0], n_parts)
    small = weight < weight.sum() / (_SMALL * k)
    order = np.argsort(-weight, kind="stable")
    found = [near, *(np.zeros(len(units), dtype=np.int64) for units in graph.kinds[1:])]
    for kind, own in zip(kinds, np.split(far, np.cumsum([len(graph.kinds[kind]) for kind in kinds])[:-1]), strict=True):
        found[kind] = own
    aside = small & (weight > 0) & (weight.max() > weight.sum() / 2)
    return found, aside, order[~small[order]]


def _side_by_side(graph: UnitGraph) -> csr_array:
    """Return all normalised blocks; several are divided by their chance level, so that no sparse one dominates."""
    blocks = [scaled(arm.near.block, *_scales(arm)) for arm in graph.arms]
    if len(blocks) > 1:
        blocks = [block * (arm.weight**0.5 / _chance(arm)) for block, arm in zip(blocks, graph.arms, strict=True)]
    return csr_array(hstack(blocks, format="csr"))


def _scales(arm: UnitArm) -> tuple[Floats, Floats]:
    """Return (D_r + τ_r)^-½ and (D_c + τ_c)^-½, with τ the mean of each side's degrees."""
    rows, cols = ((each + each[each > 0].mean()) ** -0.5 for each in degrees(arm.near.block))
    return rows, cols


def _chance(arm: UnitArm) -> float:
    """Return about the largest non-trivial singular value of a block whose links are placed by chance.

    It is √v + √u, with v and u the variances that entries find in their rows and in their columns, on average; the
    variance of an entry is what it is itself where links are counted.
    """
    rows, cols = _scales(arm)
    variances = scaled(arm.near.block, rows**2, cols**2)
    sums = (variances.sum(axis=axis) for axis in (1, 0))
    return float(sum(np.sqrt(np.sum(each**2) / np.sum(each)) for each in sums))


def _directions(points: Floats, lengths: Floats) -> Floats:
    norms = np.linalg.norm(points, axis=1)
    inverse = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > _NOTHING * lengths)
    directions: Floats = points * inverse[:, None]
    return directions


def place_by_centre(graph: UnitGraph, centre: Labels, k: int) -> list[Labels]:
    """Return labels of the centre, and for every other unit the cluster that has most of it for its size."""
    shares = [np.zeros((len(units), k)) for units in graph.kinds]
    for arm in graph.arms:
        seen = profiles(arm.near, centre, np.zeros(len(shares[arm.kind]), dtype=np.int64), k)
        there = seen.sizes > 0
        share = np.divide(seen.mass + seen.sizes, seen.sizes, out=np.zeros_like(seen.mass), where=there)
        shares[arm.kind] += arm.weight * share
    return [centre, *(np.asarray(share.argmax(axis=1), dtype=np.int64) for share in shares[1:])]
