"""``graphmine export``: a run as files that other tools read."""

from pathlib import Path
from typing import Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already
from graphmine.cli.options import Db, Format, FormatOption, NamedRun, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.plot import warn_changed
from graphmine.cli.progress import progress_bar

__all__ = ["app"]

app = typer.Typer()

Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE|FOLDER",
        help="A .graphml or .json file for nodes and links, a .csv or .parquet file for labels alone, or a folder for "
        "a file a kind and a relation, which `graphmine load` reads again.",
    ),
]
As = Annotated[
    str | None,
    typer.Option("--as", metavar="csv|parquet|graphml|json", help="The format, where the name does not say it."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that are there.")]


@command(
    app,
    "graphmine export last -o areas.graphml",
    "graphmine export last -o labels.csv",
    "graphmine export last -o areas --as parquet",
)
def export(
    run: NamedRun,
    output: Output,
    form: As = None,
    overwrite: Overwrite = False,
    db: Db = None,
    shown_as: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Write a run to files: nodes with their clusters and properties, links with their weights.

    The network is pulled again, as it is now, and has the labels that the run wrote. docs/export.md shows it.
    """
    from graphmine.report.pages.export import exported_page
    from graphmine.verbs.export.export import check_export, export as write

    check_export(output, form, overwrite=overwrite)
    with open_database(db) as store, progress_bar(quiet) as progress:
        done = write(store, output, run=run, form=form, overwrite=overwrite, progress=progress)
    if done.recalled is not None:
        warn_changed(done.recalled)
    with done_already(f"{output} is written all the same"):
        show(exported_page(done), shown_as)
