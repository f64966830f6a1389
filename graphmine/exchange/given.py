"""Reading what a user gives for a parameter of a question, by its sort."""

import re
from collections.abc import Sequence

from graphmine.checks import check_name
from graphmine.errors import ParameterError
from graphmine.model.naming import NAME, bare
from graphmine.model.values import Value, check_values, parse_value

__all__ = ["read_names", "read_value"]

_WANTED = {
    "integer": ("a whole number", (int,)),
    "count": ("a whole number of at least 0", (int,)),
    "float": ("a number", (int, float)),
    "text": ("text", (str,)),
    "boolean": ("true or false", (bool,)),
}
_NAMES = re.compile(rf"\s*{NAME}(\s*,\s*{NAME})*\s*")


def read_value(what: str, sort: str, given: object) -> Value:
    """Return a value of a sort: ``integer``, ``count``, ``float``, ``text``, ``boolean``, ``any``; with an s, a list.

    >>> read_value("limit", "integer", "20"), read_value("clusters", "integers", "1, 2"), read_value("x", "text", "20")
    (20, [1, 2], '20')
    >>> read_value("parameter limit", "integer", "many")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: parameter limit must be a whole number, was 'many'
    """
    if sort.endswith("s"):
        values = _listed(given)
        return [_scalar(what, sort[:-1], each) for each in values]  # type: ignore[misc]
    return _scalar(what, sort, given)


def read_names(what: str, given: object) -> list[str]:
    """Return names, given as a list or as one text with commas between them.

    >>> read_names("kinds", "Author, `odd, kind`"), read_names("kinds", "a b")
    (['Author', 'odd, kind'], ['a b'])
    """
    if isinstance(given, str):
        match = _NAMES.fullmatch(given)
        given = [bare(each) for each in re.findall(NAME, given)] if match else [given]
    if not isinstance(given, Sequence) or not given:
        raise ParameterError(f"{what} must be names, was {given!r}")
    return [check_name(what, each) for each in given]


def _listed(given: object) -> Sequence[object]:
    if isinstance(given, str):
        if given.lstrip().startswith("["):
            read = parse_value(given.strip())
            return read if isinstance(read, list) else [read]
        return [each.strip() for each in given.split(",") if each.strip()]
    return given if isinstance(given, Sequence) else [given]


def _scalar(what: str, sort: str, given: object) -> Value:
    value = given
    if isinstance(given, str) and sort != "text":
        value = parse_value(given.strip())
    if sort == "any":
        if not isinstance(value, list):
            return check_values(what, [value])[0]
        return check_values(what, value) if value else value
    wanted, types = _WANTED[sort]
    fits = isinstance(value, types) and (sort == "boolean" or not isinstance(value, bool))
    if not fits or (sort == "count" and isinstance(value, int) and value < 0):
        raise ParameterError(f"{what} must be {wanted}, was {given!r}")
    (checked,) = check_values(what, [value])
    return float(checked) if sort == "float" else checked
