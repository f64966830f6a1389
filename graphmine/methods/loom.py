"""Loom: graphmine's own method, a spectral start refined by what each node's neighbours say without it."""

import warnings
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from graphmine.checks import check_integer
from graphmine.linalg import degrees, kmeans, leading_triplets, scaled
from graphmine.linalg.refinement import leave_one_out, moved, profiles, shrinkage
from graphmine.methods.base import Traits, check_fits, generator
from graphmine.methods.bipartite import Cut, check_enough, plain_cut, spread
from graphmine.methods.numbering import renumbered
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["Loom"]

Labels = NDArray[np.int64]
Numbers = NDArray[np.float64]

_FIRST, _MORE = 2, 6
"""Passes from each start, and the most from the better of them."""

_SAMPLE = 50_000
"""So many entries judge a shrinkage and a start; in smaller blocks, all of them."""

_SETTLED = 1e-4
"""A gain of less than so much of the likelihood ends the passes."""

_NOTHING = 1e-8
"""Singular values below so much of the first, and points below so much of their row's length, are rounding."""


@dataclass(frozen=True)
class Loom:
    """Spectral start and leave-one-out refinement: nodes go where the other entries of their neighbours lie.

    It is the unconstrained part of a method that is to take links as well; for now it refuses all constraints.

    Parameters
    ----------
    n_clusters
        How many clusters, at most as many as there are linked nodes of the smaller kind. Fewer come back where the
        relation has fewer distinct profiles than that, or where the refinement leaves a cluster without nodes.

    Notes
    -----
    **Start.** With B the block, D_r and D_c its row and column sums, and τ_r and τ_c their means,

        A = (D_r + τ_r)^-½ B (D_c + τ_c)^-½ = U Σ Vᵀ.

    τ keeps small, nearly disconnected parts from taking the leading vectors. The q = min(2k, k + 10) first vectors,
    times Σ², with rows brought to length one, are clustered by k-means twice: rows and columns together; and rows
    alone, each column then going to the row cluster that has most of it for its size.

    **Refinement.** M_ja is the weight of column j in row cluster a, d_j its sum, π_a the share of a in everything, and
    Π_ba its share in column cluster b. Every row goes to the cluster with the greatest

        Σ_j B_ij log[(M_ja - B_ij [a = a_i] + s Π_b(j)a) / ((d_j - B_ij + s) π_a)],

    then every column alike. Each entry is judged by the others of its column, and the column's own profile is shrunk
    towards that of its cluster: as s grows this is information-theoretic co-clustering, or the degree-corrected block
    model; as s shrinks, naive Bayes. s is chosen for each pass and side, from 1, 3, ... 10,000, as the one under which
    the entries, each left out, are likeliest: of all entries, or of 50,000 drawn by the seed where there are more.
    Two passes are made from each start, then up to six from the likelier.

    **Trace.** The mean log-likelihood ratio of a left-out entry in nats, over both sides: of the better start, and
    after each of its passes. It is to be large. A pass need not raise it: nothing proves so, and on texts late passes
    lower it a little. Such a pass is taken back and is the last, so that the trace never falls. Where the sixth pass
    still gains more than a ten-thousandth, the result says that it has not converged.

    - s is in units of counts, so weights are first divided by their mean, and their scale does not matter.
    - Row and column clusters are numbered apart; in the end they are matched one to one, so that Σ N_ab / √(N_a N_b)
      over matched pairs, with N the weight of blocks, is greatest.
    - k-means keeps the start of the least inertia, which is not always the one that refines best.
    - All passes begin with the rows, so that a relation turned round can give other clusters where they are vague.
    - Nodes without links are left `UNPLACED`. Equal rows share a cluster.

    The cost is O(nnz + n k) a Lanczos step, O(n k²) a pass of k-means and O(nnz k) a pass of the refinement, for n
    nodes of both kinds; the memory is O(nnz + n k).

    References
    ----------
    A. A. Amini, A. Chen, P. J. Bickel, E. Levina: Pseudo-likelihood methods for community detection in large sparse
    networks. Annals of Statistics 2013: the regularised spectral start, and refinement by likelihood.
    I. S. Dhillon, S. Mallela, D. S. Modha: Information-theoretic co-clustering. KDD 2003.
    B. Karrer, M. E. J. Newman: Stochastic blockmodels and community structure in networks. Physical Review E 2011.

    Examples
    --------
    >>> from graphmine.model import Nodes, Relation
    >>> block = csr_array([[3.0, 2.0, 0.0], [2.0, 3.0, 0.0], [0.0, 1.0, 4.0], [0.0, 0.0, 0.0]])
    >>> wrote = Relation(Nodes("Author", ["ann", "bob", "cem", "dan"]), Nodes("Venue", ["KDD", "ICDM", "CHI"]), block)
    >>> found = Loom(n_clusters=2).fit(Star((wrote,)), seed=0)
    >>> found.labels["Author"].tolist(), found.labels["Venue"].tolist()
    ([0, 0, 1, -1], [0, 0, 1])
    """

    n_clusters: int
    traits: ClassVar[Traits] = Traits(
        title="Spectral start and leave-one-out refinement",
        paper="graphmine's own, after Dhillon et al. (KDD 2003), Karrer and Newman (2011) and Amini et al. (2013).",
    )

    def __post_init__(self) -> None:
        """Refuse a number of clusters that is none."""
        check_integer("n_clusters", self.n_clusters, least=1)

    def fit(
        self,
        star: Star,
        constraints: Constraints = FREE,
        *,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> Clustering:
        """Return the clusters of both kinds of a relation."""
        started = perf_counter()
        check_fits(self, star, constraints)
        rng, relation = generator(seed), star.arms[0]
        cut = plain_cut(relation)
        check_enough(self.n_clusters, cut, relation)
        web = _Web.of(cut, self.n_clusters, rng)
        progress("singular vectors", 0, 3)
        points, converged = _embedded(web, rng)
        progress("k-means", 1, 3)
        starts = _starts(web, points, rng)
        progress("refinement", 2, 3)
        cloth, trace, settled = _woven(web, starts)
        progress("refinement", 3, 3)
        labels = renumbered(spread(_matched(web, cloth), cut, relation))
        return Clustering(labels, trace, converged and settled, perf_counter() - started)


class _Cloth(NamedTuple):
    """Clusters of rows and of columns, how likely they make left-out entries, and the shrinkage of the rows."""

    rows: Labels
    cols: Labels
    likelihood: float
    strength: float


class _Woven(NamedTuple):
    """What passes led to, the likelihoods on the way, and whether there was nothing more to gain."""

    cloth: _Cloth
    trace: tuple[float, ...]
    settled: bool


@dataclass(frozen=True, eq=False)
class _Web:
    """A block of mean weight 1 seen from both sides, and the entries of each that judge."""

    block: csr_array
    transposed: csr_array
    samples: tuple[Labels | None, Labels | None]
    n_clusters: int

    @classmethod
    def of(cls, cut: Cut, n_clusters: int, rng: np.random.Generator) -> "_Web":
        """Return the web of the nodes of a cut."""
        assert isinstance(cut.block, csr_array)  # only constraints make it anything else
        block = csr_array(cut.block / cut.block.data.mean())
        few = block.nnz <= _SAMPLE
        first, second = (None if few else np.sort(rng.choice(block.nnz, _SAMPLE, replace=False)) for _ in range(2))
        return cls(block, csr_array(block.T), (first, second), n_clusters)

    def judged(self, rows: Labels, cols: Labels) -> _Cloth:
        """Return clusters with their likelihood, the mean of both sides."""
        seen = profiles(self.transposed, rows, cols, self.n_clusters)
        strength, by_rows = shrinkage(self.block, rows, seen, self.samples[0])
        seen = profiles(self.block, cols, rows, self.n_clusters)
        _, by_cols = shrinkage(self.transposed, cols, seen, self.samples[1])
        return _Cloth(rows, cols, (by_rows + by_cols) / 2, strength)

    def passed(self, cloth: _Cloth) -> _Cloth:
        """Return what a pass makes of clusters: rows move, then columns."""
        rows, cols, _, strength = cloth
        seen = profiles(self.transposed, rows, cols, self.n_clusters)
        rows = moved(leave_one_out(self.block, rows, seen, strength), rows)
        seen = profiles(self.block, cols, rows, self.n_clusters)
        strength, _ = shrinkage(self.transposed, cols, seen, self.samples[1])
        cols = moved(leave_one_out(self.transposed, cols, seen, strength), cols)
        return self.judged(rows, cols)


def _embedded(web: _Web, rng: np.random.Generator) -> tuple[Numbers, bool]:
    """Return a point of length one for each row, then for each column, and whether the vectors converged."""
    (row_sums, col_sums), k = degrees(web.block), web.n_clusters
    block = scaled(web.block, (row_sums + row_sums.mean()) ** -0.5, (col_sums + col_sums.mean()) ** -0.5)
    wanted = min(2 * k, k + 10, *block.shape)
    found = leading_triplets(block, wanted, rng)
    if not found.converged:
        warnings.warn(
            f"only {found.values.size} of {wanted} singular vectors converged; Loom goes on with those",
            RuntimeWarning,
            stacklevel=3,
        )
    squares = block.multiply(block)
    lengths = np.sqrt(np.concatenate([squares.sum(axis=1), squares.sum(axis=0)]))
    there = found.values > _NOTHING * found.values[0]
    points = np.vstack([found.left, found.right])[:, there] * found.values[there] ** 2
    norms = np.linalg.norm(points, axis=1)
    points *= np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > _NOTHING * lengths)[:, None]
    return points, found.converged


