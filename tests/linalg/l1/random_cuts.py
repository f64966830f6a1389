"""Graphs with pairs on them, for the tests of penalised cuts."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.l1.cut import PenalisedCut

__all__ = ["drawn", "similarity", "start_of"]


def drawn(n: int, p: int, seed: int, lam: float = 0.1) -> PenalisedCut:
    """Return a random graph that hangs together, with random pairs of both sorts."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.4), 1)
    weights[np.arange(n - 1), np.arange(1, n)] += 0.2
    first = rng.integers(n, size=p)
    ends = np.stack([first, (first + rng.integers(1, n, size=p)) % n], axis=1)
    return PenalisedCut(csr_array(weights + weights.T), ends, rng.random(p) < 0.5, lam * rng.random(p))


def similarity(points: Floats) -> csr_array:
    """Return exp(-|a - b|² / 2σ²) of points, each feature brought to variance 1 and σ² that of all of them together."""
    spread = points.std(axis=0)
    scaled = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    squares = np.sum((scaled[:, None] - scaled[None]) ** 2, axis=2)
    return csr_array(np.exp(-squares / (2 * points.shape[1])) - np.eye(len(points)))


def start_of(cut: PenalisedCut) -> Floats:
    """Return the second eigenvector, by a dense solver."""
    vectors: Floats = np.linalg.eigh(cut.adjacency.toarray())[1]
    return vectors[:, -2]
