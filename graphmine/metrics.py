"""Quality of a clustering: agreement with a known truth, and measures of the graph alone.

A node is compared with the truth if it has both a cluster and a true class. Nodes that are `UNPLACED`, and nodes whose
truth is missing (None or NaN), are left out, and `score` returns their number. True classes may be any hashable values.
The cost is linear in the nodes or in the nonzeros of the block, except for `ami`, whose expectation sums over pairs of
a cluster and a class, and `accuracy`, which matches clusters to classes.
"""

import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array, hstack

from graphmine.arrays import Labels
from graphmine.errors import DataError
from graphmine.linalg import bipartite
from graphmine.linalg.matching import match_sparse
from graphmine.model import UNPLACED, Clustering, Quality, Star
from graphmine.model.values import is_missing

__all__ = [
    "Scores", "accuracy", "ami", "ari", "barber_modularity", "nmi", "normalised_cut", "purity", "quality", "score",
]  # fmt: skip

Truth = Sequence[Hashable] | NDArray[np.generic]


@dataclass(frozen=True)
class Scores:
    """All agreements of one kind's labels with its truth, and how many nodes they speak of."""

    nmi: float
    ami: float
    ari: float
    purity: float
    accuracy: float
    compared: int
    left_out: int


def score(labels: ArrayLike, truth: Truth) -> Scores:
    """Return every agreement at once.

    >>> score([0, 0, 1, 1, -1], ["db", "db", "ml", "ml", "ml"])
    Scores(nmi=1.0, ami=1.0, ari=1.0, purity=1.0, accuracy=1.0, compared=4, left_out=1)
    >>> score([0, 1], [None, None])
    Traceback (most recent call last):
    graphmine.errors.DataError: no node has both a cluster and a true class, so there is nothing to compare
    """
    found, true = _compared(labels, truth)
    agreements = {each.__name__: each(found, true) for each in (nmi, ami, ari, purity, accuracy)}
    return Scores(**agreements, compared=len(found), left_out=len(truth) - len(found))


def nmi(labels: ArrayLike, truth: Truth) -> float:
    """Return the mutual information over the mean of both entropies, from 0 to 1.

    It rewards many clusters: read `ami` or `ari` beside it.

    >>> nmi([0, 0, 1, 1], ["a", "a", "b", "b"])
    1.0
    """
    from sklearn.metrics import normalized_mutual_info_score

    return _agreement(normalized_mutual_info_score, labels, truth)


def ami(labels: ArrayLike, truth: Truth) -> float:
    """Return the mutual information adjusted for chance: 0 for a random partition, 1 for the truth.

    >>> round(ami([0, 1, 0, 1], ["a", "a", "b", "b"]), 6)
    -0.5
    """
    from sklearn.metrics import adjusted_mutual_info_score

    return _agreement(adjusted_mutual_info_score, labels, truth)


def ari(labels: ArrayLike, truth: Truth) -> float:
    """Return the Rand index of pairs adjusted for chance: 0 for a random partition, 1 for the truth.

    >>> ari([0, 1, 0, 1], ["a", "a", "b", "b"])
    -0.5
    """
    from sklearn.metrics import adjusted_rand_score

    return _agreement(adjusted_rand_score, labels, truth)


def purity(labels: ArrayLike, truth: Truth) -> float:
    """Return the share of nodes whose true class is the commonest one of their cluster.

    >>> purity([0, 0, 0, 1], ["a", "a", "b", "b"])
    0.75
    """
    counts = _contingency(*_compared(labels, truth))
    return float(counts.max(axis=1).sum() / counts.sum())


def accuracy(labels: ArrayLike, truth: Truth) -> float:
    """Return the share of nodes that are right when clusters are matched one to one with classes as well as possible.

    >>> accuracy([0, 0, 1, 2], ["a", "a", "b", "b"])
    0.75
    """
    counts = _contingency(*_compared(labels, truth))
    clusters, classes = match_sparse(counts)
    return float(counts[clusters, classes].sum() / counts.sum())


def barber_modularity(block: csr_array, row_labels: ArrayLike, col_labels: ArrayLike) -> float:
    """Return Barber's modularity of a bipartite partition, in O(nnz).

    Σ_a (w_a / m - r_a c_a / m²): m is the whole weight, w_a the weight between the rows and the columns of cluster a,
    r_a and c_a the sums of their degrees. A row or column that is `UNPLACED` is in no cluster, though its weight is in
    m.

    >>> barber_modularity(csr_array([[1.0, 0.0], [0.0, 1.0]]), [0, 1], [0, 1])
    0.5
    """
    weights = bipartite.cluster_weights(block, *_both(block, row_labels, col_labels))
    total = float(block.sum())
    return float(np.sum(weights.within / total - (weights.rows / total) * (weights.cols / total)))


