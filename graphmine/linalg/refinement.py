"""How well each row of a block fits each cluster of rows, judged by the other entries of its columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

__all__ = ["SHRINKAGES", "Profiles", "Shrinkage", "leave_one_out", "moved", "profiles", "shrinkage"]

Labels = NDArray[np.int64]
Numbers = NDArray[np.float64]

SHRINKAGES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0)
"""The strengths to choose from, in units of the block's weights."""

_PRIOR = 0.5
"""The weight of the shares of all entries in the share of a column cluster, so that none is zero."""

_CHUNK = 1 << 17
"""So many entries are looked at at once."""

_CLEARLY = 1e-9
"""A row moves for a score that is better by so much of its size; less is rounding, and would depend on the order."""


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
    """

    mass: Numbers
    blocks: Numbers
    shares: Numbers
    sizes: Numbers
    totals: Numbers
    col_labels: Labels


class Shrinkage(NamedTuple):
    """The strength that explains left-out entries best, and their mean log-likelihood with it."""

    strength: float
    likelihood: float


def profiles(transposed: csr_array, labels: Labels, col_labels: Labels, n_clusters: int) -> Profiles:
    """Return the profiles of a block, given transposed, with its rows and columns in ``n_clusters`` clusters each.

    >>> block = csr_array([[2.0, 0.0], [1.0, 1.0]])
    >>> seen = profiles(csr_array(block.T), np.array([0, 1]), np.array([0, 1]), 2)
    >>> seen.mass.tolist(), seen.sizes.tolist(), seen.totals.tolist()
    ([[2.0, 1.0], [0.0, 1.0]], [0.5, 0.5], [3.0, 1.0])
    """
    mass: Numbers = (transposed @ _indicators(labels, n_clusters)).toarray()
    sizes: Numbers = mass.sum(axis=0) / mass.sum()
    blocks: Numbers = _indicators(col_labels, n_clusters).T @ mass
    shares = (blocks + _PRIOR * sizes) / (blocks.sum(axis=1, keepdims=True) + _PRIOR)
    return Profiles(mass, blocks, shares, sizes, mass.sum(axis=1), col_labels)


def leave_one_out(block: csr_array, labels: Labels, seen: Profiles, strength: float) -> Numbers:
    """Return how much likelier each row is in each cluster than anywhere, each entry judged by the others.

    Parameters
    ----------
    block
        B, of the rows to score; not negative.
    labels
        a_i, the clusters that the rows are in now.
    seen
        The profiles of its columns with these labels.
    strength
        s: as much weight as so much is given to the profile of a column's cluster, beside that of the column itself.

    Notes
    -----
    The score of row i in cluster a is

        Σ_j B_ij log[(M_ja - B_ij [a = a_i] + s Π_b(j)a) / ((d_j - B_ij + s) π_a)],

    and -∞ in an empty cluster. Without leaving B_ij out a row would find itself in its own cluster and stay there.
    The cost is O(nnz k), the memory O(nnz + n k) with n the rows and columns: one product of the block with n x k
    numbers, and a correction of one number an entry, which are looked at in chunks.

    Examples
    --------
    >>> block = csr_array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> labels, col_labels = np.array([0, 0, 1, 1]), np.array([0, 1])
    >>> seen = profiles(csr_array(block.T), labels, col_labels, 2)
    >>> leave_one_out(block, labels, seen, 1.0).round(2).tolist()
    [[0.39, -0.68], [0.39, -0.68], [-2.3, 0.79], [-1.79, -1.48]]
    """
    scores: Numbers = block @ _logarithms(seen, strength)
    for rows, cols, weights in _entries(block):
        own = labels[rows]
        whole = _term(seen, cols, own, 0.0, strength)
        # The denominator is the same in all clusters; the numerator of the own cluster alone lacks the entry.
        without = _term(seen, cols, own, weights, strength)
        first, places = rows[0], rows - rows[0]
        here = slice(first, rows[-1] + 1)
        scores[here] -= np.bincount(places, weights * _rest(seen, cols, weights, strength))[:, None]
        scores[np.arange(first, rows[-1] + 1), labels[here]] += np.bincount(places, weights * (without - whole))
    scores[:, seen.sizes == 0] = -np.inf
    return scores


def shrinkage(block: csr_array, labels: Labels, seen: Profiles, sample: Labels | None = None) -> Shrinkage:
    """Return the strength of `SHRINKAGES` under which left-out entries are likeliest where their rows are now.

    Parameters
    ----------
    block, labels, seen
        As `leave_one_out` takes them. The likelihood is the mean over the weight of the entries, in nats: with all
        entries, the sum of the scores of all rows in their own clusters divided by the weight of the block.
    sample
        The entries to look at, in increasing order, as positions in the block's data; None for all of them.

    Examples
    --------
    >>> block = csr_array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> labels, col_labels = np.array([0, 0, 1, 1]), np.array([0, 1])
    >>> shrinkage(block, labels, profiles(csr_array(block.T), labels, col_labels, 2)).strength
    10000.0
    """
    sums, total = np.zeros(len(SHRINKAGES)), 0.0
    for rows, cols, weights in _entries(block, sample):
        own = labels[rows]
        mass = np.maximum(seen.mass[cols, own] - weights, 0.0) / seen.sizes[own]
        share = seen.shares[seen.col_labels[cols], own] / seen.sizes[own]
        rest = np.maximum(seen.totals[cols] - weights, 0.0)
        total += float(weights.sum())
        sums += [weights @ np.log((mass + strength * share) / (rest + strength)) for strength in SHRINKAGES]
    best = int(np.argmax(sums))
    return Shrinkage(SHRINKAGES[best], float(sums[best]) / total)


def moved(scores: Numbers, labels: Labels) -> Labels:
    """Return the cluster with the best score for each row; its own where no other is clearly better.

    >>> moved(np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([1, 0])).tolist()
    [1, 1]
    """
    rows, best = np.arange(len(labels)), scores.argmax(axis=1)
    own, top = scores[rows, labels], scores[rows, best]
    return np.where(top > own + _CLEARLY * (1 + np.abs(top)), best, labels)


def _indicators(labels: Labels, n_clusters: int) -> csr_array:
    places = np.arange(len(labels) + 1)
    return csr_array((np.ones(len(labels)), labels, places), shape=(len(labels), n_clusters))


def _logarithms(seen: Profiles, strength: float) -> Numbers:
    """Return log[(M_ja + s Π_b(j)a) / π_a] of all columns and clusters, 0 in empty clusters."""
    there = seen.sizes > 0
    logarithms = seen.shares[seen.col_labels]
    logarithms *= strength
    logarithms += seen.mass
    logarithms[:, ~there] = 1.0
    np.log(logarithms, out=logarithms)
    logarithms[:, there] -= np.log(seen.sizes[there])
    return logarithms


def _term(seen: Profiles, cols: Labels, own: Labels, left_out: Numbers | float, strength: float) -> Numbers:
    """Return log[(M_ja - w + s Π_b(j)a) / π_a] of entries in the clusters of their rows."""
    mass = np.maximum(seen.mass[cols, own] - left_out, 0.0)
    terms: Numbers = np.log((mass + strength * seen.shares[seen.col_labels[cols], own]) / seen.sizes[own])
    return terms


def _rest(seen: Profiles, cols: Labels, left_out: Numbers, strength: float) -> Numbers:
    """Return log(d_j - w + s) of entries."""
    rest: Numbers = np.log(np.maximum(seen.totals[cols] - left_out, 0.0) + strength)
    return rest


def _entries(block: csr_array, sample: Labels | None = None) -> Iterator[tuple[Labels, Labels, Numbers]]:
    """Give the rows, columns and weights of entries, some at a time, row by row."""
    count = int(block.nnz) if sample is None else len(sample)
    for start in range(0, count, _CHUNK):
        end = min(start + _CHUNK, count)
        chosen = np.arange(start, end) if sample is None else sample[start:end]
        rows = np.searchsorted(block.indptr, chosen, side="right").astype(np.int64) - 1
        yield rows, block.indices[chosen].astype(np.int64), block.data[chosen]
