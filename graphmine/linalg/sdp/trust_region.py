"""Newton's method along a surface: conjugate gradients within a radius that grows and shrinks with its ratio."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats
from graphmine.linalg.sdp.surface import Surface, SurfacePoint

__all__ = ["minimise", "norm"]


_FIRST_RADIUS = 0.1
_MOST_STEPS = 500


class _Step(NamedTuple):
    """A change along the surface, and what it should take off the value."""

    change: Floats
    gain: float
    at_edge: bool


def minimise(
    surface: Surface,
    point: SurfacePoint,
    *,
    tolerance: float = 1e-10,
    max_steps: int = 300,
    on_step: Callable[[], None] = lambda: None,
) -> SurfacePoint:
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
    >>> from graphmine.linalg.star.cut_ratios import CutRatios
    >>> block = csr_array([[2.0, 1.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 3.0]])
    >>> surface = Surface.of(CutRatios([block], np.array([1.0])), (1.0, 1.0))
    >>> start = surface.point(surface.start(np.random.default_rng(0)))
    >>> end = minimise(surface, start)
    >>> end.value < start.value, norm(end.gradient) <= 1e-10
    (True, True)
    """
    radius = _FIRST_RADIUS
    for _ in range(max_steps):
        if norm(point.gradient) <= tolerance or radius < tolerance:
            break
        step = _step(surface, point, radius)
        found = _moved_point(surface, point, step)
        ratio = -1.0 if found is None else _gain_ratio(point, found, step)
        if ratio < 0.25:
            radius = norm(step.change) / 4
        elif ratio > 0.75 and step.at_edge:
            radius *= 2
        if found is not None and ratio > 0.1:
            point = found
        on_step()
    return point


def norm(columns: Floats) -> float:
    """Return the length of a matrix.

    >>> norm(np.array([[3.0], [4.0]]))
    5.0
    """
    return float(np.linalg.norm(columns))


def _moved_point(surface: Surface, point: SurfacePoint, step: _Step) -> SurfacePoint | None:
    place = surface.retract(point.place + step.change, point.normals)
    return None if place is None else surface.point(place)


def _gain_ratio(point: SurfacePoint, found: SurfacePoint, step: _Step) -> float:
    """Return the share of the promised gain that came; 1 where both are lost in rounding."""
    rounding = 1e-13 * max(1.0, abs(point.value))
    return (point.value - found.value + rounding) / (step.gain + rounding)


def _step(surface: Surface, point: SurfacePoint, radius: float) -> _Step:
    """Return Newton's step, or as far towards it as the radius and the curvature let it go (Steihaug)."""
    change, image = np.zeros_like(point.gradient), np.zeros_like(point.gradient)
    left = point.gradient
    enough = norm(left) * min(0.1, norm(left))
    direction, squared = -left, norm(left) ** 2
    for _ in range(_MOST_STEPS):
        image_of_direction = surface.hessian_product(point, direction)
        curvature = float(np.sum(direction * image_of_direction))
        length = squared / curvature if curvature > 0 else np.inf
        edge = _to_edge(change, direction, radius)
        if length >= edge:
            return _predicted(point, change + edge * direction, image + edge * image_of_direction, True)
        change, image = change + length * direction, image + length * image_of_direction
        left = surface.tangent(point, left + length * image_of_direction)
        squared, before = norm(left) ** 2, squared
        if np.sqrt(squared) <= enough:
            break
        direction = squared / before * direction - left
    return _predicted(point, change, image, False)


def _predicted(point: SurfacePoint, change: Floats, image: Floats, at_edge: bool) -> _Step:
    return _Step(change, -float(np.sum(change * (2 * point.gradient + image))), at_edge)


def _to_edge(change: Floats, direction: Floats, radius: float) -> float:
    """Return how far along a direction the edge of the region is."""
    ahead, squared = float(np.sum(change * direction)), norm(direction) ** 2
    room = max(radius**2 - norm(change) ** 2, 0.0)
    return float((np.sqrt(ahead**2 + squared * room) - ahead) / squared)
