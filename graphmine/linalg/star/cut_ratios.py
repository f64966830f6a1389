"""A sum of cut ratios over blocks that share their rows, as the forms that its relaxations are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.sparse import block_array, coo_array, csr_array, diags_array

from graphmine.arrays import Floats
from graphmine.errors import DataError, ParameterError
from graphmine.linalg.bipartite import degrees, scaled

__all__ = ["CutRatios", "RelaxedSolution", "check_theta", "no_solution"]


class RelaxedSolution(NamedTuple):
    """What a solver made of the relaxed problem (17).

    ``embedding`` is ω, the shared rows first and then the columns of each block; ``value`` is Γ • Ω. ``violation`` is
    the most by which a constraint is missed, with those of a block in shares of its weight. ``gap`` is the most that
    the value can lie above the optimum, where the solver bounds it.
    """

    embedding: Floats
    value: float
    converged: bool
    violation: float
    gap: float | None = None


@dataclass(frozen=True, eq=False)
class CutRatios:
    """Blocks that share their rows, and how much the cut of each counts.

    Parameters
    ----------
    arms
        The blocks. No column is empty, and no row is empty in all of them.
    beta
        A weight, at least 0, for each.

    Examples
    --------
    >>> ratios = CutRatios([csr_array([[1.0, 1.0], [0.0, 2.0]])], np.array([1.0]))
    >>> ratios.shares.tolist()
    [[0.25, 0.25, 0.125, 0.375]]
    >>> (ratios.laplacian @ np.ones(4)).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    arms: Sequence[csr_array]
    beta: Floats

    def __post_init__(self) -> None:
        """Refuse what is not such a sum."""
        if not len(self.arms) or len({block.shape[0] for block in self.arms}) != 1:
            raise ParameterError(f"blocks must share their rows, have shapes {[block.shape for block in self.arms]}")
        if len(self.beta) != len(self.arms) or not np.all(np.asarray(self.beta) >= 0):
            raise ParameterError(f"beta must be a weight of at least 0 for each of {len(self.arms)} blocks")
        if not np.all(self.shares.sum(axis=0) > 0):
            raise ParameterError("blocks must have no empty column, and no row that is empty in all of them")

    @cached_property
    def shares(self) -> Floats:
        """The diagonals of Πᵢ / e'Πᵢe, a row a block: the share of each node in the weight of all."""
        n_rows, widths = self.arms[0].shape[0], [block.shape[1] for block in self.arms]
        shares, first = np.zeros((len(self.arms), n_rows + sum(widths))), n_rows
        for row, block, width in zip(shares, self.arms, widths, strict=True):
            row[:n_rows], row[first : first + width] = degrees(block)
            row /= row.sum()
            first += width
        return shares

    @cached_property
    def laplacian(self) -> csr_array:
        """Γ = Σ βᵢ Γᵢ / e'Πᵢe."""
        parts = [weight / (2 * block.sum()) * block for weight, block in zip(self.beta, self.arms, strict=True)]
        across = block_array([[csr_array((self.arms[0].shape[0],) * 2), *parts]], format="coo")
        size = across.shape[1]
        edges = coo_array((across.data, (across.row, across.col)), shape=(size, size)).tocsr()
        return csr_array(diags_array(self.beta @ self.shares) - edges - edges.T)

    @cached_property
    def scale(self) -> Floats:
        """What takes ω to units in which nodes of any weight count alike: one over the root of their mean share."""
        scale: Floats = self.shares.mean(axis=0) ** -0.5
        return scale

    @cached_property
    def even_laplacian(self) -> csr_array:
        """Γ in these units."""
        return scaled(self.laplacian, self.scale, self.scale)

    @cached_property
    def even_shares(self) -> Floats:
        """The diagonals of Πᵢ / e'Πᵢe in these units; their mean over the blocks is 1 everywhere."""
        even: Floats = self.shares * self.scale**2
        return even


def check_theta(theta: object) -> tuple[float, float]:
    """Return two bounds; refuse such as no embedding can keep, or one of nothing but zeros.

    >>> check_theta([1, 1])
    (1.0, 1.0)
    >>> check_theta((3, 1))
    Traceback (most recent call last):
    graphmine.errors.ParameterError: theta must be two numbers with 0 < theta[0]² / 4 <= theta[1], was (3, 1)
    """
    match theta:
        case [Real() as first, Real() as second] if _bounds(float(first), float(second)):
            return float(first), float(second)
    raise ParameterError(f"theta must be two numbers with 0 < theta[0]² / 4 <= theta[1], was {theta!r}")


def _bounds(first: float, second: float) -> bool:
    return isfinite(first) and isfinite(second) and 0 < first**2 / 4 <= second


def no_solution(theta: tuple[float, float]) -> DataError:
    """Return the error for a problem (17) whose constraints can not all be met."""
    return DataError(
        f"no embedding that is balanced in every relation keeps the bounds theta = {theta}; use other bounds, "
        "or a solver that needs none"
    )
