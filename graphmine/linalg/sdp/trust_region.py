"""Newton's method along a surface: conjugate gradients within a radius that grows and shrinks with its luck."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats
from graphmine.linalg.sdp.surface import Point, Surface

__all__ = ["descended", "size"]


_FIRST_RADIUS = 0.1
_MOST_STEPS = 500


class _Step(NamedTuple):
    """A change along the surface, and what it should take off the value."""

    change: Floats
    gain: float
    at_edge: bool


def descended(
    surface: Surface,
    point: Point,
    *,
    tolerance: float = 1e-10,
    max_steps: int = 300,
    told: Callable[[], None] = lambda: None,
) -> Point:
    """Return the point where a descent from here ends: where the gradient is no longer than the tolerance.

    Notes
    -----
    The trust-region method of Absil, Baker and Gallivan. A step costs a product with the Laplacian for each of its
    conjugate gradients; near the end the error is squared by every step.

    References
    ----------
    P.-A. Absil, C. Baker, K. Gallivan: Trust-region methods on Riemannian manifolds. Found. Comput. Math. 2007.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphmine.linalg.star.cut_ratios import Ratios
    >>> block = csr_array([[2.0, 1.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 3.0]])
    >>> surface = Surface.of(Ratios([block], np.array([1.0])), (1.0, 1.0))
    >>> start = surface.point(surface.start(np.random.default_rng(0)))
    >>> end = descended(surface, start)
    >>> end.value < start.value, size(end.gradient) <= 1e-10
    (True, True)
    """
    radius = _FIRST_RADIUS
    for _ in range(max_steps):
        if size(point.gradient) <= tolerance or radius < tolerance:
            break
        step = _step(surface, point, radius)
        found = _taken(surface, point, step)
        luck = -1.0 if found is None else _luck(point, found, step)
        if luck < 0.25:
            radius = size(step.change) / 4
        elif luck > 0.75 and step.at_edge:
            radius *= 2
        if found is not None and luck > 0.1:
            point = found
        told()
    return point


def size(columns: Floats) -> float:
    """Return the length of a matrix.

    >>> size(np.array([[3.0], [4.0]]))
    5.0
    """
    return float(np.linalg.norm(columns))


def _taken(surface: Surface, point: Point, step: _Step) -> Point | None:
    place = surface.back(point.place + step.change, point.normals)
    return None if place is None else surface.point(place)


def _luck(point: Point, found: Point, step: _Step) -> float:
    """Return the share of the promised gain that came; 1 where both are lost in rounding."""
    rounding = 1e-13 * max(1.0, abs(point.value))
    return (point.value - found.value + rounding) / (step.gain + rounding)


def _step(surface: Surface, point: Point, radius: float) -> _Step:
    """Return Newton's step, or as far towards it as the radius and the curvature let it go (Steihaug)."""
    change, image = np.zeros_like(point.gradient), np.zeros_like(point.gradient)
    left = point.gradient
    enough = size(left) * min(0.1, size(left))
    way, squared = -left, size(left) ** 2
    for _ in range(_MOST_STEPS):
        bent = surface.curved(point, way)
        bend = float(np.sum(way * bent))
        length = squared / bend if bend > 0 else np.inf
        edge = _to_edge(change, way, radius)
        if length >= edge:
            return _promised(point, change + edge * way, image + edge * bent, True)
        change, image = change + length * way, image + length * bent
        left = surface.along(point, left + length * bent)
        squared, before = size(left) ** 2, squared
        if np.sqrt(squared) <= enough:
            break
        way = squared / before * way - left
    return _promised(point, change, image, False)


def _promised(point: Point, change: Floats, image: Floats, at_edge: bool) -> _Step:
    return _Step(change, -float(np.sum(change * (2 * point.gradient + image))), at_edge)


def _to_edge(change: Floats, way: Floats, radius: float) -> float:
    """Return how far along a way the edge of the region is."""
    ahead, squared = float(np.sum(change * way)), size(way) ** 2
    room = max(radius**2 - size(change) ** 2, 0.0)
    return float((np.sqrt(ahead**2 + squared * room) - ahead) / squared)
