"""Leave-one-out scores: how well each row of a block fits each cluster of rows, by the other entries of its columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphmine.arrays import AnyArray, Floats, Labels
from graphmine.linalg.resources import row_parts, row_slice, run_parallel

__all__ = [
    "SHRINKAGES",
    "Profiles",
    "RowView",
    "Shrinkage",
    "best_clusters",
    "indicators",
    "leave_one_out",
    "profiles",
    "shrinkage",
]  # fmt: skip


SHRINKAGES: tuple[float, ...] = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
"""The strengths to choose from, in units of the block's weights."""

_PRIOR = 0.5
"""The weight of the shares of all entries in the share of a column cluster, so that none is zero."""

_ROUGH = 1e-6
"""Mean likelihoods in single precision are nearer to the true ones than half of this, in nats."""

_CHUNK = 1 << 18
"""So many entries are looked at at once."""

_NO_SHARE = 1e-6
"""The share of a cluster that has none of a block, so that rows can still be asked how they would fit into it."""

_CLEARLY = 1e-9
"""A row moves for a score that is better by so much of its size; less is rounding, and would depend on the order."""


@dataclass(frozen=True, eq=False)
class RowView:
    """A block seen from its rows: its entries, with the row of each.

    Parameters
    ----------
    block
        B; not negative. Scores are computed in its precision.
    sample
        The entries that judge a shrinkage, in increasing order, as positions in the block's data; None for all.
    """

    block: csr_array
    sample: Labels | None = None
    rows: NDArray[np.int32] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Note the row of each entry."""
        rows = np.repeat(np.arange(self.block.shape[0], dtype=np.int32), np.diff(self.block.indptr))
        object.__setattr__(self, "rows", rows)

    @cached_property
    def total(self) -> float:
        """The weight of all entries."""
        return float(self.block.data.sum(dtype=np.float64))

    def places(self, labels: Labels, n_clusters: int) -> Labels:
        """Return for each entry where its row's cluster stands among those of its column, laid end to end."""
        places = self.block.indices.astype(np.int64)
        places *= n_clusters
        places += labels[self.rows]
        return places

    def count(self, sample: Labels | None = None) -> int:
        """Return the number of all entries, or of a sample of them."""
        return int(self.block.nnz) if sample is None else len(sample)

    def entries(self, sample: Labels | None = None) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], Floats]]:
        """Give the rows, columns and weights of all entries, or of a sample of them, some at a time, row by row."""
        count = self.count(sample)
        for start in range(0, count, _CHUNK):
            part = slice(start, min(start + _CHUNK, count))
            chosen = part if sample is None else sample[part]
            yield self.rows[chosen], self.block.indices[chosen], self.block.data[chosen]


@dataclass(frozen=True, eq=False)
class Profiles:
    """Where the weight of columns, of their clusters and of all of them lies among clusters of rows.

    Parameters
    ----------
    mass
        M_ja, the weight of column j in row cluster a.
    blocks
        N_ba, the weight of column cluster b in row cluster a.
    shares
        Π_ba, the share of row cluster a in column cluster b, lightly smoothed.
    sizes
        π_a, the share of row cluster a in everything; 0 for an empty one.
    totals
        d_j, the weight of column j.
    col_labels
        b(j).
    view, places
        The block that was looked at, and where the cluster of each entry's row stands in the mass laid end to end.
    """

    mass: Floats
    blocks: Floats
    shares: Floats
    sizes: Floats
    totals: Floats
    col_labels: Labels
    view: RowView
    places: Labels

    def levels(self, strength: float) -> Floats:
        """Return M_ja + s Π_b(j)a of all columns and clusters."""
        levels: Floats = self.shares[self.col_labels]
        levels *= strength
        levels += self.mass
        return levels


class Shrinkage(NamedTuple):
    """The strength that explains left-out entries best, and their mean log-likelihood with it."""

    strength: float
    likelihood: float


def profiles(view: RowView, labels: Labels, col_labels: Labels, n_clusters: int) -> Profiles:
    """Return the profiles of a block with its rows and columns in ``n_clusters`` clusters each.

    >>> view = RowView(csr_array([[2.0, 0.0], [1.0, 1.0]]))
    >>> seen = profiles(view, np.array([0, 1]), np.array([0, 1]), 2)
    >>> seen.mass.tolist(), seen.sizes.tolist(), seen.totals.tolist()
    ([[2.0, 1.0], [0.0, 1.0]], [0.5, 0.5], [3.0, 1.0])
    """
    n_cols = view.block.shape[1]
    places = view.places(labels, n_clusters)
    counted = np.bincount(places, view.block.data, n_cols * n_clusters).astype(np.float64)
    mass: Floats = counted.reshape(n_cols, n_clusters)
    sizes: Floats = mass.sum(axis=0) / mass.sum()
    blocks: Floats = indicators(col_labels, n_clusters).T @ mass
    prior = np.where(sizes > 0, sizes, _NO_SHARE)
    shares = (blocks + _PRIOR * prior) / (blocks.sum(axis=1, keepdims=True) + _PRIOR)
    return Profiles(mass, blocks, shares, sizes, mass.sum(axis=1), col_labels, view, places)


