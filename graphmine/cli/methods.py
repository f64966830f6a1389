"""``graphmine methods``: what can be fitted."""

import typer

from graphmine.cli.options import Format, FormatOption, command
from graphmine.cli.output import show

__all__ = ["app"]

app = typer.Typer()


@command(app, "graphmine methods", "graphmine methods --format json")
def methods(form: FormatOption = Format.TABLE) -> None:
    """List the methods, their papers, and what each takes."""
    from graphmine.methods.catalog import CATALOG
    from graphmine.report.pages.methods import methods_page

    show(methods_page(CATALOG), form)
