"""``graphmine job``: draft and check job files, and describe them for editors."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.flags import in_flags
from graphmine.cli.options import Db, Format, FormatOption, command, examples
from graphmine.cli.output import show
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.job import Mistake

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="Begin, check and describe job files.\n\nA job file holds all of a run; docs/jobs.md shows one.",
    epilog=examples("graphmine job init new.toml", "graphmine job check job.toml", "graphmine mine job.toml"),
)

NewFile = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="The file to write; without it, or with -, stdout.")
]
Files = Annotated[list[Path], typer.Argument(metavar="JOB.toml", help="The files to check.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there.")]
CheckDb = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH|URL", help="Also look whether this database has what the jobs name."),
]


@command(app, "graphmine job init", "graphmine job init new.toml")
def init(file: NewFile = None, overwrite: Overwrite = False, db: Db = None) -> None:
    """Write a job with comments, from what a database holds.

    As it stands it mines the first relation there is; the others, and every field with what it means, are comments.
    """
    from graphmine.exchange.schema import schema
    from graphmine.job.draft import draft

    to_stdout = file is None or str(file) == "-"
    if file is not None and not to_stdout and file.exists() and not overwrite:
        raise _there(file)
    with open_database(db) as store:
        text = draft(schema(store), db)
    if file is None or to_stdout:
        typer.echo(text, nl=False)
    else:
        _write(file, text, overwrite)


@command(app, "graphmine job check job.toml", "graphmine job check job.toml fits.toml --db graphmine.lbug --format csv")
def check(files: Files, db: CheckDb = None, form: FormatOption = Format.TABLE) -> None:
    """Name every mistake in job files, with line and field.

    No database is opened, unless --db names one to look for kinds, relationship types and properties in. A file is
    checked as what its fields say: for `graphmine mine`, or for `graphmine evolve`. The exit code is 2 if there is a
    mistake.
    """
    from graphmine.job import check_job
    from graphmine.report.pages.job import mistakes_page

    found = {str(file): check_job(file) for file in files}
    if db is not None:
        found |= _names([file for file, mistakes in found.items() if not mistakes], db)
    told = {file: [_with_flags(each) for each in mistakes] for file, mistakes in found.items()}
    show(mistakes_page(told), form)
    if any(found.values()):
        raise typer.Exit(2)


@command(app, "graphmine job schema")
def schema() -> None:
    """Print the JSON schema of job files, for editors.

    Written into a file, editors complete and check jobs by it; docs/jobs.md says how they are told.
    """
    from graphmine.job.schema import job_schema

    typer.echo(json.dumps(job_schema(), indent=2, ensure_ascii=False))


def _with_flags(mistake: "Mistake") -> "Mistake":
    """Return a mistake whose sentence names flags."""
    return replace(mistake, error=type(mistake.error)(in_flags(mistake.sentence)))


def _names(files: list[str], db: str) -> "dict[str, list[Mistake]]":
    from graphmine.verbs.check_names import names_in_file

    with open_database(db) as store:
        return {file: names_in_file(store, file) for file in files}


def _write(file: Path, text: str, overwrite: bool) -> None:
    try:
        with file.open("w" if overwrite else "x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:  # it was not there before the database was opened
        raise _there(file) from None
    typer.echo(f"{file} is written; `graphmine mine {file}` runs it")


def _there(file: Path) -> ParameterError:
    return ParameterError(f"{file} is there already; name another file, or say --overwrite")
