"""How much of what relationships say about a unit is evidence, so that links can be weighed against it."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats, Labels
from graphmine.linalg.leave_one_out import RowView, leave_one_out
from graphmine.methods.loom.soft_links import belief
from graphmine.methods.loom.units import RelationView

__all__ = ["evidence_scale"]

_SHARES = (1.0, 0.85, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02, 0.01)
"""How much of an observation may be evidence."""

_POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""By which power of a unit's weight that may fall."""

_FORBIDDEN = -1e3
"""The score of an empty cluster, which is none."""


def evidence_scale(relations: Sequence[RelationView], labels: Labels, p: Floats, rng: np.random.Generator) -> Floats:
    """Return how much of the scores of each unit is evidence: its entries, as words of a text, hang together.

    With d the weight of a unit, in median entries, of which each is one observation, it is τ d^-γ, but τ where d is
    below 1. Scores from a random half of the entries are held against those from the other half: with q and q' what the
    two halves make believe, tempered alike, τ and γ are those with the greatest Σ_i log Σ_a q_ia q'_ia / p_a.
    """
    n = len(labels)
    scores, sizes, unit = np.zeros((2, n, len(p))), np.zeros((2, n)), 1.0
    for best, seen, view, weight in relations:
        block, median = view.block, float(np.median(view.block.data))
        unit, chosen = max(unit, 1 / median), rng.random(block.nnz) < 0.5
        for half, part in enumerate((chosen, ~chosen)):
            kept = RowView(csr_array((block.data * part, block.indices, block.indptr), shape=block.shape))
            found = leave_one_out(kept, labels, seen, best.strength)
            scores[half] += weight * np.where(np.isfinite(found), found, _FORBIDDEN)
            sizes[half] += weight * np.bincount(view.rows, kept.block.data, n) / median
    tried = product(_SHARES, _POWERS)
    share, power = max(tried, key=lambda each: _agreement(scores, unit * _evidence(sizes, *each), p))
    return unit * _evidence(sizes.sum(axis=0), share, power)


def _evidence(sizes: Floats, share: float, power: float) -> Floats:
    evidence: Floats = share * np.maximum(sizes, 1.0) ** -power
    return evidence


def _agreement(scores: Floats, scales: Floats, p: Floats) -> float:
    """Return how far the beliefs of two halves agree; a half without entries neither agrees nor disagrees."""
    first, second = (belief(share[:, None] * half, p) for half, share in zip(scores, scales, strict=True))
    return float(np.sum(np.log(np.sum(first * second / p, axis=1) + 1e-300)))