def _starts(web: _Web, points: Numbers, rng: np.random.Generator) -> list[_Cloth]:
    """Return the clusters of rows and columns together, and those of rows alone with columns placed by them."""
    n_rows = web.block.shape[0]
    together = kmeans(points, web.n_clusters, rng)
    rows = kmeans(points[:n_rows], web.n_clusters, rng)
    nowhere = np.zeros(web.block.shape[1], dtype=np.int64)
    seen = profiles(web.transposed, rows, nowhere, web.n_clusters)
    there = seen.sizes > 0
    share = np.divide(seen.mass + seen.sizes, seen.sizes, out=np.zeros_like(seen.mass), where=there)
    return [web.judged(together[:n_rows], together[n_rows:]), web.judged(rows, share.argmax(axis=1))]


def _woven(web: _Web, starts: list[_Cloth]) -> _Woven:
    """Return the refinement of the start that is the likelier after the first passes."""
    first = max((_passes(web, start, _FIRST) for start in starts), key=lambda woven: woven.cloth.likelihood)
    if first.settled:
        return first
    more = _passes(web, first.cloth, _MORE)
    return more._replace(trace=first.trace + more.trace[1:])


def _passes(web: _Web, cloth: _Cloth, most: int) -> _Woven:
    """Return what at most so many passes make of clusters; one that is not likelier is taken back and ends them."""
    trace = [cloth.likelihood]
    for _ in range(most):
        after = web.passed(cloth)
        gain = after.likelihood - cloth.likelihood
        if gain <= 0:
            return _Woven(cloth, tuple(trace), True)
        cloth = after
        trace.append(cloth.likelihood)
        if gain < _SETTLED * abs(cloth.likelihood):
            return _Woven(cloth, tuple(trace), True)
    return _Woven(cloth, tuple(trace), False)


def _matched(web: _Web, cloth: _Cloth) -> Labels:
    """Return one numbering of row and column clusters: rows keep theirs, columns take that of their partner."""
    blocks = profiles(web.transposed, cloth.rows, cloth.cols, web.n_clusters).blocks
    size = np.sqrt(np.outer(blocks.sum(axis=1), blocks.sum(axis=0)))
    likeness = np.divide(blocks, size, out=np.zeros_like(blocks), where=size > 0)
    _, partners = linear_sum_assignment(likeness, maximize=True)
    return np.concatenate([cloth.rows, partners[cloth.cols]])
