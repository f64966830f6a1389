"""A page: one result in the three forms a reader may ask for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Page", "Sheet", "counted", "fact", "number", "three_digits"]


@dataclass(frozen=True)
class Sheet:
    """Named columns and their rows.

    Parameters
    ----------
    columns, rows
        Names, and values in the order of the names; None is an empty cell. Rows that are many may be made only when
        they are asked for.
    title
        Stands above the table.
    right
        The columns of numbers, set flush right.
    """

    columns: tuple[str, ...]
    rows: Iterable[Sequence[object]]
    title: str = ""
    right: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Page:
    """What one command found.

    Parameters
    ----------
    data
        For ``--format json``: plain dictionaries, lists, numbers and texts.
    parts
        For ``--format table``: tables and lines of text, from top to bottom.
    sheet
        For ``--format csv``.
    """

    data: object
    parts: tuple[Sheet | str, ...]
    sheet: Sheet


def number(value: float | None) -> str:
    """Return a number as a person reads it.

    >>> number(0.25), number(1000000), number(None)
    ('0.25', '1000000', '–')
    """
    if value is None:
        return "–"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.4g}"


def three_digits(value: float | None) -> str:
    """Return a measure with three digits behind the point.

    >>> three_digits(0.25), three_digits(None)
    ('0.250', '–')
    """
    return "–" if value is None else f"{value:.3f}"


def counted(count: int, what: str) -> str:
    """Return so many of something.

    >>> counted(1, "node"), counted(2, "node")
    ('1 node', '2 nodes')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def fact(name: str, value: str) -> str:
    """Return a line that says one thing.

    >>> fact("cut", "0.25")
    'cut           0.25'
    """
    return f"{name:<13} {value}"
