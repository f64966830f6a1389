"""The spectrum of a star or a graph, and the largest singular value of shuffled networks with the same degrees."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from graphmine.arrays import Floats
from graphmine.errors import DataError
from graphmine.linalg.bipartite import cluster_weights, degrees, scaled
from graphmine.linalg.lanczos import Pencil, leading_eigenvectors
from graphmine.linalg.null_model import shuffle
from graphmine.linalg.triplets import leading_triplets
from graphmine.model import Clustering, Star
from graphmine.progress import Progress

__all__ = ["ScaledArm", "Spectrum", "arms_of", "spectra"]


_BEYOND = 1.02
"""A singular value counts if it is so many times the greatest that chance has brought forth."""

_SHUFFLES, _FEW_SHUFFLES, _MANY = 10, 3, 1_000_000
"""How many stars are drawn by chance: fewer where there are many pairs, whose spectrum hardly varies."""

_TOLERANCE = 1e-4
"""Of singular vectors; the values are good to its square."""

_RESTARTS = 1000

_NOTHING = 1e-6
"""Singular values below so much of the first are rounding."""


class ScaledArm(NamedTuple):
    """A relation of a star: its block with weights up to 1, how much it counts, and its kinds."""

    block: csr_array
    weight: float
    rows: str
    cols: str

    @property
    def of_one_kind(self) -> bool:
        """Whether its rows and its columns are the same nodes, and its block symmetric."""
        return self.rows == self.cols

    @property
    def of_pairs(self) -> "ScaledArm":
        """The same with all weights 1."""
        ones = np.ones(self.block.nnz)
        return self._replace(block=csr_array((ones, self.block.indices, self.block.indptr), shape=self.block.shape))

    @property
    def normalised(self) -> csr_array:
        """(D_r + τ_r)^-½ B (D_c + τ_c)^-½, with τ the mean degrees of linked nodes."""
        row_scale, col_scale = ((each + each[each > 0].mean()) ** -0.5 for each in degrees(self.block))
        return scaled(self.block, row_scale, col_scale)

    def modularity(self, clustering: Clustering) -> float:
        """Barber's modularity."""
        weights = cluster_weights(self.block, clustering.labels[self.rows], clustering.labels[self.cols])
        m = float(self.block.sum())
        return float(np.sum(weights.within / m - (weights.rows / m) * (weights.cols / m)))


def arms_of(star: Star) -> list[ScaledArm]:
    """Return the relations that have weight; refuse a star in which none has."""
    # Sums of very large weights would overflow, and their scale does not matter.
    arms = [
        ScaledArm(csr_array(arm.block / arm.block.data.max()), weight, arm.rows.kind, arm.cols.kind)
        for arm, weight in zip(star.arms, star.weights, strict=True)
        if arm.nnz and weight
    ]
    if not arms:
        raise DataError(
            f"no {star.centre.kind} is linked to anything, so no number of clusters can be chosen; "
            "check the direction of the arrows and the filters"
        )
    return arms


class Spectrum(NamedTuple):
    """Singular values in descending order, and the edge that those of chance do not reach."""

    values: Floats
    edge: float

    @property
    def k(self) -> int:
        """How many values rise above chance, the first among them."""
        return 1 + int(np.count_nonzero(self.values[1:] > self.edge))

    @property
    def gaps(self) -> Floats:
        """What each value is above the next."""
        return -np.diff(self.values)

    @property
    def largest_gap(self) -> int:
        """Behind which value but the first the largest gap is; 1 where there is no such gap."""
        return 2 + int(np.argmax(self.gaps[1:])) if len(self.gaps) > 1 else 1


def spectra(
    arms: list[ScaledArm], count: int, rng: np.random.Generator, progress: Progress
) -> tuple[Spectrum, Spectrum]:
    """Return so many leading singular values of the weights and of the bare pairs, each with its edge of chance."""
    shuffles = _FEW_SHUFFLES if sum(int(arm.block.nnz) for arm in arms) > _MANY else _SHUFFLES
    found = []
    for number, each in enumerate((arms, [arm.of_pairs for arm in arms])):
        is_graph = len(each) == 1 and each[0].of_one_kind
        values = _of_graph(each[0], count, rng) if is_graph else _values(each, count, rng)
        edge = 0.0
        for done in range(shuffles):
            progress("spectra of chance", number * shuffles + done, 2 * shuffles)
            chance = _values([arm._replace(block=shuffle(arm.block, rng)) for arm in each], 2, rng)
            edge = max(edge, _BEYOND * float(chance[1:].max(initial=0)))
        found.append(Spectrum(values, edge))
    progress("spectra of chance", 2 * shuffles, 2 * shuffles)
    return found[0], found[1]


def _values(arms: list[ScaledArm], count: int, rng: np.random.Generator) -> Floats:
    """Return the leading singular values of normalised blocks side by side, as many as there are."""
    whole = csr_array(hstack([np.sqrt(arm.weight) * arm.normalised for arm in arms]))
    found = leading_triplets(whole, count, rng, tolerance=_TOLERANCE)
    return _above_rounding(found.values, found.converged, count)


def _of_graph(arm: ScaledArm, count: int, rng: np.random.Generator) -> Floats:
    """Return the leading eigenvalues of a normalised graph, 0 where they are negative.

    A negative one is a singular value, too, but tells two sets that have links with each other and none within, as the
    two sides of a path are. These are no clusters.
    """
    graph = np.sqrt(arm.weight) * arm.normalised
    bound, n = np.sqrt(arm.weight), graph.shape[0]  # no eigenvalue is further from 0
    pencil = Pencil(n, n, times=lambda x: bound * x + graph @ x, project=lambda x: x)
    found = leading_eigenvectors(pencil, min(count, n), rng, tolerance=_TOLERANCE, max_restarts=_RESTARTS)
    return _above_rounding(found.values - bound, found.converged, count)


def _above_rounding(values: Floats, converged: bool, count: int) -> Floats:
    """Return values with 0 for what is rounding, or less, which is not above anything."""
    if not converged:
        warnings.warn(
            f"only {values.size} of {count} singular values converged; k is chosen from those",
            RuntimeWarning,
            stacklevel=5,
        )
    return np.where(values > _NOTHING * values.max(initial=0.0), values, 0.0)
