"""The relaxed problem of consistent partitioning, solved and certified, and the points it gives the nodes."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.linalg.star.balance import balance_arms
from graphmine.linalg.star.certificate import certificate
from graphmine.linalg.star.pencil import StarPencil
from graphmine.methods.cbgc.beta import arm_names
from graphmine.methods.cbgc.problem import Frame
from graphmine.methods.cbgc.soft_consistency import Copies
from graphmine.methods.labels import Embedding
from graphmine.progress import Progress

__all__ = ["Solved", "by_parts", "solved", "tolerance_for"]


_CLOSED = 1e-9
"""A gap up to this is closed; the sum that it is of is at most the number of vectors."""

_LARGE = 1_000_000
"""Relationships above which vectors are found to a residual of 1e-7, and to 1e-10 below."""


class Apart(NamedTuple):
    """The centre's nodes, once for each arm, and where they are."""

    copies: Copies
    points: Floats


@dataclass(frozen=True, eq=False)
class Solved:
    """Points of the nodes, and how good they are.

    Parameters
    ----------
    hub, spokes
        The points of the centre's nodes that have a place, and of each arm's.
    apart
        The points of the centre's nodes in each arm, where these may differ; else None.
    figures
        What was reached and what is possible, by name.
    converged
        Whether the two agree.
    """

    hub: Floats
    spokes: tuple[Floats, ...]
    apart: Apart | None
    figures: dict[str, float]
    converged: bool

    def embedded(self, frame: Frame) -> dict[str, Embedding]:
        """Return the points of each kind; of a kind that several arms have, their mean, weighted by relationships."""
        points = {frame.star.centre.kind: [(frame.centre, np.ones(len(frame.centre)), self.hub)]}
        for number, arm, own, spoke in zip(frame.used, frame.arms, frame.others, self.spokes, strict=True):
            kind = frame.star.arms[number].cols.kind
            points.setdefault(kind, []).append((own, arm.spoke.diagonal, spoke))
        tied, weight = frame.by_kind(frame.tied), frame.by_kind(frame.weight)
        embedded = {}
        for kind, given in points.items():
            positions, means = _mean(given)
            embedded[kind] = Embedding(positions, means, tied[kind][positions], weight[kind][positions])
        return embedded


def _mean(given: list[tuple[Ints, Floats, Floats]]) -> tuple[Ints, Floats]:
    """Return the nodes that have any point, and the weighted mean of their points."""
    if len(given) == 1:
        return given[0][0], given[0][2]
    positions = np.unique(np.concatenate([own for own, _, _ in given]))
    sums, weights = np.zeros((len(positions), given[0][2].shape[1])), np.zeros(len(positions))
    for own, weight, points in given:
        at = np.searchsorted(positions, own)
        sums[at] += weight[:, None] * points
        weights[at] += weight
    return positions, sums / weights[:, None]


def by_parts(frame: Frame, n_clusters: int) -> Solved:
    """Return points that tell parts apart that nothing cuts: all but the heaviest k - 1 share one."""

    def indicators(part: Ints) -> Floats:
        return np.asarray(part[:, None] == np.arange(max(n_clusters - 1, 1)), dtype=np.float64)

    part = frame.by_kind(frame.part)
    spokes = (
        indicators(part[frame.star.arms[number].cols.kind][own])
        for number, own in zip(frame.used, frame.others, strict=True)
    )
    figures = {"relaxed cut": 0.0, "bound": 0.0, "gap": 0.0}
    return Solved(indicators(part[frame.star.centre.kind][frame.centre]), tuple(spokes), None, figures, True)


def solved(
    frame: Frame,
    beta: Floats,
    n_vectors: int,
    price: float | None,
    rng: np.random.Generator,
    progress: Progress,
) -> Solved:
    """Return the optimum of problem (12), or of its soft form, for so many vectors, with its certificate."""
    copies = None if price is None else Copies.of(frame.arms, price)
    pencil = StarPencil(frame.arms, beta) if copies is None else replace(copies.pencil, beta=beta)
    progress("vectors in balance", 0, 3)
    found = balance_arms(pencil, n_vectors, rng, tolerance=tolerance_for(frame))
    progress("certificate", 1, 3)
    proof = certificate(pencil, found.weights, found.vectors, rng, count=n_vectors)
    hub, *spokes = found.vectors if found.vectors[0].shape[1] else tuple(np.zeros((len(v), 1)) for v in found.vectors)
    apart = None if copies is None else Apart(copies, hub)
    if copies is not None:
        hub = copies.consensus(hub, found.weights)
    figures = {
        "relaxed cut": n_vectors - proof.reached,
        "bound": n_vectors - proof.bound,
        "gap": proof.gap,
        **_by_arm(frame, "balance of", proof.balance),
        **_by_arm(frame, "weight of", found.weights),
    }
    return Solved(hub, tuple(spokes), apart, figures, abs(proof.gap) <= _CLOSED)


def tolerance_for(frame: Frame) -> float:
    """Return how exact vectors have to be; the error of the gap goes with the square."""
    return 1e-7 if sum(int(frame.star.arms[number].nnz) for number in frame.used) > _LARGE else 1e-10


def _by_arm(frame: Frame, what: str, values: Floats) -> dict[str, float]:
    names = arm_names(frame.star)
    return {f"{what} {names[number]}": float(value) for number, value in zip(frame.used, values, strict=True)}
