"""``graphmine load``: bring a network into a database."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.errors import done_already, warn
from graphmine.cli.load_datasets import add_dataset_command
from graphmine.cli.options import Db, Format, FormatOption, Quiet, command, examples
from graphmine.cli.output import show
from graphmine.cli.progress import progress_bar
from graphmine.dataset_catalog import DATASETS
from graphmine.errors import ParameterError

if TYPE_CHECKING:
    from graphmine.datasets.network import Network

__all__ = ["Nodes", "Relationships", "app", "load_into", "named_files"]

_NAMED_FILE = re.compile(r"(?P<name>(?:`[^`]*`|[^=])+?)=(?P<file>.+)", re.DOTALL)

app = typer.Typer(
    help="Bring a network into a database; what is there already stays.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples("graphmine load davis", "graphmine load academic --seed 1", "graphmine datasets"),
)

Nodes = Annotated[
    list[str],
    typer.Option(metavar="KIND=FILE", help="A kind and its CSV file; the first column is the key. Repeatable."),
]
Relationships = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN=FILE", help="As in Author-WROTE->Paper=wrote.csv; two columns of keys first. Repeatable."
    ),
]


for each in DATASETS.values():
    add_dataset_command(app, each, lambda network, *rest: load_into(network, *rest))  # noqa: PLW0108  # it stands below


@command(
    app,
    "graphmine load csv --nodes Author=authors.csv --nodes Paper=papers.csv \\",
    "  --relationships 'Author-WROTE->Paper=wrote.csv' --db csv.lbug",
    name="csv",
)
def csv_(
    nodes: Nodes,
    relationships: Relationships = None,
    db: Db = None,
    form: FormatOption = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Load CSV files, one a kind and one a relationship type.

    Every file has a header. Bad rows are reported with file and line, and then nothing is loaded.
    """
    from graphmine.datasets.csv_files import read_csv

    load_into(read_csv(named_files("nodes", nodes), named_files("relationships", relationships or [])), db, form, quiet)


def load_into(network: "Network", db: str | None, form: Format, quiet: bool) -> None:
    """Load a network and show what that did."""
    from graphmine.exchange.load import load
    from graphmine.report.pages.load import loaded_page

    duplicates = {edges.name: edges.duplicates for edges in network.relationships if edges.duplicates}
    with open_database(db, write=True, create=True) as store, progress_bar(quiet) as progress:
        loaded = load(store, network, progress=progress)
    for name, count in duplicates.items():
        again = "1 row stands there twice and is" if count == 1 else f"{count} rows stand there twice and are"
        warn(f"{name}: {again} taken once; a column with a number would keep the count")
    with done_already("the network is loaded all the same"):
        show(loaded_page(loaded, duplicates), form)


def named_files(option: str, given: list[str]) -> dict[str, Path]:
    """Return the files that an option names, each as NAME=FILE."""
    from graphmine.model.naming import NAME, bare

    files: dict[str, Path] = {}
    for text in given:
        match = _NAMED_FILE.fullmatch(text)
        if match is None:
            raise ParameterError(f"--{option} {text!r} can not be read; write it as NAME=FILE")
        name = match["name"].strip()
        if option == "nodes" and re.fullmatch(NAME, name):  # in backticks, as in the patterns beside it
            name = bare(name)
        if name in files:
            raise ParameterError(f"--{option} names {name} twice")
        files[name] = Path(match["file"])
    return files
