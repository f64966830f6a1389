"""The program: all commands under one name."""

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from graphmine import __version__
from graphmine.cli import (
    compare,
    constraints,
    cypher,
    datasets,
    estimate,
    evolve,
    export,
    job,
    load_files,
    methods,
    mine,
    plot,
    query,
    reproduce,
    runs,
    schema,
    score,
)
from graphmine.cli.errors import release_output, report_errors
from graphmine.cli.options import examples

__all__ = ["app", "main"]

app = typer.Typer(
    name="graphmine",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "graphmine load academic",
        "graphmine schema",
        "graphmine mine --relation 'Author-WROTE->Paper-IN->Conference' -k 4 --write area",
        "graphmine score last --truth known_area",
        "graphmine runs undo last",
    ),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"graphmine {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Mine heterogeneous networks that live in a graph database: load, look, co-cluster, write back, undo."""


app.add_typer(load_files.app, name="load")  # load's own, with all that can be loaded
for each in (datasets, schema, methods):
    app.add_typer(each.app)
app.add_typer(constraints.app, name="constraints")
for each in (estimate, mine, evolve, score, compare):
    app.add_typer(each.app)
app.add_typer(job.app, name="job")
app.add_typer(runs.app, name="runs")
app.add_typer(query.app)
app.add_typer(plot.app)
app.add_typer(export.app)
app.add_typer(cypher.app)
app.add_typer(reproduce.app)


def main() -> None:
    """Run the program and leave with its exit code."""
    _hold_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # only a real stream can be told; odd names must not stop it from printing
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        with report_errors():  # what is raised outside of the commands: help that can not be written, say
            app(prog_name="graphmine")
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
    finally:
        release_output()


def _hold_closed_streams() -> None:
    """Put nothing where stdin, stdout or stderr are closed, or the database would be opened there and written into."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
