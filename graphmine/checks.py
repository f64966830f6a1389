"""One sentence for every bad value: its name, what it must be, what it was."""

import difflib
from collections.abc import Collection, Iterable
from math import nan
from numbers import Integral, Real

from graphmine.errors import ParameterError

__all__ = ["check_choice", "check_integer", "check_name", "check_number", "nearest"]


def check_integer(name: str, value: object, *, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int within [least, most].

    >>> check_integer("n_clusters", 3, least=1)
    3
    >>> check_integer("n_clusters", 0, least=1)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters must be a whole number of at least 1, was 0
    """
    wanted = f"a whole number of at least {least}" if most is None else f"a whole number from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ParameterError(f"{name} must be {wanted}, was {value!r}")
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ParameterError(f"{name} must be {wanted}, was {number}")
    return number


def check_number(name: str, value: object, *, least: float, most: float = float("inf")) -> float:
    """Return ``value`` as a float within [least, most].

    >>> check_number("noise", 1.5, least=0, most=1)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: noise must be a number from 0 to 1, was 1.5
    >>> check_number("noise", 10**400, least=0)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: noise must be a number from 0 to inf, was 1000...
    """
    try:
        number = nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:  # a whole number that no float can hold
        number = nan
    if not least <= number <= most:
        raise ParameterError(f"{name} must be a number from {least:g} to {most:g}, was {value!r}")
    return number


def check_choice(name: str, value: object, choices: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``choices``, else say which one was probably meant.

    >>> check_choice("method", "sco", ["s-co", "scm"])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: method must be one of s-co, scm, was 'sco' (did you mean 's-co'?)
    """
    allowed = list(choices)
    if isinstance(value, str) and value in allowed:
        return value
    raise ParameterError(f"{name} must be one of {', '.join(allowed)}, was {value!r}{nearest(str(value), allowed)}")


def check_name(what: str, value: object) -> str:
    """Return a kind, relationship type or property name that a database can carry.

    Any printable text will do, spaces and quotes included; empty names and control characters will not.

    >>> check_name("property", "naïve `area`")
    'naïve `area`'
    >>> check_name("property", "")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: property must be a name, was ''
    """
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{what} must be a name, was {value!r}")
    if any(not character.isprintable() for character in value):
        raise ParameterError(f"{what} must not hold control characters, was {value!r}")
    return value


def nearest(value: str, known: Collection[str]) -> str:
    """Return a hint in brackets with the known name closest to ``value``, or nothing.

    >>> nearest("Auhtor", ["Author", "Paper"])
    " (did you mean 'Author'?)"
    """
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(value.lower(), lowered, n=1, cutoff=0.5)
    return f" (did you mean {lowered[close[0]]!r}?)" if close else ""
