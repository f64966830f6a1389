"""``graphmine estimate``: what a job would take, before anything is read."""

import typer

from graphmine.cli import job_options
from graphmine.cli.database import open_database
from graphmine.cli.errors import note
from graphmine.cli.options import Db, Format, FormatOption, command
from graphmine.cli.output import show

__all__ = ["app"]

app = typer.Typer()


@command(
    app,
    "graphmine estimate --relation 'Author-WROTE->Paper-IN->Conference' -k 4",
    "graphmine estimate job.toml --method cbgc --format json",
)
def estimate(
    job: job_options.JobFile = None,
    relation: job_options.Relation = None,
    where: job_options.Where = None,
    key: job_options.Key = None,
    constrain: job_options.Constrain = None,
    method: job_options.MethodName = None,
    n_clusters: job_options.Clusters = None,
    param: job_options.Param = None,
    write: job_options.Write = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what a job would read, and how much memory and time it would take.

    From counts alone; filters are not looked at, so that it may be less. Ends with exit code 4 where that is more
    memory than there is: `graphmine mine` refuses such a job without --force.
    """
    from graphmine.job import titles
    from graphmine.report.pages.estimate import estimate_page
    from graphmine.verbs.estimate import estimate

    lists = {"relation": relation, "where": where, "key": key, "constrain": constrain}
    values = {"method": method, "n_clusters": job_options.read_clusters(n_clusters), "write": write, "db": db}
    given = job_options.given_only({**lists, **values, "param": job_options.read_parameters(param)})
    jobs = job_options.read_jobs_or_flags(job, given)
    with open_database(jobs[0].db) as store:
        found = max((estimate(store, each) for each in jobs), key=lambda each: each.peak)
    if len(jobs) > 1:
        title = titles(jobs)[jobs.index(found.job)]
        note(f"of {len(jobs)} fits this is {title}, which takes the most memory; the time is of it alone")
    show(estimate_page(found), form)
    if not found.fits:
        note(found.too_large)
        raise typer.Exit(4)
