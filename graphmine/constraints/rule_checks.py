"""Checks of the parts of a rule; each error is one sentence."""

from numbers import Real

from graphmine.checks import check_name
from graphmine.errors import ParameterError
from graphmine.model.values import check_values

__all__ = ["LARGEST_NUMBER", "check_above_zero", "check_flag", "check_keys", "check_property_names"]

LARGEST_NUMBER = 10**15  # of links, edits and thresholds; sums of larger numbers would not be exact


def check_above_zero(what: str, value: float, most: float) -> float:
    """Return a number above 0.

    >>> check_above_zero("fraction", 0, 1)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: fraction must be a number above 0 and at most 1, was 0
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < value <= most:
        raise ParameterError(f"{what} must be a number above 0 and at most {most:g}, was {value!r}")
    return float(value)


def check_flag(name: str, value: object) -> bool:
    """Return a truth value.

    >>> check_flag("hard", "no")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: hard must be True or False, was 'no'
    """
    if not isinstance(value, bool):
        raise ParameterError(f"{name} must be True or False, was {value!r}")
    return value


def check_property_names(kind: object, property_: object) -> None:
    """Refuse names that no database can carry."""
    check_name("kind", kind)
    check_name("property", property_)


def check_keys(kind: object, keys: object) -> tuple[str | int, ...]:
    """Return the keys of some nodes of a kind.

    >>> check_keys("Author", [1.5])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the rule these: a key of Author must be text or a whole number, was 1.5
    """
    if not isinstance(keys, list | tuple):
        raise ParameterError(f"the rule these takes a list of keys of {check_name('kind', kind)}, was {keys!r}")
    for key in keys:
        if isinstance(key, bool) or not isinstance(key, str | int):
            raise ParameterError(f"the rule these: a key of {kind} must be text or a whole number, was {key!r}")
        if isinstance(key, str):
            check_values(f"the rule these, the keys of {kind}", [key])
    return tuple(keys)
