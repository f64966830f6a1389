"""``graphmine load`` of files in other formats than CSV."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already, warn
from graphmine.cli.load import Relationships, app, load_into, named_files
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar

if TYPE_CHECKING:
    from graphmine.datasets.network import Network

__all__ = ["app"]

_MB = 2**20

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file; it may be packed by gzip.")]
Kind = Annotated[str, typer.Option(metavar="NAME", help="The kind of nodes that do not say theirs.")]
Type = Annotated[str, typer.Option("--type", metavar="NAME", help="The type of relationships that do not say theirs.")]
Key = Annotated[
    str, typer.Option(metavar="NAME", help="What to call the key; an attribute of that name is the key, if there.")
]
OwnKey = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What to call the key; an attribute of that name is the key, if there. Else as exported, or 'key'.",
    ),
]
KindAttribute = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The node attribute that holds the kind; without it 'kind' or 'labels'."),
]
TypeAttribute = Annotated[
    str | None, typer.Option(metavar="NAME", help="The edge attribute that holds the type; without it 'type'.")
]


@command(
    app,
    "graphmine load parquet --nodes Author=authors.parquet --nodes Paper=papers.parquet \\",
    "  --relationships 'Author-WROTE->Paper=wrote.parquet' --db parquet.lbug",
)
def parquet(
    nodes: Annotated[
        list[str],
        typer.Option(metavar="KIND=FILE", help="A kind and its Parquet file; the first column is the key. Repeatable."),
    ],
    relationships: Relationships = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load Parquet files, one a kind and one a relationship type.

    Columns and types are the files'. Bad rows are reported with file and row, and then nothing is loaded.
    """
    from graphmine.datasets.tables import read_parquet

    network = read_parquet(named_files("nodes", nodes), named_files("relationships", relationships or []))
    load_into(network, db, form, quiet)


@command(
    app,
    "graphmine load graphml network.graphml",
    "graphmine load graphml club.graphml --kind Player --type MET",
    "graphmine load graphml exported.graphml --nodes-only",
)
def graphml(
    file: File,
    kind_attribute: KindAttribute = None,
    type_attribute: TypeAttribute = None,
    key: OwnKey = None,
    kind: Kind = "Node",
    type_: Type = "LINKS",
    nodes_only: Annotated[
        bool, typer.Option("--nodes-only", help="Leave the edges out; the database has its relationships already.")
    ] = False,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load a GraphML file, also one that graphmine has exported."""
    from graphmine.datasets.graph_files import read_graphml

    attributes = {"kind_attribute": kind_attribute, "type_attribute": type_attribute}
    network = read_graphml(file, **attributes, key=key, kind=kind, type=type_, nodes_only=nodes_only)
    load_into(network, db, form, quiet)


@command(app, "graphmine load gexf network.gexf --kind-attribute group")
def gexf(
    file: File,
    kind_attribute: KindAttribute = None,
    type_attribute: TypeAttribute = None,
    key: Key = "key",
    kind: Kind = "Node",
    type_: Type = "LINKS",
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load a GEXF file, as Gephi writes it."""
    from graphmine.datasets.graph_files import read_gexf

    attributes = {"kind_attribute": kind_attribute, "type_attribute": type_attribute}
    load_into(read_gexf(file, **attributes, key=key, kind=kind, type=type_), db, form, quiet)


@command(
    app,
    "graphmine load edges calls.txt --kind Person --type CALLED",
    "graphmine load edges ratings.csv.gz --delimiter , --bipartite User Film --type RATED --property stars",
)
def edges(
    file: File,
    delimiter: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What stands between the cells; without it any white space.")
    ] = None,
    comments: Annotated[str, typer.Option(metavar="TEXT", help="Lines that begin so are passed over.")] = "#",
    kind: Annotated[str, typer.Option(metavar="NAME", help="The kind of the nodes.")] = "Node",
    type_: Annotated[str, typer.Option("--type", metavar="NAME", help="The type of the relationships.")] = "LINKS",
    bipartite: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="KIND KIND", help="The kinds of the first and of the second column, where these are two."),
    ] = None,
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="NAME", help="What a further column holds; else 'weight'. Repeatable."),
    ] = None,
    key: Annotated[str, typer.Option(metavar="NAME", help="What to call the key.")] = "key",
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load a list of edges: two nodes a line, and perhaps a weight."""
    from graphmine.datasets.graph_files import read_edges

    network = read_edges(
        file,
        delimiter="\t" if delimiter == "\\t" else delimiter,  # a shell does not turn it into a tab
        comments=comments,
        kind=kind,
        type=type_,
        bipartite=bipartite,
        properties=property_ or ["weight"],
        key=key,
    )
    load_into(network, db, form, quiet)


@command(
    app,
    "graphmine load dblp dblp.xml.gz --venue KDD --venue ICDM --since 2000 --db dblp.lbug",
    "graphmine load dblp dblp.xml --no-terms --until 1999 --db dblp.lbug",
)
def dblp(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="dblp.xml or dblp.xml.gz, from https://dblp.org/xml.")],
    venue: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this journal or conference. Repeatable.")
    ] = None,
    since: Annotated[int | None, typer.Option(metavar="YEAR", help="Only papers of this year or later.")] = None,
    until: Annotated[int | None, typer.Option(metavar="YEAR", help="Only papers of this year or earlier.")] = None,
    terms: Annotated[bool, typer.Option(help="Whether the words of titles become nodes.")] = True,
    piece: Annotated[int, typer.Option(metavar="NUMBER", help="How many papers are loaded at a time.")] = 2_500,
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
    from graphmine.exchange.load import Counts
    from graphmine.exchange.load_parts import load_parts

    pool = pool_for(file) if memory is None else memory * _MB
    with progress_bar(quiet) as progress:
        years = {"since": since, "until": until}
        parts = read_dblp(file, venues=venue or (), **years, terms=terms, piece=piece, progress=progress)
        parts = _begun(parts)
        with open_database(db, write=True, create=True, memory=pool) as store:
            loaded = load_parts(store, parts, centre="Paper")
    if loaded.nodes["Paper"] == Counts(0, 0, 0):
        warn(f"{file} holds no paper of these venues and years; a venue is named as the file names it, such as KDD")
    from graphmine.report.pages.load import loaded_page  # not before: all it needs takes memory too

    with done_already("the papers are loaded all the same"):
        show(loaded_page(loaded), form)


def _begun(parts: "Iterator[Network]") -> "Iterator[Network]":
    """Read the first part now: no database is made for a file that can not be read."""
    first = list(islice(parts, 1))

    def all_parts() -> "Iterator[Network]":
        while first:
            yield first.pop()  # and is not held while the others are loaded
        yield from parts

    return all_parts()
