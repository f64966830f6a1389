"""The semidefinite relaxation (17) of the paper, which `CBGC` solves by eigenvectors unless asked for this."""

from typing import cast

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.errors import ConstraintError, ParameterError
from graphmine.linalg.sdp.low_rank import lowrank_sdp
from graphmine.linalg.sdp.semidefinite import printed_sdp
from graphmine.methods.cbgc.problem import StarProblem
from graphmine.methods.cbgc.relaxation import Relaxation
from graphmine.model import Constraints
from graphmine.progress import Progress

__all__ = ["EIGEN", "SOLVERS", "check_plain", "solve_paper_sdp"]


EIGEN, SDP, LOWRANK = "eigen", "sdp", "lowrank"

SOLVERS = (EIGEN, SDP, LOWRANK)
"""Eigenvectors in balance, for problem (12); a general solver and a low-rank factor, for problem (17)."""


def check_plain(solver: str, price: float | None, constraints: Constraints | None = None) -> None:
    """Refuse what problem (17) has no room for: centres that differ, and links.

    >>> check_plain("sdp", 2.0)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the solver sdp takes no price; use the solver eigen, or leave the price out
    """
    if solver != EIGEN and price is not None:
        raise ParameterError(f"the solver {solver} takes no price; use the solver {EIGEN}, or leave the price out")
    if solver != EIGEN and constraints:
        raise ConstraintError(f"the solver {solver} takes no links; use the solver {EIGEN}, or leave them out")


def solve_paper_sdp(
    problem: StarProblem,
    beta: Floats,
    solver: str,
    theta: tuple[float, float],
    rng: np.random.Generator,
    progress: Progress,
) -> Relaxation:
    """Return the embedding that problem (17) gives to a frame without links: steps 3 to 5 of the paper's algorithm."""
    arms = [cast(csr_array, arm.block) for arm in problem.arms]  # nothing is coupled where there are no links
    progress("semidefinite program", 0, 3)
    if solver == SDP:
        found = printed_sdp(arms, beta, theta)
    else:
        found = lowrank_sdp(arms, beta, theta, rng=rng, progress=progress)
    ends = np.cumsum([len(problem.centre), *map(len, problem.others)])[:-1]
    hub, *spokes = np.split(found.embedding[:, None], ends)
    figures = {"relaxed cut": found.value, "violation": found.violation}
    if found.gap is not None:
        figures |= {"bound": found.value - found.gap, "gap": found.gap}
    return Relaxation(hub, tuple(spokes), None, figures, found.converged)
