"""``graphmine mine``: pull, constrain, fit, push."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already, warn
from graphmine.cli.job_options import (
    Align,
    Clusters,
    Constrain,
    Hierarchy,
    JobFile,
    Key,
    MethodName,
    OnConflict,
    Overwrite,
    Param,
    Relation,
    Seed,
    Where,
    Write,
    given_only,
    read_clusters,
    read_jobs_or_flags,
    read_parameters,
)
from graphmine.cli.mine_all import mine_fits, show_plans
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.job import Job
    from graphmine.verbs.result import Mined

__all__ = ["app"]

app = typer.Typer()

Force = Annotated[bool, typer.Option("--force", help="Even if it would not fit in memory by `graphmine estimate`.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be read, fitted and written; change nothing.")]
Top = Annotated[int, typer.Option(min=0, metavar="NUMBER", help="How many members of each cluster to show.")]
Picture = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the block before and after, as .png or .svg.")]
Truth = Annotated[
    str | None,
    typer.Option(metavar="PROPERTY", help="Of several fits: also compare each with the known classes it holds."),
]
Curves = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw what was tried, by -k auto, lambda=path and the like, as .png or .svg."),
]


@command(
    app,
    "graphmine mine --relation 'Woman-ATTENDED->Event' -k 2",
    "graphmine mine --relation 'Woman-ATTENDED->Event' -k auto",
    "graphmine mine --relation 'Author-WROTE->Paper-IN->Conference' --method scm \\",
    "  -k Author=4 -k Conference=3",
    "graphmine mine --relation 'Paper<-WROTE-Author' --relation 'Paper-IN->Conference' -k 3",
    "graphmine mine --relation 'Author-WROTE->Paper-IN->Conference' --where 'Paper.year >= 2010' \\",
    "  -k 4 --seed 0 --write area --picture areas.png",
    "graphmine mine --relation 'Author-WROTE->Paper-IN->Conference' -k 4 \\",
    "  --constrain 'must Author-WROTE->Paper<-WROTE-Author >= 3' --write area",
    "graphmine mine --relation 'Author-WROTE->Paper-IN->Conference' -k 6 --hierarchy --write topic",
    "graphmine mine --relation 'Member-MET{times}-Member' -k 2 --method l1 \\",
    "  --constrain 'known Member.known_club; fraction 0.3' --param lambda=path --curves path.png",
    "graphmine mine job.toml --dry-run",
    "graphmine mine job.toml --seed 1 --format csv",
    "graphmine mine fits.toml --truth known_area",
)
def mine(
    job: JobFile = None,
    relation: Relation = None,
    where: Where = None,
    key: Key = None,
    constrain: Constrain = None,
    on_conflict: OnConflict = None,
    method: MethodName = None,
    n_clusters: Clusters = None,
    seed: Seed = None,
    param: Param = None,
    hierarchy: Hierarchy = None,
    write: Write = None,
    overwrite: Overwrite = None,
    align: Align = None,
    dry_run: DryRun = False,
    force: Force = False,
    top: Top = 5,
    picture: Picture = None,
    curves: Curves = None,
    truth: Truth = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Cluster both sides of a relation; --write writes it back.

    Flags replace the fields of the job file. What the numbers of the result mean stands in docs/commands.md, and
    docs/taxonomies.md shows --hierarchy.
    """
    lists = {"relation": relation, "where": where, "key": key, "constrain": constrain, "param": read_parameters(param)}
    values = {
        "on_conflict": on_conflict,
        "method": method,
        "n_clusters": read_clusters(n_clusters),
        "seed": seed,
        "hierarchy": hierarchy,
        "write": write,
        "overwrite": overwrite,
        "align": align,
        "db": db,
    }
    given = given_only({**lists, **values})
    for path in (picture, curves):
        if path is not None:
            _check_picture(path)
    _mine_any(read_jobs_or_flags(job, given), dry_run, truth, form, quiet, _Shown(top, picture, curves), force)