def normalised_cut(block: csr_array, row_labels: ArrayLike, col_labels: ArrayLike) -> float:
    """Return the k-way normalised cut of a bipartite partition, in O(nnz); the smaller the better.

    Σ_a cut(a) / volume(a): the weight of the edges that leave cluster a over the sum of the degrees of its nodes. Edges
    to a row or column that is `UNPLACED` leave; a cluster without edges adds nothing.

    >>> normalised_cut(csr_array([[1.0, 0.0], [0.0, 1.0]]), [0, 1], [0, 1])
    0.0
    """
    row_labels, col_labels = _both(block, row_labels, col_labels)
    return bipartite.normalised_cut(block, row_labels, col_labels)


def quality(star: Star, clustering: Clustering) -> Quality:
    """Return how good a clustering is by its star alone.

    Cut and modularity are those of the whole star, taken as one bipartite block: the centre's nodes are the rows, the
    columns of all arms, weighted, stand side by side. Of a graph of one kind, every node of which is a row and a
    column, these are its own normalised cut and Newman's modularity.

    >>> from graphmine.model import Nodes, Relation
    >>> block = csr_array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> star = Star.of(Relation(Nodes("Author", ["ann", "bob", "cem"]), Nodes("Venue", ["KDD", "VLDB"]), block))
    >>> found = quality(star, Clustering({"Author": [0, 0, 1], "Venue": [0, 1]}))
    >>> found.cut, round(found.modularity, 3), found.balance, found.unplaced
    (0.0, 0.444, {'Author': 0.5, 'Venue': 1.0}, {'Author': 0, 'Venue': 0})
    """
    kinds = [nodes.kind for nodes in star.kinds]
    return Quality(
        *_cut_and_modularity(star, clustering),
        balance={kind: _balance(clustering, kind) for kind in kinds},
        unplaced={kind: clustering.unplaced(kind) for kind in kinds},
    )


def _cut_and_modularity(star: Star, clustering: Clustering) -> tuple[float | None, float | None]:
    block = star.arms[0].block
    if star.weights != (1.0,):
        block = csr_array(hstack([arm.block * weight for arm, weight in zip(star.arms, star.weights, strict=True)]))
    if not block.sum():
        return None, None
    rows = clustering.labels[star.centre.kind]
    cols = np.concatenate([clustering.labels[arm.cols.kind] for arm in star.arms])
    return normalised_cut(block, rows, cols), barber_modularity(block, rows, cols)


def _balance(clustering: Clustering, kind: str) -> float:
    sizes = clustering.sizes(kind)[clustering.clusters]
    return float(sizes.min() / sizes.max()) if sizes.size and sizes.max() else 0.0


def _agreement(measure: Callable[[Labels, Labels], float], labels: ArrayLike, truth: Truth) -> float:
    found, true = _compared(labels, truth)
    with warnings.catch_warnings():
        # scikit-learn takes many classes for a regression by mistake; here every value is a class.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return float(measure(true, found))


def _compared(labels: ArrayLike, truth: Truth) -> tuple[Labels, Labels]:
    """Return both as numbers from 0, for the nodes that have both."""
    found = np.asarray(labels)
    if found.shape != (len(truth),):
        raise DataError(f"labels and truth must be as long as each other, were {found.size} and {len(truth)}")
    true = _numbered(truth.tolist() if isinstance(truth, np.ndarray) else truth)
    both = (found != UNPLACED) & (true >= 0)
    if not both.any():
        raise DataError("no node has both a cluster and a true class, so there is nothing to compare")
    numbers = (np.unique(each[both], return_inverse=True)[1].astype(np.int64) for each in (found, true))
    return next(numbers), next(numbers)


def _numbered(truth: Iterable[Hashable]) -> Labels:
    """Return a number for each different value, -1 for a missing one."""
    numbers: dict[Hashable, int] = {}
    each = (-1 if is_missing(value) else numbers.setdefault(value, len(numbers)) for value in truth)
    try:
        return np.fromiter(each, dtype=np.int64)
    except TypeError as error:
        raise DataError("a true class must be one value: a text, a number or a tuple, not a list") from error


def _contingency(found: Labels, true: Labels) -> csr_array:
    """Return how many nodes each cluster (row) shares with each class (column)."""
    return csr_array(coo_array((np.ones(len(found)), (found, true))))


def _both(block: csr_array, row_labels: ArrayLike, col_labels: ArrayLike) -> tuple[Labels, Labels]:
    rows, cols = np.asarray(row_labels, dtype=np.int64), np.asarray(col_labels, dtype=np.int64)
    if (rows.size, cols.size) != block.shape:
        raise DataError(
            f"a block of {block.shape[0]} × {block.shape[1]} needs as many labels, not {rows.size} and {cols.size}"
        )
    if not block.sum():
        raise DataError("the block holds no weight, so no partition of it can be judged")
    return rows, cols
