"""``graphmine compare``: how far runs agree, and what moved between them."""

from typing import Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.options import Db, Format, FormatOption, command
from graphmine.cli.output import show

__all__ = ["app"]

app = typer.Typer()

RunNames = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN RUN...",
        help="Two runs or more: a name, the beginning of one, 'last', a property for its last complete run, or area~1 "
        "for the one before that.",
    ),
]
KindOption = Annotated[str | None, typer.Option(metavar="KIND", help="Only the nodes of this kind.")]
Moves = Annotated[int, typer.Option(min=0, metavar="NUMBER", help="How many of the largest moves to show.")]


@command(
    app,
    "graphmine compare area field",
    "graphmine compare area last --kind Author --moves 20",
    "graphmine compare area field last --format json",
)
def compare(
    runs: RunNames, kind: KindOption = None, moves: Moves = 5, db: Db = None, form: FormatOption = Format.TABLE
) -> None:
    """Compare the clusters of runs: agreement, moves, overlap.

    From the labels on record, whatever stands in the property now; a run that was undone has none any more. A node has
    moved if its cluster does not go on from the one it was in; docs/compare.md says which does. With more than two
    runs, all are compared with each other, and moves told against the first.
    """
    from graphmine.report.pages.compare import compared_page
    from graphmine.verbs.compare import compare as compare_runs

    with open_database(db) as store:
        compared = compare_runs(store, *runs, kind=kind)
    show(compared_page(compared, moves), form)
