"""The number of clusters as it is asked for: one, one for each kind, or one to be chosen from the data."""

from collections.abc import Mapping, Sequence
from numbers import Integral

from graphmine.checks import nearest
from graphmine.errors import ParameterError
from graphmine.methods.clusters import checked_clusters

__all__ = ["AUTO", "Asked", "checked_asked", "read_clusters"]

AUTO = "auto"
"""Stands for a number of clusters that is to be chosen from the data."""

Asked = int | str | Mapping[str, int]
"""A number for all kinds together, `AUTO`, or a number by the name of each kind."""


def checked_asked(n_clusters: object, kinds: Sequence[str]) -> Asked:
    """Return a number of clusters that relations between some kinds can be asked for; refuse others.

    >>> checked_asked({"Venue": 3, "Author": 4}, ["Author", "Venue"])
    {'Author': 4, 'Venue': 3}
    >>> checked_asked({"Author": 4}, ["Author", "Venue"])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters has no number for Venue; give one for each kind, or one for all
    """
    if isinstance(n_clusters, str):
        if n_clusters != AUTO:
            raise ParameterError(f"n_clusters must be a whole number of at least 1, or {AUTO!r}, was {n_clusters!r}")
        return AUTO
    if isinstance(n_clusters, Mapping):
        _check_kinds(n_clusters, kinds)
        return checked_clusters({kind: n_clusters[kind] for kind in kinds})
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, Integral):
        raise ParameterError(
            f"n_clusters must be a whole number of at least 1, {AUTO!r}, or a table with a number for each kind, was "
            f"{n_clusters!r}"
        )
    return checked_clusters(n_clusters)


def _check_kinds(numbers: Mapping[str, object], kinds: Sequence[str]) -> None:
    """Refuse numbers of other kinds, kinds without one, and those that are to be chosen."""
    for kind, number in numbers.items():
        if kind not in kinds:
            there = f"the relation has only {', '.join(kinds)}{nearest(str(kind), kinds)}"
            raise ParameterError(f"n_clusters is given for {kind!r}, and {there}")
        if number == AUTO:
            raise ParameterError(f"n_clusters of {kind} can not be {AUTO}; {AUTO} stands alone, for all kinds")
    missing = [kind for kind in kinds if kind not in numbers]
    if missing:
        raise ParameterError(
            f"n_clusters has no number for {', '.join(missing)}; give one for each kind, or one for all"
        )


def read_clusters(given: Sequence[str]) -> Asked:
    """Read the number of clusters from texts: one number, ``auto``, or ``Kind=number`` for each kind.

    A kind ends at the last equals sign, and may stand in backquotes.

    >>> read_clusters(["4"]), read_clusters(["auto"]), read_clusters(["Author=4", "`a=b c`=3"])
    (4, 'auto', {'Author': 4, 'a=b c': 3})
    >>> read_clusters(["auto", "Author=4"])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters must be one number, auto, or Kind=number for each kind, ...
    """
    if list(given) == [AUTO]:
        return AUTO
    if len(given) == 1 and "=" not in given[0]:
        return _whole("n_clusters", given[0], ", auto, or Kind=number for each kind")
    if any("=" not in text for text in given):
        raise ParameterError(
            f"n_clusters must be one number, {AUTO}, or Kind=number for each kind, was {' '.join(given)}"
        )
    pairs = [text.rpartition("=") for text in given]
    kinds = [_bare(kind) for kind, _, _ in pairs]
    if len(set(kinds)) < len(kinds):
        raise ParameterError(f"n_clusters names a kind twice: {' '.join(given)}")
    return {kind: _whole(f"n_clusters of {kind}", number) for kind, (_, _, number) in zip(kinds, pairs, strict=True)}


def _whole(name: str, text: str, more: str = "") -> int:
    try:
        return int(text)
    except ValueError as error:
        raise ParameterError(f"{name} must be a whole number{more}, was {text!r}") from error


def _bare(kind: str) -> str:
    quoted = len(kind) > 1 and kind[0] == kind[-1] == "`"
    return kind[1:-1].replace("``", "`") if quoted else kind