def leave_one_out(view: RowView, labels: Labels, seen: Profiles, strength: float) -> Floats:
    """Return how well each row fits each cluster, each entry judged by the others.

    Parameters
    ----------
    view
        B, of the rows to score.
    labels
        a_i, the clusters that the rows are in now.
    seen
        The profiles of its columns with these labels.
    strength
        s: as much weight as so much is given to the profile of a column's cluster, beside that of the column itself.

    Notes
    -----
    The score of row i in cluster a is, but for a number that is the same in all clusters,

        Σ_j B_ij log[(M_ja - B_ij [a = a_i] + s Π_b(j)a) / π_a],

    with π of an empty cluster taken for a millionth. Without leaving B_ij out a row would find itself in its own
    cluster and stay there. The cost is O(nnz k), the memory O(nnz + n k) with n the rows and columns: one product of
    the block with n x k numbers, and a correction of one number an entry.

    Examples
    --------
    >>> view = RowView(csr_array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    >>> labels, col_labels = np.array([0, 0, 1, 1]), np.array([0, 1])
    >>> seen = profiles(view, labels, col_labels, 2)
    >>> leave_one_out(view, labels, seen, 1.0).round(2).tolist()
    [[3.16, 2.09], [3.16, 2.09], [-1.61, 1.48], [0.51, 0.82]]
    """
    block = view.block
    levels = seen.levels(strength).astype(block.dtype, copy=False)
    logarithms, levels = _logarithms(levels, seen.sizes), levels.ravel()
    places = seen.places if seen.view is view else view.places(labels, logarithms.shape[1])
    scores = np.empty((block.shape[0], logarithms.shape[1]))

    def score(rows: slice) -> None:
        some = row_slice(block, rows)
        scores[rows] = some @ logarithms
        # Of the own cluster alone the entry is taken away: log(x - w) = log x + log(1 - w / x).
        left = levels[places[block.indptr[rows.start] : block.indptr[rows.stop]]]
        np.divide(some.data, left, out=left)
        np.subtract(1, left, out=left)
        np.log(np.maximum(left, 1e-12, out=left), out=left)
        left *= some.data
        own = np.arange(rows.start, rows.stop), labels[rows]
        scores[own] += csr_array((left, some.indices, some.indptr), some.shape).sum(axis=1)

    run_parallel(score, row_parts(block))
    return scores


def shrinkage(view: RowView, labels: Labels, seen: Profiles) -> Shrinkage:
    """Return the strength of `SHRINKAGES` under which left-out entries are likeliest where their rows are now.

    The likelihood is the mean of log[(M_ja - B_ij + s Π_b(j)a) / ((d_j - B_ij + s) π_a)], a = a_i, over the weight of
    the entries or of the view's sample of them, in nats.

    Examples
    --------
    >>> view = RowView(csr_array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    >>> labels, col_labels = np.array([0, 0, 1, 1]), np.array([0, 1])
    >>> shrinkage(view, labels, profiles(view, labels, col_labels, 2)).strength
    10000.0
    """
    strengths, sums, total = SHRINKAGES, np.zeros(1), 0.0
    for chosen in view.entries(view.sample):
        entries = _left_out(*chosen, labels, seen)
        if chosen[0].size == view.count(view.sample):  # not the first of many, which could not speak for all
            strengths = _close(entries)
        sums = sums + _likelihoods(entries, strengths)
        total += float(entries.weights.sum())
    best = int(np.argmax(sums))
    return Shrinkage(strengths[best], float(sums[best]) / total)


def best_clusters(scores: Floats, labels: Labels) -> Labels:
    """Return the cluster with the best score for each row; its own where no other is clearly better.

    >>> best_clusters(np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([1, 0])).tolist()
    [1, 1]
    """
    rows, best = np.arange(len(labels)), scores.argmax(axis=1)
    own, top = scores[rows, labels], scores[rows, best]
    return np.where(top > own + _CLEARLY * (1 + np.abs(top)), best, labels)


class _LeftOut(NamedTuple):
    """Some entries: their weights, and M_ja / π_a, Π_b(j)a / π_a and d_j, each without them."""

    weights: AnyArray
    mass: AnyArray
    share: AnyArray
    rest: AnyArray


def _left_out(
    rows: NDArray[np.int32], cols: NDArray[np.int32], weights: Floats, labels: Labels, seen: Profiles
) -> _LeftOut:
    own = labels[rows]
    mass = np.maximum(seen.mass[cols, own] - weights, 0.0) / seen.sizes[own]
    share = seen.shares[seen.col_labels[cols], own] / seen.sizes[own]
    return _LeftOut(weights, mass, share, np.maximum(seen.totals[cols] - weights, 0.0))


def _close(entries: _LeftOut) -> tuple[float, ...]:
    """Return the strengths that single precision, which takes a third of the time, can not tell from the best."""
    weights, *seen = entries
    # The weights are not rounded: sums of many numbers would be less exact than each of them.
    rough = _likelihoods(_LeftOut(weights.astype(np.float64), *(each.astype(np.float32) for each in seen)), SHRINKAGES)
    least = rough.max() - _ROUGH * float(entries.weights.sum())
    return tuple(strength for strength, found in zip(SHRINKAGES, rough, strict=True) if found >= least)


def _likelihoods(entries: _LeftOut, strengths: Sequence[float]) -> Floats:
    """Return the log-likelihood of entries under each strength."""
    weights, mass, share, rest = entries
    return np.array([weights @ np.log((mass + strength * share) / (rest + strength)) for strength in strengths])


def _logarithms(levels: AnyArray, sizes: Floats) -> AnyArray:
    """Return log[(M_ja + s Π_b(j)a) / π_a] of all columns and clusters."""
    found: AnyArray = np.log(levels)
    found -= np.log(np.where(sizes > 0, sizes, _NO_SHARE)).astype(levels.dtype)
    return found


def indicators(labels: Labels, n_clusters: int) -> csr_array:
    """Return a row for each label with a 1 in its column.

    >>> indicators(np.array([1, 0]), 3).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    places = np.arange(len(labels) + 1)
    return csr_array((np.ones(len(labels)), labels, places), shape=(len(labels), n_clusters))
