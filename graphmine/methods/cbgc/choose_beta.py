"""The shares beta of the arms, chosen from the data: where the eigengap is large and no arm is given up."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.link_matrix import CoupledBlock
from graphmine.linalg.star.balance import Balance, balance_arms, room_for
from graphmine.linalg.star.hub_basis import HubBasis
from graphmine.linalg.star.pencil import PencilArm, StarPencil
from graphmine.methods.cbgc.beta import arm_names, grid
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.progress import Progress

__all__ = ["choose_beta"]


_TOLERANCE = 1e-5
"""Of vectors that only judge a β; the values are good to its square."""


class BetaTrial(NamedTuple):
    """Shares of arms, the relative eigengap that they lead to, and what each arm keeps of what it reaches alone."""

    beta: Floats
    eigengap: float
    kept: Floats

    @property
    def score(self) -> float:
        """The eigengap, times what the worst arm keeps."""
        return self.eigengap * float(self.kept.min())

    def record(self, names: list[str], chosen: bool) -> dict[str, float]:
        """Return it by names."""
        shares = {f"beta of {name}": round(float(share), 9) for name, share in zip(names, self.beta, strict=True)}
        kept = {f"{name} keeps": float(part) for name, part in zip(names, self.kept, strict=True)}
        return {**shares, "eigengap": self.eigengap, **kept, "chosen": chosen}


def choose_beta(
    problem: StarProblem, n_vectors: int, rng: np.random.Generator, progress: Progress
) -> tuple[Floats, tuple[Mapping[str, float], ...]]:
    """Return the shares of a star's arms that make its clusters clearest, and a record of all that were tried.

    Equal shares are tried, and every arm with more and with less than that. Each is judged by the relative eigengap,
    (μ_{k-1} - μ_k) / μ_{k-1}, at the weights in balance: how clearly k clusters stand out; times the least share, over
    the arms, of what an arm reaches by itself that is left of it here: Σ_j v_jᵀ A_i v_j / v_jᵀ P_i v_j over the sum of
    the values of the arm alone. The eigengap by itself is also large where one arm decides everything, and the others
    are cut anyhow. One basis of the centre serves all trials. Of equal scores the first wins.
    """
    trials, shares = [], grid(len(problem.arms))
    best = np.array([_reached_alone(arm, n_vectors, rng) for arm in problem.arms])
    basis = HubBasis(StarPencil(problem.arms, shares[0]), room_for(n_vectors))
    for number, beta in enumerate(shares):
        progress("shares of arms", number, len(shares))
        pencil = StarPencil(problem.arms, beta)
        found = balance_arms(pencil, n_vectors, rng, basis=basis, tolerance=_TOLERANCE)
        trials.append(
            BetaTrial(beta, _eigengap(found), _reached(pencil, found) / np.maximum(best, np.finfo(float).tiny))
        )
    progress("shares of arms", len(shares), len(shares))
    winner = max(range(len(trials)), key=lambda number: (round(trials[number].score, 9), -number))
    names = [arm_names(problem.star)[number] for number in problem.used]
    records = tuple(trial.record(names, number == winner) for number, trial in enumerate(trials))
    return trials[winner].beta, records


def _eigengap(found: Balance) -> float:
    """Return by how much of the last value that has a vector the next is smaller; all of it where there is none."""
    n_found = found.vectors[0].shape[1]
    if not n_found:
        return 0.0
    last, following = np.append(found.values, 0.0)[n_found - 1 : n_found + 1]
    return float((last - following) / last)


def _reached(pencil: StarPencil, found: Balance) -> Floats:
    """Return Σ_j v_jᵀ A_i v_j / v_jᵀ P_i v_j for each arm."""
    y, *spokes = found.vectors
    norms = np.diagonal(pencil.norms(found.vectors), axis1=1, axis2=2)
    kept = [2 * np.sum(y * (arm.block @ z), axis=0) for arm, z in zip(pencil.arms, spokes, strict=True)]
    reached: Floats = np.sum(np.array(kept) / norms, axis=1)
    return reached


def _reached_alone(arm: PencilArm, n_vectors: int, rng: np.random.Generator) -> float:
    """Return the sum of the values that an arm reaches by itself; its links do not count."""
    block = arm.block.block if isinstance(arm.block, CoupledBlock) else arm.block
    own = csr_array(block[np.flatnonzero(np.diff(block.indptr))])
    own = csr_array(own[:, np.flatnonzero(np.bincount(own.indices, minlength=own.shape[1]))])
    found = balance_arms(StarPencil((PencilArm.of(own),), np.ones(1)), n_vectors, rng, tolerance=_TOLERANCE)
    return float(found.values[:n_vectors].sum())
