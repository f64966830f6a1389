"""How many clusters a star has, judged by its spectrum, by chance, and by what a method makes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack

from graphmine.arrays import Bools, Floats, Ints
from graphmine.checks import check_integer
from graphmine.closure.cliques import clusters_needed
from graphmine.closure.components import must_link_components
from graphmine.linalg.bipartite import components, degrees
from graphmine.methods.base import Method, check_fits, generator
from graphmine.methods.catalog import maker
from graphmine.methods.selection.null_spectrum import ScaledArm, Spectrum, arms_of, spectra
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["CHANCE", "GAP", "TIED", "Choice", "choice_record", "choose_k"]

Table = tuple[Mapping[str, float | None], ...]

CHANCE = "no singular value rises above what chance brings forth"
GAP = "the largest gap of the spectrum stands where structure ends and chance begins"
TIED = "hard must-links tie all linked nodes of a kind together"

_ISLAND = 0.01
"""A part without links to others that holds so much of a relation's weight is a cluster of its own."""

_PATIENCE = 4
"""After so many numbers that do no better than the best before, no more are tried."""


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
    method_for_k: str | Callable[[int], Method],
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
        Gives the method for a number of clusters, such as `Loom`; or the name of one, such as
        ``loom``.
    constraints
        What the fits are to honour. Nodes that hard cannot-links all keep apart need as many clusters, as far as such
        sets are seen; nodes that hard must-links tie together count as one.
    most
        The greatest number that may come out; at most as many as the smallest kind has linked nodes.
    seed
        The same seed gives the same choice.

    Notes
    -----
    With B the block of a relation, D_r and D_c its degrees and τ_r and τ_c their means, the spectrum is that of
    (D_r + τ_r)^-½ B (D_c + τ_c)^-½; those of a star stand side by side, each with its own τ and times the root of its
    weight. Of a kind with itself the positive eigenvalues are taken for singular values: a negative one tells two sets
    that have links with each other and none within, which are no clusters.

    1. **Edge.** Each relation is shuffled, with every node keeping its number of pairs, and the second singular value
       of what chance makes is noted: ten times, three times beyond a million pairs. K is how many singular values are
       2% above the greatest of these, the first always among them. The same is done with all weights 1, and the larger
       K is taken: on shuffled places great weights of hubs look like structure, bare pairs do not.
    2. K is at least the number of parts without links to one another that hold 1% of the weight, or what hard
       cannot-links need. If it is 1, so is k: nothing but chance. It is at most the number of units that hard
       must-links leave of any kind.
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
    >>> from graphmine.methods.loom.loom import Loom
    >>> choice = choose_k(planted(200, 100, n_clusters=4, seed=1)[0], Loom, seed=0)
    >>> choice.k, choice.why
    (4, 'the largest gap of the spectrum stands where structure ends and chance begins')
    >>> choose_k(full(), Loom, seed=0).k
    1
    """
    check_integer("most", most, least=1)
    make = maker(method_for_k)
    check_fits(make(1), star, constraints)
    arms = arms_of(star)
    limit = min(most, _smallest(star))
    seen = spectra(arms, limit + 1, generator(seed), progress)
    floor = max(_islands(arms), clusters_needed(constraints))
    seen_k = min(max(floor, *(each.k for each in seen)), limit)
    K = min(seen_k, _smallest(star, constraints))
    if K == 1:
        return Choice(1, CHANCE if seen_k == 1 else TIED, _table(*seen, limit, {}))
    if seen_k == K and K in (each.largest_gap for each in seen):
        return Choice(K, GAP, _table(*seen, limit, {}))
    fits = _Fits(star, make, constraints, seed)
    k, modularity, clustering = fits.compare(arms, min(max(floor, 2), K), K, progress)
    why = f"of the fits with {min(modularity)} to {max(modularity)} clusters it has the greatest modularity"
    return Choice(k, why, _table(*seen, limit, modularity), clustering)


def choice_record(choice: Choice) -> dict[str, object]:
    """Return a choice as plain values, as a run records it.

    >>> choice_record(Choice(2, GAP, ({"k": 1, "gap": 0.25},)))["tried"]
    [{'k': 1, 'gap': 0.25}]
    """
    return {"n_clusters": choice.k, "why": choice.why, "tried": [dict(row) for row in choice.table]}


def _table(weights: Spectrum, pairs: Spectrum, limit: int, modularity: Mapping[int, float]) -> Table:
    """Return a row for each number of clusters."""
    return tuple(
        {
            "k": k,
            "singular_value": _at(weights.values, k),
            "gap": _at(weights.gaps, k),
            "chance_edge": weights.edge,
            "pairs_value": _at(pairs.values, k),
            "pairs_gap": _at(pairs.gaps, k),
            "pairs_edge": pairs.edge,
            "modularity": modularity.get(k),
        }
        for k in range(1, limit + 1)
    )


def _at(numbers: Floats, k: int) -> float | None:
    return float(numbers[k - 1]) if k <= len(numbers) else None


class _Fits(NamedTuple):
    """Fits of one star that differ in nothing but the number of clusters."""

    star: Star
    method_for_k: Callable[[int], Method]
    constraints: Constraints
    seed: int | None

    def compare(
        self, arms: list[ScaledArm], first: int, last: int, progress: Progress
    ) -> tuple[int, dict[int, float], Clustering]:
        """Return the number whose fit has the greatest modularity, that of all that were tried, and the fit."""
        found: dict[int, float] = {}
        best, k = self.fit(first), first
        for tried in range(first, last + 1):
            progress("numbers of clusters", tried - first, last - first + 1)
            fitted = best if tried == first else self.fit(tried)
            found[tried] = _modularity(arms, fitted)
            if found[tried] > found[k]:
                k, best = tried, fitted
            if tried - k >= _PATIENCE:
                break
        progress("numbers of clusters", last - first + 1, last - first + 1)
        return k, found, best

    def fit(self, k: int) -> Clustering:
        """Return the fit with so many clusters."""
        return self.method_for_k(k).fit(self.star, self.constraints, seed=self.seed)


def _smallest(star: Star, constraints: Constraints = FREE) -> int:
    """Return how many linked nodes the kind has that has the fewest, of those with any; nodes that are tied are one."""
    linked = {nodes.kind: np.zeros(len(nodes), dtype=np.bool_) for nodes in star.kinds}
    for arm in star.arms:
        linked[arm.rows.kind] |= np.diff(arm.block.indptr) > 0
        linked[arm.cols.kind][arm.block.indices] = True
    ties = must_link_components(constraints)
    return min(
        _units(each, ties.of(kind) if kind in ties.starts else None) for kind, each in linked.items() if each.any()
    )


def _units(linked: Bools, components: Ints | None) -> int:
    """Return how many units some nodes are; the first have numbers of components, the others stand alone."""
    known = np.empty(0, dtype=np.int64) if components is None else components
    return len(np.unique(known[linked[: len(known)]])) + int(np.count_nonzero(linked[len(known) :]))


def _islands(arms: list[ScaledArm]) -> int:
    """Return how many connected parts of the whole star hold a noticeable share of its weight."""
    whole = csr_array(hstack([arm.weight / arm.block.sum() * arm.block for arm in arms]))
    # A node of a kind with itself is a row and a column, and in the part of both.
    joined = [arm.block + eye_array(arm.block.shape[0]) if arm.of_one_kind else arm.block for arm in arms]
    n_parts, row_parts, _ = components(csr_array(hstack(joined)))
    weights = np.bincount(row_parts, degrees(whole)[0], n_parts)
    return int(np.count_nonzero(weights >= _ISLAND * weights.sum()))


def _modularity(arms: list[ScaledArm], clustering: Clustering) -> float:
    """Return Barber's modularity, the mean over relations by their weights."""
    each = [arm.modularity(clustering) for arm in arms]
    return float(np.average(each, weights=[arm.weight for arm in arms]))
