"""The factors R of W = R Rᵀ that meet every constraint of problem (17): a surface, its tangents, and ways along it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.star.cut_ratios import CutRatios, no_solution

__all__ = ["Surface", "SurfacePoint"]


_MET = 1e-13
_CORRECTIONS = 12


class SurfacePoint(NamedTuple):
    """A place on the surface: the value there, and all that its tangents need.

    ``gradient`` is half the gradient along the surface, ``multipliers`` one for each block, ``normals`` one direction a
    block in which its weight changes, and ``gram`` their products.
    """

    place: Floats
    value: float
    gradient: Floats
    multipliers: Floats
    normals: Floats
    gram: Floats


@dataclass(frozen=True, eq=False)
class Surface:
    """What is left free when (17) is written for a factor of W, in even units.

    W does not change when R is turned. Turned so that its first row is (1, 0, …), the rest of its first column is ω,
    and the other columns f make up Ω - ωω' = Σ ff'; turned once more, only the first f has a sum. Then all but the
    weights of the blocks is linear in the columns: (Πᵢe)'ω = 0 and e'ω = θ₁/2, and the sums √(θ₂ - θ₁²/4), 0, 0, … of
    the others.

    Parameters
    ----------
    laplacian, forms
        Γ and the diagonals of Πᵢ / e'Πᵢe, in even units.
    e, balances
        What must have no part in a change of the other columns, and of the first: orthonormal columns.
    base
        The shortest two columns with the right sums.
    """

    laplacian: csr_array
    forms: Floats
    e: Floats
    balances: Floats
    base: Floats

    @classmethod
    def of(cls, ratios: CutRatios, theta: tuple[float, float]) -> "Surface":
        """Return the surface of a problem; refuse one whose linear constraints contradict each other.

        >>> surface = Surface.of(CutRatios([csr_array([[1.0, 1.0]])], np.array([1.0])), (1.0, 1.0))
        >>> (surface.base[:, 0] / np.sqrt([0.5, 0.25, 0.25])).round(6).tolist()
        [-0.5, 0.5, 0.5]
        """
        length = float(np.linalg.norm(ratios.scale))
        e = (ratios.scale / length)[:, None]
        basis, triangle = np.linalg.qr(np.column_stack([*(ratios.shares * ratios.scale), e]))
        if abs(triangle[-1, -1]) < 1e-10:
            raise no_solution(theta)
        sums = np.append(np.zeros(len(ratios.arms)), theta[0] / (2 * length))
        first = basis @ np.linalg.solve(triangle.T, sums)
        second = e[:, 0] * np.sqrt(theta[1] - theta[0] ** 2 / 4) / length
        return cls(ratios.even_laplacian, ratios.even_shares, e, basis, np.column_stack([first, second]))

    def start(self, rng: np.random.Generator) -> Floats | None:
        """Return a place drawn at random, with two columns; None where none is near what was drawn."""
        drawn = self.project(rng.standard_normal(self.base.shape))
        drawn *= np.sqrt(len(self.forms)) / max(float(np.linalg.norm(drawn)), np.finfo(float).tiny)
        return self.retract(self.base + drawn, self._normals(self.base + drawn))

    def project(self, change: Floats) -> Floats:
        """Return what of a change leaves the linear constraints as they are."""
        kept = change - self.e @ (self.e.T @ change)
        kept[:, 0] = change[:, 0] - self.balances @ (self.balances.T @ change[:, 0])
        return kept

    def weight_errors(self, place: Floats) -> Floats:
        """Return by how much the weight of each block is too large."""
        missed: Floats = self.forms @ np.sum(place**2, axis=1) - 1
        return missed

    def retract(self, place: Floats, normals: Floats) -> Floats | None:
        """Return the place on the surface that is reached along the normals; None where there is none near."""
        place = self._restore_sums(place)
        for _ in range(_CORRECTIONS):
            missed = self.weight_errors(place)
            if np.abs(missed).max() <= _MET:
                return place
            slopes = 2 * np.einsum("ir,kr->ik", self.forms, np.einsum("nr,knr->kn", place, normals))
            if not np.all(np.isfinite(slopes)) or np.linalg.cond(slopes) > 1e12:
                return None
            place = place - np.tensordot(np.linalg.solve(slopes, missed), normals, 1)
        return place if np.abs(self.weight_errors(place)).max() <= 100 * _MET else None

    def point(self, place: Floats) -> SurfacePoint:
        """Return the value of a place, and its tangents; the multipliers are those that leave the least gradient."""
        normals, image = self._normals(place), self.laplacian @ place
        gram, slope = np.einsum("inr,knr->ik", normals, normals), self.project(image)
        multipliers = np.linalg.lstsq(gram, np.einsum("inr,nr->i", normals, slope), rcond=None)[0]
        gradient = slope - np.tensordot(multipliers, normals, 1)
        return SurfacePoint(place, float(np.sum(place * image)), gradient, multipliers, normals, gram)

    def tangent(self, point: SurfacePoint, change: Floats) -> Floats:
        """Return what of a change is tangent to the surface."""
        kept = self.project(change)
        shares = np.linalg.lstsq(point.gram, np.einsum("inr,nr->i", point.normals, kept), rcond=None)[0]
        tangent: Floats = kept - np.tensordot(shares, point.normals, 1)
        return tangent

    def hessian_product(self, point: SurfacePoint, change: Floats) -> Floats:
        """Return half the second derivative of the value along a tangent, as a tangent."""
        return self.tangent(point, self.slack_product(point.multipliers, change))

    def slack_product(self, multipliers: Floats, columns: Floats) -> Floats:
        """Return S times columns, where S = Γ - Σ λᵢ Πᵢ / e'Πᵢe."""
        product: Floats = self.laplacian @ columns - (multipliers @ self.forms)[:, None] * columns
        return product

    def _restore_sums(self, place: Floats) -> Floats:
        """Return a place with its sums set right, before rounding adds up over many steps."""
        base = np.zeros_like(place)
        base[:, :2] = self.base
        anchored: Floats = base + self.project(place - base)
        return anchored

    def _normals(self, place: Floats) -> Floats:
        return np.stack([self.project(form[:, None] * place) for form in self.forms])
