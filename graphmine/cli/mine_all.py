"""``graphmine mine`` of a job with several fits: all of them, side by side."""

from typing import TYPE_CHECKING

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already
from graphmine.cli.options import Format
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmine.job import Job
    from graphmine.verbs.result import Mined

__all__ = ["mine_fits", "show_plans"]


def mine_fits(
    jobs: "list[Job]",
    truth: str | None,
    form: Format,
    quiet: bool,
    warn_of: "Callable[[Mined, str], None]",
    *,
    force: bool,
) -> None:
    """Pull once, fit all jobs, write those that say where, and compare them."""
    from graphmine.job import titles
    from graphmine.report.pages.mine_all import fits_page
    from graphmine.verbs.known_classes import check_truth
    from graphmine.verbs.mine_all import fit_agreements, mine_all, score_all

    writes = any(job.write is not None for job in jobs)
    with open_database(jobs[0].db, write=writes) as store, progress_bar(quiet) as progress:
        if truth is not None:
            check_truth(store, jobs[0].kinds, truth)
        fits = mine_all(store, jobs, force=force, progress=progress)
        for title, mined in zip(titles(jobs), fits, strict=True):
            warn_of(mined, f"{title}: ")
        runs = [run.id for mined in fits for run in (mined.levels or (mined.run,)) if run]
        with done_already(f"runs {', '.join(runs)} are written all the same" if runs else "nothing was written"):
            scored = [] if truth is None else score_all(store, fits, truth)
            show(fits_page(fits, fit_agreements(fits), truth, scored), form)


def show_plans(jobs: "list[Job]", form: Format) -> None:
    """Say what each fit would read, fit and write."""
    from graphmine.report.pages.mine_all import plans_page
    from graphmine.verbs.mine import plan

    with open_database(jobs[0].db) as store:
        page = plans_page([plan(store, job) for job in jobs])
    show(page, form)
