"""``graphmine plot``: pictures of runs, in files and in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import warn
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.report.figures.terminal import Ink
    from graphmine.report.page import Page
    from graphmine.verbs.recall import Recalled

__all__ = ["app", "warn_changed"]

app = typer.Typer()

Runs = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN...",
        help="A run's name, the beginning of one, 'last', a property for its last complete run, or area~1 for the one "
        "before that. For a flow several, or an evolution or a taxonomy.",
    ),
]
PictureKind = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="matrix|network|sizes|flow",
        help="The blocks reordered by cluster; nodes and links; bars of sizes; what went where between runs.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="A .png or .svg file; without it, text in the terminal."),
]
Only = Annotated[str | None, typer.Option(metavar="KIND", help="Of sizes and of a flow, only this kind of nodes.")]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, metavar="NUMBER", help="For where a network's nodes are put.")]


@command(
    app,
    "graphmine plot last",
    "graphmine plot last --kind network -o network.png",
    "graphmine plot area field --kind flow -o flow.svg",
    "graphmine plot last --format csv",
)
def plot(
    runs: Runs,
    kind: PictureKind = "matrix",
    output: Output = None,
    only: Only = None,
    seed: Seed = 0,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Draw a run: a picture with -o, else text in the terminal.

    The network is pulled again, as it is now, and has the labels that the run wrote. A network of at most 200 nodes is
    drawn node by node, a larger one cluster by cluster. docs/pictures.md shows them all.
    """
    from graphmine.checks import check_choice
    from graphmine.report.figures.style import check_picture
    from graphmine.report.plot import KINDS

    check_choice("kind", kind, KINDS)
    if output is not None:
        check_picture(output)
    if kind == "network" and output is None:
        raise ParameterError("a network can not be drawn in a terminal; name a file with -o, or say --kind matrix")
    page = _flow(runs, output, only, db) if kind == "flow" else _picture(runs, kind, output, only, seed, db, quiet)
    show(page, form)


def _flow(names: list[str], output: Path | None, only: str | None, db: str | None) -> "Page":
    from graphmine.report.figures.style import save
    from graphmine.report.pages.evolve import flow_page
    from graphmine.report.pages.plot import drawn_page
    from graphmine.report.plot import flowed, plot_figure

    with open_database(db) as store:
        found = flowed(store, names, only)
    if output is None:
        return flow_page(found)
    save(plot_figure(found, "flow"), output)
    return drawn_page(output, "flow", names)


def _picture(
    names: list[str], kind: str, output: Path | None, only: str | None, seed: int, db: str | None, quiet: bool
) -> "Page":
    from graphmine.report.figures.style import save
    from graphmine.report.pages.plot import drawn_page, matrix_page, sizes_page
    from graphmine.report.plot import plot_figure
    from graphmine.verbs.recall import recall

    if len(names) > 1:
        raise ParameterError(f"a picture of kind {kind} is of one run; several are drawn with --kind flow")
    with open_database(db) as store, progress_bar(quiet) as progress:
        found = recall(store, names[0], progress=progress)
    warn_changed(found)
    if output is not None:
        save(plot_figure(found, kind, only=only, seed=seed), output)
        return drawn_page(output, kind, [found.run.id])
    return sizes_page(found, only, _ink()) if kind == "sizes" else matrix_page(found, _ink())


def warn_changed(found: "Recalled") -> None:
    """Say how the network has changed since a run was written."""
    for counts, what in ((found.new, "new and has no cluster"), (found.gone, "gone")):
        for kind, count in counts.items():
            if count:
                are = "is" if count == 1 else "are"
                told = what if count == 1 else what.replace("has", "have")
                warn(f"since run {found.run.id} was written, {count} {kind} {are} {told}")


def _ink() -> "Ink":
    """Return shades that the terminal's encoding has."""
    from graphmine.report.figures.terminal import ASCII, BLOCKS

    try:
        BLOCKS.signs.encode(getattr(sys.stdout, "encoding", None) or "ascii")  # a closed stdout is None
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return BLOCKS
