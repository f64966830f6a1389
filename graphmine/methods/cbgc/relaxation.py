"""The relaxation (12) of consistent partitioning, its solution with a certificate, and the points of the nodes."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graphmine.arrays import Floats, Ints
from graphmine.linalg.star.balance import balance_arms
from graphmine.linalg.star.certificate import certificate
from graphmine.linalg.star.pencil import StarPencil
from graphmine.methods.cbgc.beta import arm_names
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.methods.cbgc.soft_consistency import Copies
from graphmine.methods.labels import Embedding
from graphmine.progress import Progress

__all__ = ["Relaxation", "embed_parts", "solve_relaxation", "tolerance_for"]


_CLOSED = 1e-9
"""A gap up to this is closed; the sum that it is of is at most the number of vectors."""

_LARGE = 1_000_000
"""Relationships above which vectors are found to a residual of 1e-7, and to 1e-10 below."""


class SeparateCentres(NamedTuple):
    """The centre's nodes, once for each arm, and where they are."""

    copies: Copies
    points: Floats


@dataclass(frozen=True, eq=False)
class Relaxation:
    """Points of the nodes, and how good they are.

    Parameters
    ----------
    hub, spokes
        The points of the centre's nodes that have a place, and of each arm's.
    separate
        The points of the centre's nodes in each arm, where these may differ; else None.
    figures
        What was reached and what is possible, by name.
    converged
        Whether the two agree.
    """

    hub: Floats
    spokes: tuple[Floats, ...]
    separate: SeparateCentres | None
    figures: dict[str, float]
    converged: bool

    def embeddings(self, problem: StarProblem) -> dict[str, Embedding]:
        """Return the points of each kind; of a kind that several arms have, their mean, weighted by relationships."""
        points = {problem.star.centre.kind: [(problem.centre, np.ones(len(problem.centre)), self.hub)]}
        for number, arm, own, spoke in zip(problem.used, problem.arms, problem.others, self.spokes, strict=True):
            kind = problem.star.arms[number].cols.kind
            points.setdefault(kind, []).append((own, arm.spoke.diagonal, spoke))
        tied, weight = problem.by_kind(problem.tied), problem.by_kind(problem.weight)
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


def embed_parts(problem: StarProblem, n_clusters: int) -> Relaxation:
    """Return points that tell parts apart that nothing cuts: all but the heaviest k - 1 share one."""

    def indicators(part: Ints) -> Floats:
        return np.asarray(part[:, None] == np.arange(max(n_clusters - 1, 1)), dtype=np.float64)

    part = problem.by_kind(problem.part)
    spokes = (
        indicators(part[problem.star.arms[number].cols.kind][own])
        for number, own in zip(problem.used, problem.others, strict=True)
    )
    figures = {"relaxed cut": 0.0, "bound": 0.0, "gap": 0.0}
    return Relaxation(indicators(part[problem.star.centre.kind][problem.centre]), tuple(spokes), None, figures, True)


def solve_relaxation(
    problem: StarProblem,
    beta: Floats,
    n_vectors: int,
    price: float | None,
    rng: np.random.Generator,
    progress: Progress,
) -> Relaxation:
    """Return the optimum of problem (12), or of its soft form, for so many vectors, with its certificate."""
    copies = None if price is None else Copies.of(problem.arms, price)
    pencil = StarPencil(problem.arms, beta) if copies is None else replace(copies.pencil, beta=beta)
    progress("vectors in balance", 0, 3)
    found = balance_arms(pencil, n_vectors, rng, tolerance=tolerance_for(problem))
    progress("certificate", 1, 3)
    proof = certificate(pencil, found.weights, found.vectors, rng, count=n_vectors)
    hub, *spokes = found.vectors if found.vectors[0].shape[1] else tuple(np.zeros((len(v), 1)) for v in found.vectors)
    separate = None if copies is None else SeparateCentres(copies, hub)
    if copies is not None:
        hub = copies.consensus(hub, found.weights)
    figures = {
        "relaxed cut": n_vectors - proof.reached,
        "bound": n_vectors - proof.bound,
        "gap": proof.gap,
        **_by_arm(problem, "balance of", proof.balance),
        **_by_arm(problem, "weight of", found.weights),
    }
    return Relaxation(hub, tuple(spokes), separate, figures, abs(proof.gap) <= _CLOSED)


def tolerance_for(problem: StarProblem) -> float:
    """Return how exact vectors have to be; the error of the gap goes with the square."""
    return 1e-7 if sum(int(problem.star.arms[number].nnz) for number in problem.used) > _LARGE else 1e-10


def _by_arm(problem: StarProblem, what: str, values: Floats) -> dict[str, float]:
    names = arm_names(problem.star)
    return {f"{what} {names[number]}": float(value) for number, value in zip(problem.used, values, strict=True)}
