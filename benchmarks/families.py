"""Planted networks, for the benchmark of quality: each family draws a new network for each seed.

Each function returns ``(star, truth)`` as the gallery does: a star of one arm without empty rows or columns, and the
true cluster of each row.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import block_diag, csr_array

from benchmarks.sets import Truth, linked
from graphmine import gallery
from graphmine.arrays import Floats, Labels
from graphmine.model import Star

__all__ = [
    "FAMILIES", "SPREAD", "Blocks", "Family", "Texts",
    "blocks", "crumbs", "drawn_blocks", "drawn_planted", "drawn_texts", "planted", "texts",
]  # fmt: skip

Family = Callable[[int], tuple[Star, Truth]]

SPREAD = 1.5
"""The standard deviation of the logarithms of what a topic makes of the language's propensities."""


class Blocks(NamedTuple):
    """A block model as it was drawn, and what it was drawn by.

    Parameters
    ----------
    block, rows
        The links, and the true cluster of each row.
    shares
        How probable each cluster of rows was.
    rates
        How many times as often as by their propensities alone rows of a cluster are linked to columns of a cluster.
    propensity
        Of each column; all together 1.
    """

    block: csr_array
    rows: Labels
    shares: Floats
    rates: Floats
    propensity: Floats


class Texts(NamedTuple):
    """Documents as they were drawn: their words and topics, the propensities of the language, how much is a topic's."""

    block: csr_array
    rows: Labels
    n_clusters: int
    language: Floats
    own: float


def planted(n_rows: int, n_cols: int, n_clusters: int, degree: int, noise: float, seed: int) -> tuple[Star, Truth]:
    """Return a planted network of the gallery, without venues nobody publishes in."""
    return _network(drawn_planted(n_rows, n_cols, n_clusters, degree, noise, seed))


def drawn_planted(n_rows: int, n_cols: int, n_clusters: int, degree: int, noise: float, seed: int) -> Blocks:
    """Return a planted network of the gallery, and what it was drawn by."""
    star, truth = gallery.planted(n_rows, n_cols, n_clusters, degree, noise, seed)
    equal, alike = np.full(n_clusters, 1 / n_clusters), np.full(n_cols, 1 / n_cols)
    rates = _rates(np.eye(n_clusters), noise, truth["Venue"], alike)
    return Blocks(star.arms[0].block, truth["Author"], equal, rates, alike)


def blocks(
    n_rows: int,
    n_cols: int,
    n_clusters: int,
    degree: float,
    noise: float,
    seed: int,
    *,
    unequal: float = 0.0,
    tail: float = 2.5,
    n_topics: int | None = None,
) -> tuple[Star, Truth]:
    """Return a block model whose degrees follow a power law of exponent ``tail``.

    Each of ``n_rows · degree`` links takes a row by its own propensity, and a column by its propensity among those of
    the row's cluster, or with probability ``noise`` among all. Cluster a has a share in proportion to
    (a + 1)^-unequal. With ``n_topics`` there are so many clusters of columns instead of one each: a cluster of rows
    takes from three of them, drawn at random, in random parts.
    """
    drawn = drawn_blocks(n_rows, n_cols, n_clusters, degree, noise, seed, unequal=unequal, tail=tail, n_topics=n_topics)
    return _network(drawn)


def drawn_blocks(
    n_rows: int,
    n_cols: int,
    n_clusters: int,
    degree: float,
    noise: float,
    seed: int,
    *,
    unequal: float = 0.0,
    tail: float = 2.5,
    n_topics: int | None = None,
) -> Blocks:
    """Return a block model as `blocks` does, and what it was drawn by."""
    rng = np.random.default_rng(seed)
    shares: Floats = np.arange(1.0, n_clusters + 1) ** -unequal
    shares /= shares.sum()
    row_truth = rng.choice(n_clusters, n_rows, p=shares)
    rows = _picked(rng, _propensities(rng, n_rows, tail), int(n_rows * degree))
    taste, n_topics = (
        (np.eye(n_clusters), n_clusters) if n_topics is None else (_taste(rng, n_clusters, n_topics), n_topics)
    )
    col_truth = rng.permutation(np.arange(n_cols) % n_topics)
    wanted = (taste.cumsum(axis=1)[row_truth[rows]] < rng.random((len(rows), 1))).sum(axis=1)
    wanted[rng.random(len(rows)) < noise] = -1
    propensity = _propensities(rng, n_cols, tail)
    cols = _cols(rng, wanted, col_truth, propensity)
    block = csr_array((np.ones(len(rows)), (rows, cols)), shape=(n_rows, n_cols))
    propensity /= propensity.sum()
    return Blocks(block, row_truth, shares, _rates(taste, noise, col_truth, propensity), propensity)


def crumbs(n_crumbs: int, n_rows: int, n_cols: int, n_clusters: int, noise: float, seed: int) -> tuple[Star, Truth]:
    """Return a block model among small components of two rows and two columns each, whose truth is not known."""
    star, truth = blocks(n_rows, n_cols, n_clusters, 8, noise, seed)
    small = [csr_array(np.ones((2, 2)))] * n_crumbs
    unknown = np.full(2 * n_crumbs, -1)
    block = csr_array(block_diag([star.arms[0].block, *small]))
    return linked("Author", "Venue", block, np.concatenate([truth["Author"], unknown]))


