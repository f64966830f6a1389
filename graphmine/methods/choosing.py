"""How many clusters a star has, judged by its spectrum, by chance, and by what a method makes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from graphmine.checks import check_integer
from graphmine.closure import crowded
from graphmine.errors import DataError
from graphmine.linalg import cluster_weights, components, degrees, leading_triplets, scaled
from graphmine.linalg.shuffling import shuffled
from graphmine.methods.base import Method, check_fits, generator
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["Choice", "choose_k"]

Numbers = NDArray[np.float64]
Table = tuple[Mapping[str, float | None], ...]

_BEYOND = 1.02
"""A singular value counts if it is so many times the greatest that chance has brought forth."""

_SHUFFLES, _FEW_SHUFFLES, _MANY = 10, 3, 1_000_000
"""How many stars are drawn by chance: fewer where there are many pairs, whose spectrum hardly varies."""

_ISLAND = 0.01
"""A part without links to others that holds so much of a relation's weight is a cluster of its own."""

_PATIENCE = 4
"""After so many numbers that do no better than the best before, no more are tried."""

_TOLERANCE = 1e-4
"""Of singular vectors; the values are good to its square."""

_NOTHING = 1e-6
"""Singular values below so much of the first are rounding."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A number of clusters, why it was chosen, and what was tried.

    Parameters
    ----------
    k
        The number.
    why
        What decided, as a sentence.
    table
        For each number from 1 up: ``k``, the ``singular_value`` of that place, its ``gap`` to the next and the
        ``chance_edge`` that structure has to exceed; the same of the bare pairs, without weights, as ``pairs_value``,
        ``pairs_gap`` and ``pairs_edge``; and the ``modularity`` of a fit with so many clusters. None stands for what
        there is not, or was not looked at.
    clustering
        The fit with k clusters, if one was made on the way.
    """

    k: int
    why: str
    table: Table = ()
    clustering: Clustering | None = field(default=None, repr=False)


def choose_k(
    star: Star,
    method_for_k: Callable[[int], Method],
    constraints: Constraints = FREE,
    *,
    most: int = 30,
    seed: int | None = None,
    progress: Progress = silent,
) -> Choice:
    """Choose how many clusters a star has.

    Parameters
    ----------
    star
        One relation, or several around a centre.
    method_for_k
        Gives the method for a number of clusters, such as `graphmine.methods.Loom`.
    constraints
        What the fits are to honour. Nodes that hard cannot-links all keep apart need as many clusters, as far as such
        sets are seen.
    most
        The greatest number that may come out; at most as many as the smallest kind has linked nodes.
    seed
        The same seed gives the same choice.

    Notes
    -----
    With B the block of a relation, D_r and D_c its degrees and τ_r and τ_c their means, the spectrum is that of
    (D_r + τ_r)^-½ B (D_c + τ_c)^-½; those of a star stand side by side, each with its own τ and times its weight.

    1. **Edge.** Each relation is shuffled, with every node keeping its number of pairs, and the second singular value
       of what chance makes is noted: ten times, three times beyond a million pairs. K is how many singular values are
       2% above the greatest of these, the first always among them. The same is done with all weights 1, and the larger
       K is taken: on shuffled places great weights of hubs look like structure, bare pairs do not.
    2. K is at least the number of parts without links to one another that hold 1% of the weight, or what hard
       cannot-links need. If it is 1, so is k: nothing but chance.
    3. Where the largest gap of one of the two spectra, behind its first value, stands at K, k = K.
    4. Else, as on texts, where there are topics within topics, fits with 2, 3, ... K clusters are compared, and the one
       with the greatest modularity (Barber's, the mean over relations by their weights) wins. After four numbers
       without gain the search ends.

    The leave-one-out likelihood that `Loom` reports is no judge of k: it grows with every cluster. So, on texts, does
    the likelihood of pairs held out from the fit.

    The cost is two spectra of ``most`` + 1 vectors, twenty of two, and, only in the fourth case, some fits.

    Examples
    --------
    >>> from graphmine.gallery import full, planted
    >>> from graphmine.methods import Loom
    >>> choice = choose_k(planted(200, 100, n_clusters=4, seed=1)[0], Loom, seed=0)
    >>> choice.k, choice.why
    (4, 'the largest gap of the spectrum stands where structure ends and chance begins')
    >>> choose_k(full(), Loom, seed=0).k
    1
    """
    check_integer("most", most, least=1)
    check_fits(method_for_k(1), star, constraints)
    arms = _weighty(star)
    limit = min(most, _smallest(star))
    seen = _spectra(arms, limit + 1, generator(seed), progress)
    floor = min(max(_islands(arms), _crowd(constraints, limit)), limit)
    K = min(max(floor, *(each.k for each in seen)), limit)
    if K == 1:
        return Choice(1, "no singular value rises above what chance brings forth", seen.table(limit))
    if K in (each.largest_gap for each in seen):
        return Choice(
            K, "the largest gap of the spectrum stands where structure ends and chance begins", seen.table(limit)
        )
    fits = _Fits(star, method_for_k, constraints, seed)
    k, modularity, clustering = fits.compared(arms, max(floor, 2), K, progress)
    why = f"of the fits with {min(modularity)} to {max(modularity)} clusters it has the greatest modularity"
    return Choice(k, why, seen.table(limit, modularity), clustering)


class _Arm(NamedTuple):
    """A relation of a star: its block with weights up to 1, how much it counts, and its kinds."""

    block: csr_array
    weight: float
    rows: str
    cols: str

    @property
    def of_pairs(self) -> "_Arm":
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


