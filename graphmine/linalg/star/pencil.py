"""Blocks that share their rows, weighed against one another: the symmetric pencils of a star."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import block_diag, csr_array, hstack

from graphmine.arrays import Floats
from graphmine.linalg.bipartite import degrees
from graphmine.linalg.link_matrix import CoupledBlock, LinkMatrix
from graphmine.linalg.metric import Metric

__all__ = ["LinkForm", "PencilArm", "StarPencil", "StarVectors"]


@dataclass(frozen=True, eq=False)
class LinkForm:
    """The symmetric matrix diag(free + C 1) - C of a point's own weight and of its bonds C; it may be singular.

    Examples
    --------
    >>> pair = LinkMatrix(csr_array(np.ones((2, 1))), csr_array(np.array([[3.0]])))
    >>> (LinkForm(np.array([1.0, 0.0]), pair) @ np.eye(2)).tolist()
    [[4.0, -3.0], [-3.0, 3.0]]
    """

    free: Floats
    bonds: LinkMatrix | None = None

    def __matmul__(self, x: Floats) -> Floats:
        product: Floats = (self.diagonal * x.T).T
        if self.bonds is not None:
            product -= self.bonds @ x
        return product

    @cached_property
    def diagonal(self) -> Floats:
        """What each point has of its own, and of all its bonds."""
        return self.free if self.bonds is None else self.free + self.bonds.row_sums

    @staticmethod
    def combined(forms: Sequence["LinkForm"], weights: Floats) -> Metric:
        """Return a sum of forms, each times its weight, to multiply and to solve with."""
        free = sum((weight * form.free for weight, form in zip(weights, forms, strict=True)), np.zeros(1))
        bonds = [(form.bonds, weight) for weight, form in zip(weights, forms, strict=True) if form.bonds is not None]
        return Metric(free, _sum_links(bonds) if bonds else None)


def _sum_links(bonds: Sequence[tuple[LinkMatrix, float]]) -> LinkMatrix:
    """Return a sum of bonds; those of the same units are added up, so that disjoint sets stay disjoint."""
    sorts: list[list[tuple[LinkMatrix, float]]] = []
    for each in bonds:
        alike = [sort for sort in sorts if _same_matrix(sort[0][0].incidence, each[0].incidence)]
        if alike:
            alike[0].append(each)
        else:
            sorts.append([each])
    strengths = [
        sum((weight * each.strength for each, weight in sort), csr_array(sort[0][0].strength.shape)) for sort in sorts
    ]
    incidence = csr_array(hstack([sort[0][0].incidence for sort in sorts], format="csr"))
    return LinkMatrix(incidence, csr_array(block_diag(strengths, format="csr")))


def _same_matrix(one: csr_array, other: csr_array) -> bool:
    return one.shape == other.shape and all(
        np.array_equal(getattr(one, part), getattr(other, part)) for part in ("indptr", "indices", "data")
    )


@dataclass(frozen=True, eq=False)
class PencilArm:
    """One block of a star, and the inner products of its two sides; their ones are B 1 and Bᵀ 1.

    Parameters
    ----------
    block
        B, hub × spoke, scaled so that its entries add up to a half.
    hub
        H, with H 1 = B 1.
    spoke
        F, with F 1 = Bᵀ 1.
    """

    block: csr_array | CoupledBlock
    hub: LinkForm
    spoke: Metric

    @classmethod
    def of(cls, block: csr_array) -> "PencilArm":
        """Return the arm of a block without empty columns, scaled; its inner products are the degrees."""
        block = csr_array(block / (2 * block.sum()))
        hub, spoke = degrees(block)
        return cls(block, LinkForm(hub), Metric(spoke))

    @cached_property
    def hub_sums(self) -> Floats:
        """B 1."""
        sums: Floats = self.block @ np.ones(self.block.shape[1])
        return sums

    @cached_property
    def spoke_sums(self) -> Floats:
        """Bᵀ 1."""
        return adjoint_times(self.block, np.ones(self.block.shape[0]))

    def solve_spoke(self, x: Floats) -> Floats:
        """Return F⁻¹ x."""
        scale = self.spoke.scale if x.ndim == 1 else self.spoke.scale[:, None]
        return self.spoke.solve(scale * x) * scale

    def times_spoke(self, x: Floats) -> Floats:
        """Return F x."""
        scale = self.spoke.scale if x.ndim == 1 else self.spoke.scale[:, None]
        return (self.spoke @ (x / scale)) / scale


def adjoint_times(block: csr_array | CoupledBlock, x: Floats) -> Floats:
    """Return Bᵀ x."""
    product: Floats = block.T @ x if isinstance(block, csr_array) else block.adjoint_times(x)
    return product


StarVectors = tuple[Floats, ...]
"""Vectors as columns, in parts: those of the hub, then those of each spoke."""


@dataclass(frozen=True, eq=False)
class StarPencil:
    """The eigenvalue problems A v = μ P(w) v of a star, one for each w, on the vectors that every arm finds centred.

    Parameters
    ----------
    arms
        Blocks B_i with the inner products H_i and F_i.
    beta
        How much each arm counts, all positive.
    apart
        K, symmetric and without negative eigenvalues, on the hub: what it costs there to differ. None for nothing.

    Notes
    -----
    With v = (y, z_1, z_2, …), y on the hub and z_i on spoke i,

        vᵀ A v = 2 Σ β_i yᵀ B_i z_i - yᵀ K y,   vᵀ P_i v = yᵀ H_i y + z_iᵀ F_i z_i,   P(w) = Σ w_i P_i,

    and v is centred if p_iᵀ v = 1ᵀ B_i z_i + 1ᵀ B_iᵀ y = 0 for every arm. vᵀ A v is at most Σ β_i vᵀ P_i v.
    """

    arms: tuple[PencilArm, ...]
    beta: Floats
    apart: csr_array | None = None

    @property
    def n_hub(self) -> int:
        """How many points the hub has."""
        return int(self.arms[0].block.shape[0])

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many points the hub and each spoke have."""
        return (self.n_hub, *(int(arm.block.shape[1]) for arm in self.arms))

    def split(self, v: Floats) -> StarVectors:
        """Return the parts of vectors that are laid end to end."""
        return tuple(np.split(v, np.cumsum(self.sizes)[:-1]))

    def times(self, v: StarVectors) -> StarVectors:
        """Return A v."""
        y, *z = v
        hub = sum(
            (beta * (arm.block @ each) for beta, arm, each in zip(self.beta, self.arms, z, strict=True)),
            np.zeros_like(y),
        )
        if self.apart is not None:
            hub -= self.apart @ y
        return (hub, *(beta * adjoint_times(arm.block, y) for beta, arm in zip(self.beta, self.arms, strict=True)))

    def norms(self, v: StarVectors) -> Floats:
        """Return vᵀ P_i v, an r × r matrix for each arm."""
        y, *z = v
        return np.stack([
            y.T @ (arm.hub @ y) + each.T @ arm.times_spoke(each) for arm, each in zip(self.arms, z, strict=True)
        ])

    def centred(self, v: StarVectors) -> StarVectors:
        """Return vectors with each spoke moved as a whole, so that every arm finds them centred."""
        y, *z = v
        return (
            y,
            *(each - 2 * (arm.hub_sums @ y + arm.spoke_sums @ each) for arm, each in zip(self.arms, z, strict=True)),
        )
