"""``graphmine schema``: what a database holds, and what of it can be mined."""

import typer

from graphmine.cli.database import open_database
from graphmine.cli.options import Db, Format, FormatOption, command
from graphmine.cli.output import show

__all__ = ["app"]

app = typer.Typer()


@command(app, "graphmine schema", "graphmine schema --format json")
def schema(db: Db = None, form: FormatOption = Format.TABLE) -> None:
    """Show what a database holds, and what can be mined.

    Kinds, relationship types and properties; then every relation, path and star with the flags to paste into mine.
    """
    from graphmine.exchange.schema import schema as read_schema
    from graphmine.report.pages.schema import schema_page

    with open_database(db) as store:
        page = schema_page(read_schema(store), store.name)
    show(page, form)