def texts(n_rows: int, n_cols: int, n_clusters: int, own: float, seed: int) -> tuple[Star, Truth]:
    """Return documents of very different lengths, whose words are their topic's with probability ``own``.

    Words follow Zipf's law. A topic's own words are all words with propensities of their own, lognormal around those
    of the language, so that no word is only of one topic.
    """
    drawn = drawn_texts(n_rows, n_cols, n_clusters, own, seed)
    return linked("Document", "Word", drawn.block, drawn.rows)


def drawn_texts(n_rows: int, n_cols: int, n_clusters: int, own: float, seed: int) -> Texts:
    """Return documents as `texts` does, and what they were drawn by."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(n_clusters, n_rows)
    lengths = np.maximum(rng.lognormal(3.8, 0.8, n_rows).astype(np.int64), 3)
    language = rng.permutation(1.0 / (np.arange(n_cols) + 10))
    topics = language * rng.lognormal(0, SPREAD, (n_clusters, n_cols))
    rows = np.repeat(np.arange(n_rows), lengths)
    topic = np.where(rng.random(len(rows)) < own, truth[rows], n_clusters)
    cols = np.empty(len(rows), dtype=np.int64)
    for number, propensity in enumerate([*topics, language]):
        there = topic == number
        cols[there] = _picked(rng, propensity, int(there.sum()))
    block = csr_array((np.ones(len(rows)), (rows, cols)), shape=(n_rows, n_cols))
    return Texts(block, truth, n_clusters, language / language.sum(), own)


def _network(drawn: Blocks) -> tuple[Star, Truth]:
    return linked("Author", "Venue", drawn.block, drawn.rows)


def _rates(taste: Floats, noise: float, col_truth: Labels, propensity: Floats) -> Floats:
    """Return how many times as often as by chance each cluster of rows is linked to each cluster of columns."""
    masses = np.bincount(col_truth, propensity, taste.shape[1])
    rates: Floats = (1 - noise) * taste / masses + noise
    return rates


def _propensities(rng: np.random.Generator, count: int, tail: float) -> Floats:
    """Draw from a power law, cut off so that no node has more than a hundredth of all."""
    drawn = rng.pareto(tail - 1, count) + 1
    return np.asarray(np.minimum(drawn, drawn.sum() / 100))


def _picked(rng: np.random.Generator, propensity: Floats, count: int) -> Labels:
    """Draw positions, each in proportion to its propensity."""
    edges = propensity.cumsum()
    picked: Labels = np.searchsorted(edges, edges[-1] * rng.random(count), side="right").astype(np.int64)
    return picked


def _taste(rng: np.random.Generator, n_clusters: int, n_topics: int) -> Floats:
    """Return what part of its links each cluster of rows has in each cluster of columns."""
    taste = np.zeros((n_clusters, n_topics))
    for cluster in taste:
        cluster[rng.choice(n_topics, 3, replace=False)] = rng.dirichlet([2.0] * 3)
    return taste


def _cols(rng: np.random.Generator, wanted: Labels, col_truth: Labels, propensity: Floats) -> Labels:
    """Draw a column for each link: of the cluster it wants, or any for -1."""
    cols = np.empty(len(wanted), dtype=np.int64)
    for number in np.unique(wanted).tolist():
        there = wanted == number
        among = np.flatnonzero(col_truth == number) if number >= 0 else np.arange(len(col_truth))
        cols[there] = among[_picked(rng, propensity[among], int(there.sum()))]
    return cols


FAMILIES: Mapping[str, Family] = {
    "planted, noise .4": partial(planted, 600, 400, 4, 10, 0.4),
    "planted, noise .6": partial(planted, 400, 300, 4, 10, 0.6),
    "planted, noise .7": partial(planted, 1000, 800, 4, 15, 0.7),
    "power law, k = 2": partial(blocks, 1000, 600, 2, 6, 0.5),
    "power law, k = 5": partial(blocks, 2000, 1000, 5, 8, 0.4),
    "power law, k = 10": partial(blocks, 4000, 2000, 10, 10, 0.4),
    "power law, k = 20": partial(blocks, 8000, 4000, 20, 12, 0.4),
    "unequal, k = 5": partial(blocks, 2000, 1000, 5, 8, 0.4, unequal=1.0),
    "unequal, k = 10": partial(blocks, 4000, 2000, 10, 12, 0.4, unequal=1.0),
    "sparse, near the threshold": partial(blocks, 5000, 5000, 4, 5, 0.45, tail=3.5),
    "small components": partial(crumbs, 400, 1500, 800, 4, 0.4),
    "other column clusters": partial(blocks, 2000, 1500, 5, 12, 0.3, n_topics=8),
    "text-like": partial(texts, 3000, 6000, 8, 0.5),
    "text-like, faint": partial(texts, 2000, 5000, 5, 0.3),
    "a million links": partial(blocks, 100_000, 20_000, 10, 12, 0.4),
    "two million links": partial(texts, 40_000, 30_000, 20, 0.5),
}
"""The families by their names; each takes a seed."""
