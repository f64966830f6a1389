"""The experiments of the papers, done again with graphmine's own commands."""

from collections.abc import Mapping

from graphmine.experiments.base import Claim, Curves, Experiment, Measured, Reproduction, Task, TaskResult, Verdict
from graphmine.experiments.cbgc import CBGC_STARS
from graphmine.experiments.l1 import L1_LABELS
from graphmine.experiments.reproduce import reproduced
from graphmine.experiments.scm import SCM_TEXTS

__all__ = [
    "EXPERIMENTS", "Claim", "Curves", "Experiment", "Measured", "Reproduction", "Task", "TaskResult", "Verdict",
    "reproduced",
]  # fmt: skip

EXPERIMENTS: Mapping[str, Experiment] = {each.name: each for each in (SCM_TEXTS, CBGC_STARS, L1_LABELS)}
"""Every experiment by the name a user gives."""
