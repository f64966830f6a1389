"""``graphmine datasets``: which networks can be loaded by name."""

import typer

from graphmine.cli.options import Format, FormatOption, command
from graphmine.cli.output import show

__all__ = ["app"]

app = typer.Typer()


@command(app, "graphmine datasets", "graphmine datasets --format json")
def datasets(form: FormatOption = Format.TABLE) -> None:
    """List the sets that `graphmine load` knows by name.

    What each holds, what is known of its nodes, and whether it is here or where it can be had.
    """
    from graphmine.dataset_catalog import DATASETS
    from graphmine.report.pages.datasets import datasets_page

    show(datasets_page(DATASETS.values()), form)
