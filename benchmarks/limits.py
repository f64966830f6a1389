"""Measure how much of planted clusters can be known at all: ``python -m benchmarks.limits``.

Loom, and its refinement started from the truth, are held against an inference that is told everything but the clusters:
the model that the network was drawn from, with its noise and with the propensities of its columns. Clusters are drawn
from their posterior by Gibbs sampling, and every row goes where it is most probably: no method that does not know the
truth places more rows rightly on average. One chain begins anywhere and is cooled down, one begins with the truth; that
they come to the same shows that both have forgotten where they began.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes with scikit-learn

from benchmarks import families
from benchmarks.families import FAMILIES, SPREAD, Blocks, Texts
from benchmarks.measure import whole
from benchmarks.peers import from_truth, ours
from graphmine.arrays import Floats, Labels
from graphmine.linalg.leave_one_out import RowView
from graphmine.metrics import nmi

__all__ = ["Documents", "Links", "Posterior", "main", "sampled"]


HARD = (
    "planted, noise .6", "planted, noise .7", "power law, k = 2", "sparse, near the threshold", "other column clusters",
    "text-like", "text-like, faint",
)  # fmt: skip
"""The families that Loom fell short on while its soft passes were those of a mean field."""

DRAWN: dict[Callable[..., object], Callable[..., Blocks | Texts]] = {
    families.planted: families.drawn_planted,
    families.blocks: families.drawn_blocks,
    families.texts: families.drawn_texts,
}

_GRID = np.linspace(-4.5, 4.5, 25)
"""Where the normal variable of a word in a topic is looked at."""


@dataclass(frozen=True, eq=False)
class Links:
    """The posterior of a block model: links of row i and column j are Poisson, d_i θ_j w_ab of them on average.

    Given the clusters of all rows those of the columns are independent, and the other way round, so that all are drawn
    at once; the columns first.
    """

    drawn: Blocks
    part: float = 1.0
    sweeps: int = 2000

    @property
    def n_clusters(self) -> int:
        """How many clusters of rows there are."""
        return len(self.drawn.shares)

    @cached_property
    def _across(self) -> tuple[csr_array, Floats]:
        return csr_array(self.drawn.block.T), np.asarray(self.drawn.block.sum(axis=1))

    def scores(self, rows: Labels, heat: float, rng: np.random.Generator) -> Floats:
        """Return the scores of rows by columns whose clusters are drawn given those of the rows."""
        (across, degree), (block, _, shares, rates, propensity) = self._across, self.drawn
        told, expected = np.log(rates), np.bincount(rows, degree, len(rates)) @ rates
        cols = picked(heat * (across @ told[rows] - np.outer(propensity, expected)), rng)
        masses = np.bincount(cols, propensity, rates.shape[1])
        scores: Floats = block @ told.T[cols] - np.outer(degree, rates @ masses) + np.log(shares)
        return scores


@dataclass(frozen=True, eq=False)
class Documents:
    """The posterior of documents: word w in topic a is Poisson, (1 - own + own x_aw) times as often as in the language.

    x is lognormal, with a mean of 1, and is summed over; each document is judged by the words of the others. As all
    documents are judged at once, and a quarter of them drawn, it is Gibbs sampling but for what that quarter would have
    learnt of each other.
    """

    drawn: Texts
    part: float = 0.25
    sweeps: int = 80

    @property
    def n_clusters(self) -> int:
        """How many topics there are."""
        return self.drawn.n_clusters

    @cached_property
    def _view(self) -> RowView:
        return RowView(self.drawn.block)

    def scores(self, rows: Labels, heat: float, rng: np.random.Generator) -> Floats:
        """Return the scores of documents by the words of the others."""
        block, language, view = self.drawn.block, self.drawn.language, self._view
        length, member = np.asarray(block.sum(axis=1)), np.eye(self.n_clusters)[rows]
        mass, lengths = block.T @ member, member.T @ length
        levels = self._levels(mass, np.outer(language, lengths))
        scores: Floats = block @ levels
        own, cols = rows[view.rows], block.indices
        alone = self._levels(mass[cols, own] - block.data, language[cols] * (lengths[own] - length[view.rows]))
        left = np.bincount(view.rows, block.data * (alone - levels[cols, own]), len(rows))
        scores[np.arange(len(rows)), rows] += left
        return scores

    def _levels(self, counts: Floats, expected: Floats) -> Floats:
        """Return the logarithms of the rates of words, of which so many were seen where so many are usual."""
        prior = np.exp(-(_GRID**2) / 2)
        wild = np.exp(SPREAD * _GRID)
        rates = 1 - self.drawn.own + self.drawn.own * wild / (wild @ prior / prior.sum())
        weights = counts[..., None] * np.log(rates) - expected[..., None] * rates + np.log(prior)
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        levels: Floats = np.log(weights @ rates / weights.sum(axis=-1))
        return levels


Posterior = Links | Documents
"""Both have scores, the logarithms of how probable clusters are for each row; what is drawn on the way is drawn from
the posterior to the power of a heat. A part of the rows is drawn in each sweep."""


def sampled(posterior: Posterior, rows: Labels, rng: np.random.Generator, *, cold: bool) -> Labels:
    """Return where each row is most probably, by a chain that begins with given clusters.

    Unless it begins ``cold`` the chain is cooled down during a quarter of the sweeps; the second half of them counts.
    """
    total, quarter = np.zeros((len(rows), posterior.n_clusters)), posterior.sweeps // 4
    for sweep in range(posterior.sweeps):
        heat = 1.0 if cold else min((sweep + 1) / quarter, 1.0)
        scores = posterior.scores(rows, heat, rng)
        rows = np.where(rng.random(len(rows)) < posterior.part, picked(heat * scores, rng), rows)
        if sweep >= 2 * quarter:
            sure = _softmax(scores)
            _, same = linear_sum_assignment(total.T @ sure, maximize=True)  # clusters may have changed their names
            total += sure[:, same]
    return np.asarray(total.argmax(axis=1), dtype=np.int64)


def picked(scores: Floats, rng: np.random.Generator) -> Labels:
    """Draw a cluster for each row, in proportion to the exponentials of its scores.

    >>> picked(np.array([[0.0, 50.0], [50.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    edges = _softmax(scores).cumsum(axis=1)
    chosen: Labels = (edges < edges[:, -1:] * rng.random((len(edges), 1))).sum(axis=1)
    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the families that the command line names, and print a table."""
    asked = _parse(arguments)
    print("| family | loom | loom from the truth | posterior, blind | posterior from the truth |")
    print("| --- | ---: | ---: | ---: | ---: |")
    with threadpool_limits(1):
        for name in asked.sets:
            found = np.array([list(_measured(name, seed, asked.sweeps)) for seed in range(asked.seeds)])
            print(f"| {name} | {' | '.join(map(_told, found.T))} |", flush=True)
    return 0


def _measured(name: str, seed: int, sweeps: int | None) -> Iterator[float]:
    """Give the row NMI of Loom, of its refinement of the truth, of the chain that begins anywhere, and of the other."""
    (star, known), posterior = FAMILIES[name](seed), _posterior(name, seed, sweeps)
    truth, rows, k = known[star.centre.kind], posterior.drawn.rows, posterior.n_clusters
    linked, rng = np.asarray(posterior.drawn.block.sum(axis=1)) > 0, np.random.default_rng(seed)
    yield nmi(ours("loom", star, k, seed), truth)
    yield nmi(from_truth(truth, star, k, seed), truth)
    for start, cold in ((rng.integers(k, size=len(rows)), False), (rows, True)):
        yield nmi(sampled(posterior, start, rng, cold=cold)[linked], truth)


def _posterior(name: str, seed: int, sweeps: int | None) -> Posterior:
    family = FAMILIES[name]
    assert isinstance(family, partial)
    drawn = DRAWN[family.func](*family.args, seed, **family.keywords)
    often = {} if sweeps is None else {"sweeps": sweeps}
    return Links(drawn, **often) if isinstance(drawn, Blocks) else Documents(drawn, **often)


def _softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


def _told(several: Floats) -> str:
    return f"{several.mean():.3f} ± {several.std():.3f}"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    known = [name for name, family in FAMILIES.items() if isinstance(family, partial) and family.func in DRAWN]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.limits", description=(__doc__ or "").partition("\n")[0],
        epilog=f"Families: {'; '.join(known)}.",
    )  # fmt: skip
    add = parser.add_argument
    add(
        "--sets",
        nargs="+",
        choices=known,
        default=HARD,
        metavar="NAME",
        help="families (default: those that were missed)",
    )
    add("--seeds", type=whole, default=5, metavar="N", help="networks of each (default: 5)")
    add("--sweeps", type=whole, metavar="N", help="how often clusters are drawn (default: 2000, of documents 80)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
