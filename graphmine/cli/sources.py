"""``graphmine load`` of files in other formats than CSV."""

from pathlib import Path
from typing import Annotated

import typer

from graphmine.cli.bars import bar
from graphmine.cli.commands import Db, Format, FormatOption, Quiet, command
from graphmine.cli.load import app
from graphmine.cli.opening import opened
from graphmine.cli.output import show
from graphmine.cli.telling import done_already

__all__ = ["app"]

_MB = 2**20


@command(
    app,
    "graphmine load dblp dblp.xml.gz --venue KDD --venue ICDM --since 2000 --db dblp.lbug",
    "graphmine load dblp dblp.xml --no-terms --until 1999",
)
def dblp(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="dblp.xml or dblp.xml.gz, from https://dblp.org/xml.")],
    venue: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this journal or conference. Repeatable.")
    ] = None,
    since: Annotated[int | None, typer.Option(metavar="YEAR", help="Only papers of this year or later.")] = None,
    until: Annotated[int | None, typer.Option(metavar="YEAR", help="Only papers of this year or earlier.")] = None,
    terms: Annotated[bool, typer.Option(help="Whether the words of titles become nodes.")] = True,
    piece: Annotated[int, typer.Option(metavar="NUMBER", help="How many papers are loaded at a time.")] = 5_000,
    memory: Annotated[
        int | None,
        typer.Option(metavar="MB", help="For the pages of an embedded database; without it by the size of the file."),
    ] = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load the bibliography DBLP: authors, papers, venues and terms.

    The file is read and loaded piece by piece. What stops half-way can be run again: it goes on from there.
    """
    from graphmine.datasets.dblp import pool_for, read_dblp
    from graphmine.exchange.parts import load_parts

    pool = pool_for(file) if memory is None else memory * _MB
    with bar(quiet) as progress:
        years = {"since": since, "until": until}
        parts = read_dblp(file, venues=venue or (), **years, terms=terms, piece=piece, progress=progress)
        with opened(db, write=True, create=True, memory=pool) as store:
            loaded = load_parts(store, parts, centre="Paper")
    from graphmine.report.tables import loaded_page  # not before: all it needs takes memory too

    with done_already("the papers are loaded all the same"):
        show(loaded_page(loaded), form)
