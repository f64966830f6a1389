"""A job: all of pull, constrain, fit and push in one value, from flags, from Python, or from a TOML file.

The fields are the flags of ``graphmine mine``, under the same names. Every field is checked here, before a database is
opened, and all mistakes are named at once.
"""

from graphmine.job.check import AS_THEY_COME, relation_keys
from graphmine.job.evolution import EVOLVE_FIELDS
from graphmine.job.fits import titles
from graphmine.job.job import Job, PreviewJob
from graphmine.job.mistakes import Mistake
from graphmine.job.read import JobFile, check_job, read_evolution, read_job, read_jobs, read_preview

__all__ = [
    "AS_THEY_COME",
    "EVOLVE_FIELDS",
    "Job",
    "JobFile",
    "Mistake",
    "PreviewJob",
    "check_job",
    "read_evolution",
    "read_job",
    "read_jobs",
    "read_preview",
    "relation_keys",
    "titles",
]
