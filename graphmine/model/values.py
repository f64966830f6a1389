"""Values that a database can compare with a property, and how they are written."""

import json
import re
import reprlib
from collections.abc import Sequence
from math import isfinite, isnan

from graphmine.errors import ParameterError

__all__ = ["QUOTED", "Scalar", "Value", "check_values", "is_missing", "parse_value"]

Scalar = str | int | float | bool
Value = Scalar | list[Scalar]

QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""  # a text as a value
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_values(what: str, values: Sequence[object]) -> list[Scalar]:
    """Return values that a database can compare with a property: some, and all of one type.

    Whole numbers in one list with other numbers become floats.

    >>> check_values("filter Paper.year", [2000, 2001.5])
    [2000.0, 2001.5]
    >>> check_values("filter Paper.year", [])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: filter Paper.year: the list is empty; write at least one value
    """
    if not values:
        raise ParameterError(f"{what}: the list is empty; write at least one value")
    checked = [_scalar(what, each) for each in values]
    types = {type(each) for each in checked}
    if types == {int, float}:
        return [float(each) for each in checked]
    if len(types) > 1:
        raise ParameterError(f"{what}: the list must hold values of one type")
    return checked


def _scalar(what: str, value: object) -> Scalar:
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not isfinite(value)):
        raise ParameterError(f"{what}: a value must be text, a number or a truth value, was {reprlib.repr(value)}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ParameterError(f"{what}: {reprlib.repr(value)} is too large a number for a database")
    if isinstance(value, str) and not value.isascii() and _SURROGATE.search(value):
        raise ParameterError(f"{what}: the value {value!r} holds characters that are no text; write it in UTF-8")
    return value


def is_missing(value: object) -> bool:
    """Return whether a value stands for none: None or NaN.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    return value is None or (isinstance(value, float) and isnan(value))


def parse_value(text: str) -> Value:
    """Read a number, a truth value, a text in quotes or a list of them; anything else is a text as it stands.

    >>> parse_value("['a', 'b']"), parse_value("2.5"), parse_value("2.5 m")
    (['a', 'b'], 2.5, '2.5 m')
    """
    written = re.sub(QUOTED, _double_quoted, text, flags=re.DOTALL) if text[:1] in ("[", "'") else text
    try:
        value: Value = json.loads(written, parse_constant=str)  # NaN and Infinity are texts like any other
    except (ValueError, RecursionError):
        if text[:1] in ("[", "{", '"', "'"):
            shown = " ".join((text if len(text) <= 80 else f"{text[:79]}…").split())
            raise ParameterError(f"the value {shown} can not be read; write a number, true, 'text' or [a, b]") from None
        return text
    return value


def _double_quoted(match: re.Match[str]) -> str:
    if match[0].startswith('"'):
        return match[0]
    escaped = {"\\'": "'", '"': '\\"'}
    return '"' + re.sub(r'\\.|"', lambda each: escaped.get(each[0], each[0]), match[0][1:-1], flags=re.DOTALL) + '"'