class _Shown(NamedTuple):
    """How many members of each cluster to show, and what to draw."""

    top: int
    picture: Path | None
    curves: Path | None


def _mine_any(
    jobs: "list[Job]", dry_run: bool, truth: str | None, form: Format, quiet: bool, shown: _Shown, force: bool
) -> None:
    """Mine one job, or compare several fits; or say what that would do."""
    several = len(jobs) > 1
    if several and (shown.picture or shown.curves):
        raise ParameterError("--picture and --curves draw one fit, and the job holds several; leave them out")
    if truth is not None and not several:
        raise ParameterError("--truth compares several fits; of one, write a run and say `graphmine score`")
    if several and dry_run:
        show_plans(jobs, form)
    elif several:
        mine_fits(jobs, truth, form, quiet, _warn, force=force)
    elif dry_run:
        _show_plan(jobs[0], form)
    else:
        _mine(jobs[0], form, quiet, shown, force)


def _mine(job: "Job", form: Format, quiet: bool, shown: _Shown, force: bool) -> None:
    from graphmine.verbs.mine import mine

    with open_database(job.db, write=job.write is not None) as store, progress_bar(quiet) as progress:
        mined = mine(store, job, force=force, progress=progress)
    _warn(mined)
    if mined.run is None:
        _show(mined, form, shown)
    else:
        runs = mined.levels or (mined.run,)
        who = f"run {runs[0].id} has" if len(runs) == 1 else f"runs {runs[0].id} to {runs[-1].id} have"
        where = ", ".join(repr(run.property) for run in runs)
        with done_already(f"{who} written the labels to {where} all the same"):
            _show(mined, form, shown)


def _show(mined: "Mined", form: Format, shown: _Shown) -> None:
    from graphmine.report.pages.mine import mined_page

    try:
        show(mined_page(mined, shown.top), form)
    finally:  # also if nobody reads the result to its end
        if shown.picture is not None:
            from graphmine.report.figures.matrix import draw_matrix

            draw_matrix(mined.star, mined.clustering, shown.picture)
        if shown.curves is not None:
            from graphmine.report.figures.curves import draw_curves

            if not draw_curves(mined.parameters, shown.curves):
                warn("nothing was tried, so that there are no curves to draw; say -k auto or --param lambda=path")


def _warn(mined: "Mined", title: str = "") -> None:
    from graphmine.methods.n_clusters import most_clusters
    from graphmine.report.page import counted
    from graphmine.report.pages.runs import left_alone

    job, clustering = mined.job, mined.clustering
    if not clustering.converged:
        warn(f"{title}{job.method} stopped before it converged; take the labels with care")
    if clustering.n_clusters < most_clusters(mined.asked):
        what = "relation and its rules have" if job.rules else "relation has"
        why = f": the {what} no more structure than that" if clustering.converged else ""
        warn(f"{title}found {counted(clustering.n_clusters, 'cluster')}, not {most_clusters(mined.asked)}{why}")
    if mined.given_up:
        done = "weakened" if job.on_conflict == "weaken" else "dropped"
        warn(f"{title}{counted(mined.given_up, 'link')} {done}, because hard links contradict each other")
    hard = sum(each.broken for each in mined.met if each.hard)
    if hard:
        which = "" if mined.run is None else f"; `graphmine runs broken {mined.run.id}` lists them"
        warn(f"{title}{counted(hard, 'pair')} that hard rules name {'is' if hard == 1 else 'are'} broken{which}")
    runs = mined.levels[mined.kept :] or ((mined.run,) if mined.run and not mined.kept else ())
    for sentence in dict.fromkeys(sentence for run in runs for sentence in left_alone(run)):
        warn(f"{title}{sentence}")


def _check_picture(path: Path) -> None:
    from graphmine.report.figures.style import check_picture

    check_picture(path)


def _show_plan(job: "Job", form: Format) -> None:
    from graphmine.report.pages.mine import plan_page
    from graphmine.verbs.mine import plan

    with open_database(job.db) as store:
        page = plan_page(plan(store, job))
    show(page, form)