class _Spectrum(NamedTuple):
    """Singular values in descending order, and the edge that those of chance do not reach."""

    values: Numbers
    edge: float

    @property
    def k(self) -> int:
        """How many values rise above chance, the first among them."""
        return 1 + int(np.count_nonzero(self.values[1:] > self.edge))

    @property
    def gaps(self) -> Numbers:
        """What each value is above the next."""
        return -np.diff(self.values)

    @property
    def largest_gap(self) -> int:
        """Behind which value but the first the largest gap is; 1 where there is no such gap."""
        return 2 + int(np.argmax(self.gaps[1:])) if len(self.gaps) > 1 else 1


class _Spectra(NamedTuple):
    """What the weights say, and what the bare pairs do."""

    weights: _Spectrum
    pairs: _Spectrum

    def table(self, limit: int, modularity: Mapping[int, float] | None = None) -> Table:
        """Return a row for each number of clusters."""
        return tuple(
            {
                "k": k,
                "singular_value": _at(self.weights.values, k),
                "gap": _at(self.weights.gaps, k),
                "chance_edge": self.weights.edge,
                "pairs_value": _at(self.pairs.values, k),
                "pairs_gap": _at(self.pairs.gaps, k),
                "pairs_edge": self.pairs.edge,
                "modularity": (modularity or {}).get(k),
            }
            for k in range(1, limit + 1)
        )


def _at(numbers: Numbers, k: int) -> float | None:
    return float(numbers[k - 1]) if k <= len(numbers) else None


class _Fits(NamedTuple):
    """Fits of one star that differ in nothing but the number of clusters."""

    star: Star
    method_for_k: Callable[[int], Method]
    constraints: Constraints
    seed: int | None

    def compared(
        self, arms: list[_Arm], first: int, last: int, progress: Progress
    ) -> tuple[int, dict[int, float], Clustering]:
        """Return the number whose fit has the greatest modularity, that of all that were tried, and the fit."""
        found: dict[int, float] = {}
        best, k = self.fitted(first), first
        for tried in range(first, last + 1):
            progress("numbers of clusters", tried - first, last - first + 1)
            fitted = best if tried == first else self.fitted(tried)
            found[tried] = _modularity(arms, fitted)
            if found[tried] > found[k]:
                k, best = tried, fitted
            if tried - k >= _PATIENCE:
                break
        progress("numbers of clusters", last - first + 1, last - first + 1)
        return k, found, best

    def fitted(self, k: int) -> Clustering:
        """Return the fit with so many clusters."""
        return self.method_for_k(k).fit(self.star, self.constraints, seed=self.seed)


def _spectra(arms: list[_Arm], count: int, rng: np.random.Generator, progress: Progress) -> _Spectra:
    shuffles = _FEW_SHUFFLES if sum(int(arm.block.nnz) for arm in arms) > _MANY else _SHUFFLES
    found = []
    for number, each in enumerate((arms, [arm.of_pairs for arm in arms])):
        values, edge = _values(each, count, rng), 0.0
        for done in range(shuffles):
            progress("spectra of chance", number * shuffles + done, 2 * shuffles)
            chance = _values([arm._replace(block=shuffled(arm.block, rng)) for arm in each], 2, rng)
            edge = max(edge, _BEYOND * float(chance[1:].max(initial=0)))
        found.append(_Spectrum(values, edge))
    progress("spectra of chance", 2 * shuffles, 2 * shuffles)
    return _Spectra(*found)


def _values(arms: list[_Arm], count: int, rng: np.random.Generator) -> Numbers:
    """Return the leading singular values of normalised blocks side by side, as many as there are."""
    whole = csr_array(hstack([arm.weight * arm.normalised for arm in arms]))
    values = leading_triplets(whole, count, rng, tolerance=_TOLERANCE).values
    # What is left of a value of 0 is rounding, which is not above anything.
    return np.where(values > _NOTHING * values[0], values, 0.0)


def _weighty(star: Star) -> list[_Arm]:
    """Return the relations that have weight; refuse a star in which none has."""
    # Sums of very large weights would overflow, and their scale does not matter.
    arms = [
        _Arm(csr_array(arm.block / arm.block.data.max()), weight, arm.rows.kind, arm.cols.kind)
        for arm, weight in zip(star.arms, star.weights, strict=True)
        if arm.nnz and weight
    ]
    if not arms:
        raise DataError(
            f"no {star.centre.kind} is linked to anything, so no number of clusters can be chosen; "
            "check the direction of the arrows and the filters"
        )
    return arms


def _smallest(star: Star) -> int:
    """Return how many linked nodes the kind has that has the fewest, of those with any."""
    linked = {nodes.kind: np.zeros(len(nodes), dtype=np.bool_) for nodes in star.kinds}
    for arm in star.arms:
        linked[arm.rows.kind] |= np.diff(arm.block.indptr) > 0
        linked[arm.cols.kind][arm.block.indices] = True
    return min(count for count in (int(np.count_nonzero(each)) for each in linked.values()) if count)


def _islands(arms: list[_Arm]) -> int:
    """Return how many connected parts of the whole star hold a noticeable share of its weight."""
    whole = csr_array(hstack([arm.weight / arm.block.sum() * arm.block for arm in arms]))
    n_parts, row_parts, _ = components(whole)
    weights = np.bincount(row_parts, degrees(whole)[0], n_parts)
    return int(np.count_nonzero(weights >= _ISLAND * weights.sum()))


def _crowd(constraints: Constraints, limit: int) -> int:
    """Return how many clusters hard cannot-links need, as far as that is seen."""
    k = 1
    while constraints and k < limit and crowded(constraints, k):
        k += 1
    return k


def _modularity(arms: list[_Arm], clustering: Clustering) -> float:
    """Return Barber's modularity, the mean over relations by their weights."""
    each = [arm.modularity(clustering) for arm in arms]
    return float(np.average(each, weights=[arm.weight for arm in arms]))
