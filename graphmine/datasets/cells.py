"""The cells of a CSV column, brought to a type."""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["heading", "inferred_column", "text_column", "typed_column"]

_TYPES = ("int", "float", "bool", "string")
# What looks like a number but would come back different, 007 or +49, is left alone unless declared a number.
_PLAIN_INT = r"^(0|-?[1-9][0-9]*)$"
_PLAIN_FLOAT = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
_INT = r"^[+-]?[0-9]+$"
_FLOAT = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_TRUE, _FALSE = pa.array(["true", "1"]), pa.array(["false", "0"])


def heading(cell: str) -> tuple[str, str | None]:
    """Split a column's name from the type it declares, if any.

    >>> heading("year:int"), heading("dc:title")
    (('year', 'int'), ('dc:title', None))
    """
    name, colon, typed_column = cell.rpartition(":")
    return (name, typed_column) if colon and typed_column in _TYPES else (cell, None)


def text_column(cells: Sequence[str]) -> pa.Array:
    """Return cells as text, the empty ones as nulls."""
    column = pa.array(cells, pa.string())
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)


def inferred_column(column: pa.Array) -> pa.Array:
    """Return a column of text as whole numbers or numbers, if all of it is.

    >>> inferred_column(pa.array(["1", None, "-20"])).to_pylist(), inferred_column(pa.array(["1", "2.5"])).to_pylist()
    ([1, None, -20], [1.0, 2.5])
    >>> inferred_column(pa.array(["007"])).to_pylist(), inferred_column(pa.array(["12345678901234567890"])).to_pylist()
    (['007'], ['12345678901234567890'])
    """
    if column.null_count == len(column):
        return column
    whole = _all_match(column, _PLAIN_INT)
    if not whole and not _all_match(column, _PLAIN_FLOAT):
        return column
    try:
        return column.cast(pa.int64() if whole else pa.float64())
    except pa.ArrowInvalid:  # more digits than fit: a serial number, not a quantity
        return column


def typed_column(column: pa.Array, type: str) -> pa.Array:
    """Return a column of text in a declared type; cells that are not of it become nulls.

    >>> typed_column(pa.array(["007", "x", "9" * 20]), "int").to_pylist()
    [7, None, None]
    >>> typed_column(pa.array(["true", "FALSE", "maybe"]), "bool").to_pylist()
    [True, False, None]
    """
    if type == "string":
        return column
    column = pc.utf8_trim_whitespace(column)
    if type == "bool":
        lower = pc.utf8_lower(column)
        known = pc.or_(pc.is_in(lower, value_set=_TRUE), pc.is_in(lower, value_set=_FALSE))
        return pc.if_else(known, pc.is_in(lower, value_set=_TRUE), pa.scalar(None, pa.bool_()))
    if type == "float":
        return _matching(column, _FLOAT).cast(pa.float64())
    return _whole_numbers(_matching(column, _INT))


def _whole_numbers(column: pa.Array) -> pa.Array:
    column = pc.utf8_ltrim(column, characters="+")
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:  # somewhere there are more digits than fit
        numbers = (None if cell is None else int(cell) for cell in column.to_pylist())
        return pa.array([number if number is not None and -(2**63) <= number < 2**63 else None for number in numbers])


def _matching(column: pa.Array, pattern: str) -> pa.Array:
    return pc.if_else(pc.match_substring_regex(column, pattern), column, pa.scalar(None, pa.string()))


def _all_match(column: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(column, pattern)).as_py())
