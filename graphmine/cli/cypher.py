"""``graphmine cypher``: ask the graph, labels included."""

from typing import Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.options import Db, Format, FormatOption, command
from graphmine.cli.output import show
from graphmine.errors import ParameterError

__all__ = ["app"]

app = typer.Typer()

Query = Annotated[str, typer.Argument(metavar="QUERY", help="One query that reads.")]


@command(
    app,
    'graphmine cypher "MATCH (w:Woman) RETURN w.name AS woman LIMIT 3"',
    'graphmine cypher "MATCH (a:Author) RETURN a.known_area AS area, count(*) AS authors" --format csv',
)
def cypher(query: Query, db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """Run one query that reads, and print its rows.

    A query that writes is refused.
    """
    from graphmine.report.pages.questions import rows_page
    from graphmine.store.tokens import without_comments

    if not without_comments(query).strip(" \n\t;"):
        raise ParameterError("the query is empty; write one that reads, such as MATCH (n) RETURN count(*) AS nodes")
    with open_database(db) as store:
        table = store.reading(lambda tx: tx.read(query))
    show(rows_page(table), form)
