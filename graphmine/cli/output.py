"""Writing a page to stdout."""

import csv
import errno
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from graphmine.cli.errors import harmless
from graphmine.cli.options import Format
from graphmine.report.page import Page, Sheet

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["show"]

_PLAIN_WIDTH = 120


def show(page: Page, form: Format) -> None:
    """Write a page as tables, as one JSON document, or as CSV."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "stdout is closed")
        _SHOWING[form](page)
    except OSError as error:
        raise OSError(error.errno, f"the result can not be shown: {error.strerror}") from error


def _show_json(page: Page) -> None:
    typer.echo(json.dumps(_plain(page.data), indent=2, ensure_ascii=False, allow_nan=False))


def _show_csv(page: Page) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(page.sheet.columns)
    writer.writerows([_cell(value) for value in row] for row in page.sheet.rows)
    sys.stdout.flush()


def _show_tables(page: Page) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH, highlight=False, markup=False, emoji=False)
    for part in page.parts:
        if isinstance(part, str):
            typer.echo(harmless(part))  # never wrapped, so that a line can be copied
        else:
            console.print(_table(part))


_SHOWING = {Format.TABLE: _show_tables, Format.JSON: _show_json, Format.CSV: _show_csv}


def _table(sheet: Sheet) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(sheet.title) if sheet.title else None)
    table.title_justify, table.title_style = "left", "bold"
    for name in sheet.columns:
        table.add_column(Text(name), justify="right" if name in sheet.right else "left", overflow="fold")
    for row in sheet.rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    return table


def _shown(value: object) -> str:
    """Return a value as text for a table: nothing for None, and nothing that would move the cursor."""
    return "" if value is None else harmless(str(_cell(value)))


def _cell(value: object) -> object:
    """Return a value for a cell: what has parts is written as JSON."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(_plain(value), ensure_ascii=False) if isinstance(value, Mapping | Sequence) else str(value)


def _plain(value: object) -> object:
    """Return a value as JSON has it; a number that JSON does not know is null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(name): _plain(each) for name, each in value.items()}
        case bytes():
            return value.hex()
        case Sequence():
            return [_plain(each) for each in value]
        case _:
            return str(value)
