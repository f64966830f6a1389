"""What the benchmark of quality fits: graphmine's methods, and their peers of other libraries.

Each takes a star of one arm, the true number of clusters and a seed, and returns a label for each row. All start from
the same block: what a library needs made of it is part of its fit.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec

import numpy as np
from scipy.sparse import coo_array, csr_matrix

from graphmine.arrays import Labels
from graphmine.methods.catalog import CATALOG, method
from graphmine.methods.loom import loom
from graphmine.model import Clustering, Star

__all__ = ["PEERS", "TRUTH", "TUNED", "Fit", "fit_of", "from_truth", "tuned", "unavailable"]

Fit = Callable[[Star, int, int], Labels]
Partition = Callable[[float], Labels]

TRUTH = "loom from the truth"
"""The refinement of the true clusters, which no start can be expected to beat by much."""

STEPS = 8
"""How many resolutions are tried to come near a number of clusters."""


def ours(name: str, star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit a method of the catalog."""
    found = method(name, n_clusters=n_clusters).fit(star, seed=seed)
    return found.labels[star.centre.kind]


def scikit_learn(star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit scikit-learn's SpectralCoclustering as it comes."""
    from sklearn.cluster import SpectralCoclustering

    found = SpectralCoclustering(n_clusters, random_state=seed).fit(star.arms[0].block)
    return np.asarray(found.row_labels_, dtype=np.int64)


def louvain(star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit scikit-network's Louvain, which chooses how many clusters there are; nodes are shuffled by the seed."""
    return _louvain(star, seed)(1.0)


def leiden(star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit igraph's Leiden by the modularity of the bipartite graph, which chooses how many clusters there are."""
    return _leiden(star, seed)(1.0)


def louvain_near(star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit Louvain at the resolution whose number of clusters comes nearest to the true one."""
    return tuned(_louvain(star, seed), n_clusters)


def leiden_near(star: Star, n_clusters: int, seed: int) -> Labels:
    """Fit Leiden at the resolution whose number of clusters comes nearest to the true one."""
    return tuned(_leiden(star, seed), n_clusters)


def from_truth(truth: Labels, star: Star, n_clusters: int, seed: int) -> Labels:
    """Refine the true clusters of the rows as Loom does; rows of which none is known begin in the first."""
    classes = np.unique(truth[truth >= 0])
    start = {star.centre.kind: np.maximum(np.searchsorted(classes, truth), 0)}
    assert _REFINED is not None, unavailable(TRUTH)
    found = _REFINED(star, n_clusters, start, seed=seed)
    return np.asarray(found.labels[star.centre.kind])


def tuned(partition: Partition, n_clusters: int, steps: int = STEPS) -> Labels:
    """Return the partition whose number of clusters is nearest to the one wanted, of some resolutions tried.

    They are doubled or halved until the number lies between two of them, which are then drawn together.

    >>> tuned(lambda resolution: np.arange(20) % max(round(4 * resolution), 1), 7).max() + 1
    np.int64(7)
    """
    low, high, resolution = 0.0, np.inf, 1.0
    best = partition(resolution)
    count = len(np.unique(best))
    for _ in range(steps):
        if count == n_clusters:
            break
        low, high = (resolution, high) if count < n_clusters else (low, resolution)
        resolution = 2 * low if np.isinf(high) else high / 2 if low == 0 else float(np.sqrt(low * high))
        found = partition(resolution)
        count = len(np.unique(found))
        best = min(best, found, key=lambda labels: abs(len(np.unique(labels)) - n_clusters))
    return best


def _louvain(star: Star, seed: int) -> Partition:
    from sknetwork.clustering import Louvain

    block = csr_matrix(star.arms[0].block)  # it knows matrices, not arrays

    def partition(resolution: float) -> Labels:
        louvain = Louvain(resolution=resolution, shuffle_nodes=True, random_state=seed)
        return np.asarray(louvain.fit(block, force_bipartite=True).labels_row_, dtype=np.int64)

    return partition


def _leiden(star: Star, seed: int) -> Partition:
    import igraph

    block = coo_array(star.arms[0].block)
    n_rows, n_cols = block.shape
    graph = igraph.Graph(n=n_rows + n_cols, edges=np.column_stack([block.row, block.col + n_rows]))
    weights = block.data.tolist()

    def partition(resolution: float) -> Labels:
        igraph.set_random_number_generator(random.Random(seed))
        found = graph.community_leiden(objective_function="modularity", weights=weights, resolution=resolution)
        return np.asarray(found.membership[:n_rows], dtype=np.int64)

    return partition


PEERS: Mapping[str, Fit] = {
    "scikit-learn": scikit_learn,
    "Louvain": louvain,
    "Leiden": leiden,
    "Louvain, k": louvain_near,
    "Leiden, k": leiden_near,
}
"""The peers by their names."""

TUNED = ("Louvain, k", "Leiden, k")
"""The peers that are told the number of clusters, though they have no parameter for it."""

_REFINED: Callable[..., Clustering] | None = getattr(loom, "refined", None)

_NEEDED = {"Louvain": "sknetwork", "Louvain, k": "sknetwork", "Leiden": "igraph", "Leiden, k": "igraph"}


def fit_of(name: str) -> Fit:
    """Return the peer or the method of the catalog of a name."""
    return PEERS[name] if name in PEERS else partial(ours, name)


def unavailable(name: str) -> str | None:
    """Say why a method can not be fitted; None if it can.

    >>> unavailable("s-co"), unavailable("k-means")
    (None, 'there is no method k-means, only scikit-learn, Louvain, ...')
    """
    if name == TRUTH:
        return None if _REFINED else f"{name}: Loom can not start from given clusters"
    if name not in (*PEERS, *CATALOG):
        return f"there is no method {name}, only {', '.join((*PEERS, *CATALOG))}"
    package = _NEEDED.get(name)
    return None if package is None or find_spec(package) else f"{name} needs the package {package}"
