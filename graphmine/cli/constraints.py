"""``graphmine constraints``: what rules make of a network, before any fit, and which of their links look wrong."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from graphmine.cli.database import open_database
from graphmine.cli.errors import warn
from graphmine.cli.flags import in_flags
from graphmine.cli.job_options import (
    Clusters,
    Constrain,
    JobFile,
    Key,
    MethodName,
    OnConflict,
    Param,
    Relation,
    Seed,
    Where,
    given_only,
    read_clusters,
    read_job_or_flags,
    read_parameters,
)
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command, examples
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.job import Job

__all__ = ["app"]

_SHOW, _JUDGE = "show", "l1"


class _Showing(TyperGroup):
    """A group of commands that runs the first one if none is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the first command in its place, unless another one, or help, is asked for."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = [_SHOW, *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


app = typer.Typer(
    cls=_Showing,
    help="Show what rules say before trusting them, and which of their links look wrong.\n\n"
    "`graphmine constraints --relation …` is short for `graphmine constraints show --relation …`.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples(
        "graphmine constraints --relation 'Author-WROTE->Paper-IN->Conference' \\",
        "  --constrain 'must Author-WROTE->Paper<-WROTE-Author >= 3'",
        "graphmine constraints doubtful --relation 'Author-WROTE->Paper-IN->Conference' -k 4 \\",
        "  --constrain 'known Author.checked_area'",
    ),
)

Truth = Annotated[str | None, typer.Option(metavar="PROPERTY", help="Known classes to hold the links against.")]
Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the links as .parquet or .json, for a rule 'file FILE'.")
]


Below = Annotated[
    float,
    typer.Option(
        min=0.0, max=1.0, metavar="TRUST", help="Only links that are trusted less; 1: all that are not met exactly."
    ),
]
Most = Annotated[int, typer.Option(min=0, metavar="NUMBER", help="How many to list.")]


@command(
    app,
    "graphmine constraints --relation 'Author-WROTE->Paper-IN->Conference' \\",
    "  --constrain 'must Author-WROTE->Paper<-WROTE-Author >= 3' --truth known_area",
    "graphmine constraints job.toml --format json",
    name=_SHOW,
)
def constraints(
    job: JobFile = None,
    relation: Relation = None,
    where: Where = None,
    key: Key = None,
    constrain: Constrain = None,
    n_clusters: Clusters = None,
    truth: Truth = None,
    save: Save = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show what rules say, before trusting them: how much, of whom, and how far the network agrees.

    Nothing is fitted and nothing is written to the database. What the columns mean stands in docs/constraints.md.
    """
    flags = {
        "relation": relation,
        "where": where,
        "key": key,
        "constrain": constrain,
        "n_clusters": read_clusters(n_clusters),
        "db": db,
    }
    _preview(_preview_job(job, given_only(flags)), truth, save, form, quiet)


@command(
    app,
    "graphmine constraints doubtful --relation 'Author-WROTE->Paper-IN->Conference' -k 4 \\",
    "  --constrain 'known Author.checked_area'",
    "graphmine constraints doubtful --relation 'Member-MET{times}-Member' -k 2 \\",
    "  --constrain 'must Member-MET{times}-Member >= 5' --truth known_club --below 0.5",
    "graphmine constraints doubtful job.toml --method l1 --param lambda=path --format csv",
)
def doubtful(
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
    truth: Truth = None,
    below: Below = 1.0,
    most: Most = 100,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Name the links that the data speak against, the least trusted first.

    They are those that a fit gives up: by L1, unless --method or a job file names another method that judges links. Of
    a group that must be together, such as all nodes with one label, the members are named that are not where most of it
    is; L1 takes it for as many links as it has members, unless --param groups=pairs says otherwise. Nothing is written.
    """
    flags = {
        "relation": relation,
        "where": where,
        "key": key,
        "constrain": constrain,
        "on_conflict": on_conflict,
        "method": method or (None if job else _JUDGE),
        "n_clusters": read_clusters(n_clusters),
        "seed": seed,
        "param": read_parameters(param),
        "db": db,
    }
    asked = read_job_or_flags(job, given_only(flags))
    _doubt(asked, truth, below, most, form, quiet)


def _doubt(job: "Job", truth: str | None, below: float, most: int, form: Format, quiet: bool) -> None:
    from graphmine.report.pages.doubtful import doubts_page
    from graphmine.verbs.doubtful import doubtful

    with open_database(job.db) as store, progress_bar(quiet) as progress:
        found = doubtful(store, job, below=below, truth=truth, progress=progress)
    show(doubts_page(found, most, truth), form)


def _preview(job: "Job", truth: str | None, save: Path | None, form: Format, quiet: bool) -> None:
    from graphmine.constraints.files import save_constraints
    from graphmine.report.pages.constraints import preview_page
    from graphmine.verbs.constrain import preview

    with open_database(job.db) as store, progress_bar(quiet) as progress:
        found = preview(store, job, truth=truth, progress=progress)
    if save is not None:
        save_constraints(found.constraints, {nodes.kind: nodes for nodes in found.star.kinds}, save)
    found = replace(found, crowded=tuple(map(in_flags, found.crowded)))
    show(preview_page(found), form)
    if form is Format.CSV:  # the table and the JSON have these sentences in them
        for sentence in (*found.conflicts, *found.crowded, *found.preview.warnings):
            warn(sentence)
    if found.conflicts:
        raise typer.Exit(3)


def _preview_job(path: Path | None, given: dict[str, Any]) -> "Job":
    """Return the job whose rules to look at, from the flags, or from a file with the flags in place of its fields."""
    from graphmine.job import read_preview

    if path is None and "relation" not in given:
        raise ParameterError("relation is missing; say --relation 'Kind-TYPE->Kind', or name a job file that has it")
    job = read_preview(path, **given)
    if not job.rules:
        raise ParameterError("constrain is missing; say --constrain 'RULE', or name a job file that has it")
    return job
