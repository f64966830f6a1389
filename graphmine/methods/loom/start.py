"""Where Loom begins: k-means on leading singular vectors, of all kinds together and of the centre alone."""

import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from graphmine.linalg import degrees, kmeans, leading_triplets, scaled
from graphmine.linalg.refinement import profiles
from graphmine.methods.loom.warp import Arm, Warp

__all__ = ["embedded", "starts"]

Labels = NDArray[np.int64]
Numbers = NDArray[np.float64]

_NOTHING = 1e-8
"""Singular values below so much of the first, and points below so much of their row's length, are rounding."""

_LARGE = 200_000
"""From so many entries on singular vectors are found to four digits, in single precision."""


def embedded(warp: Warp, k: int, rng: np.random.Generator) -> tuple[list[Numbers], bool]:
    """Return a point of length one for each unit of each kind, and whether the vectors converged."""
    block = csr_array(hstack([_normalised(arm) for arm in warp.arms], format="csr"))
    wanted = min(2 * k, k + 10, *block.shape)
    # k-means on a large network does not see a tenth of a thousandth, and half the memory is half the time.
    rough = {"tolerance": 1e-4, "dtype": np.float32} if block.nnz > _LARGE else {"tolerance": 1e-9}
    found = leading_triplets(block, wanted, rng, **rough)
    if not found.converged:
        warnings.warn(
            f"only {found.values.size} of {wanted} singular vectors converged; Loom goes on with those",
            RuntimeWarning,
            stacklevel=3,
        )
    there = found.values > _NOTHING * found.values.max(initial=0.0)
    near, far = ((side * found.values**2)[:, there] for side in (found.left, found.right))
    squares = block.multiply(block)
    points = [np.zeros((len(units), near.shape[1])) for units in warp.kinds]
    points[0] = _directions(near, np.sqrt(squares.sum(axis=1)))
    lengths, first = np.sqrt(squares.sum(axis=0)), 0
    for arm in warp.arms:
        part = slice(first, first + len(warp.kinds[arm.kind]))
        # A kind that takes part in two relations has a place in each: their sum.
        points[arm.kind] += _directions(far[part], lengths[part])
        first = part.stop
    return points, found.converged


def starts(warp: Warp, points: list[Numbers], k: int, rng: np.random.Generator) -> Iterator[list[Labels]]:
    """Give the clusters of all kinds together, then those of the centre alone, with the other kinds placed by them."""
    linked = warp.linked
    own = [each[there] for each, there in zip(points, linked, strict=True)]
    ends = np.cumsum([len(each) for each in own])
    together = np.split(kmeans(np.vstack(own), k, rng), ends[:-1])
    yield [_everywhere(found, there) for found, there in zip(together, linked, strict=True)]
    centre = _everywhere(kmeans(own[0], k, rng), linked[0])
    yield [centre, *(_placed(warp, kind, centre, k) for kind in range(1, len(points)))]


def _everywhere(labels: Labels, linked: NDArray[np.bool_]) -> Labels:
    """Return a label for all units; those without relationships are put into the first cluster for now."""
    found = np.zeros(len(linked), dtype=np.int64)
    found[linked] = labels
    return found


def _normalised(arm: Arm) -> csr_array:
    """Return (D_r + τ_r)^-½ B (D_c + τ_c)^-½, with τ the mean of each side's degrees."""
    sums = degrees(arm.near.block)
    rows, cols = ((each + each[each > 0].mean()) ** -0.5 for each in sums)
    return scaled(arm.near.block, np.sqrt(arm.weight) * rows, cols)


def _directions(points: Numbers, lengths: Numbers) -> Numbers:
    norms = np.linalg.norm(points, axis=1)
    inverse = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > _NOTHING * lengths)
    directions: Numbers = points * inverse[:, None]
    return directions


def _placed(warp: Warp, kind: int, centre: Labels, k: int) -> Labels:
    """Return for each unit the cluster of the centre that has most of it for its size."""
    share = np.zeros((len(warp.kinds[kind]), k))
    for arm in (each for each in warp.arms if each.kind == kind):
        seen = profiles(arm.near, centre, np.zeros(len(share), dtype=np.int64), k)
        there = seen.sizes > 0
        share += arm.weight * np.divide(seen.mass + seen.sizes, seen.sizes, out=np.zeros_like(share), where=there)
    return np.asarray(share.argmax(axis=1), dtype=np.int64)
