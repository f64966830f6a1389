"""Two clusters from one vector: the threshold at which the arms of a star are cut least."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import coo_array

from graphmine.arrays import Floats, Ints
from graphmine.linalg.link_matrix import CoupledBlock
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.methods.labels import Embedding, partition_points, renumber

__all__ = ["best_threshold"]


_GRID = 1e-9
"""Values that differ by less, relative to the largest, are one: nothing is cut between them."""

_EVEN = 1e-12
"""Cuts that differ by less are equal, and the one in balance is taken."""


def best_threshold(problem: StarProblem, beta: Floats, embedded: Mapping[str, Embedding]) -> dict[str, Ints]:
    """Return the two clusters into which a threshold parts the points, of one number each, of all kinds.

    Of all thresholds it is the one with the least Σ_i β_i (c_i / v_i + c_i / (1 - v_i)), c_i being the weight of arm i
    that is cut and v_i that on one side, of all of it: (11) for two clusters. Links do not count, but that nodes which
    have to share a cluster are at one point. Of equal ones the most even is taken. It costs O(nnz + n log n).
    """
    kinds = [nodes.kind for nodes in problem.star.kinds if nodes.kind in embedded]
    starts = dict(zip(kinds, np.cumsum([0, *(len(embedded[kind].positions) for kind in kinds)]), strict=False))

    def sides(points: Floats) -> Ints:
        values = np.round(points[:, 0] / (_GRID * max(float(np.abs(points[:, 0]).max(initial=0.0)), 1e-300)))
        steps, step = np.unique(values, return_inverse=True)
        if len(steps) < 2:
            return np.zeros(len(points), dtype=np.int64)
        loss, uneven = np.zeros(len(steps) - 1), np.zeros(len(steps) - 1)
        hub = step[starts[problem.star.centre.kind] :][: len(problem.centre)]
        for number, share, own in zip(range(len(problem.arms)), beta, problem.others, strict=True):
            kind = problem.star.arms[problem.used[number]].cols.kind
            spoke = step[starts[kind] + np.searchsorted(embedded[kind].positions, own)]
            lost, held = _cut_at(problem, number, hub, spoke, len(steps))
            loss += share * lost
            uneven += share * np.abs(held - 0.5)
        best = np.flatnonzero(loss <= loss.min() + _EVEN)
        at = best[np.argmin(np.round(uneven[best], 12))]
        return np.asarray(step > at, dtype=np.int64)

    return renumber(partition_points(problem.star, embedded, sides))


def _cut_at(problem: StarProblem, number: int, hub: Ints, spoke: Ints, n_steps: int) -> tuple[Floats, Floats]:
    """Return the normalised cut of an arm at each threshold, and how much of its weight is below."""
    arm = problem.arms[number]
    entries = coo_array(arm.block.block if isinstance(arm.block, CoupledBlock) else arm.block)
    heads, tails, total = hub[entries.row], spoke[entries.col], 2 * entries.data.sum()
    first, last = np.minimum(heads, tails), np.maximum(heads, tails)
    opened, closed = (np.bincount(each, entries.data, n_steps) for each in (first, last))
    below = sum(np.bincount(each, entries.data, n_steps) for each in (heads, tails))
    cut, held = (np.cumsum(each)[:-1] / total for each in (opened - closed, below))
    cut, held = np.maximum(cut, 0.0), np.clip(held, 0.0, 1.0)
    # Where all of an arm is on one side, one of its two clusters is missing, and counts 1.
    lost = sum(np.divide(cut, size, out=np.ones_like(cut), where=size > _EVEN) for size in (held, 1 - held))
    return np.asarray(lost), held
