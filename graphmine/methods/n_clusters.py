"""The parameter n_clusters: one number, one for each kind, or ``auto``; its checks, and reading it from text."""

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral

from graphmine.checks import check_integer, nearest
from graphmine.errors import ConstraintError, ParameterError
from graphmine.model import Constraints, Star

__all__ = [
    "AUTO",
    "Clusters",
    "RequestedClusters",
    "check_enough",
    "check_kinds",
    "check_requested",
    "check_ties",
    "checked_clusters",
    "most_clusters",
    "read_clusters",
]

Clusters = int | Mapping[str, int]
"""A number for all kinds together, or a number by the name of each kind."""


def checked_clusters(n_clusters: object) -> Clusters:
    """Return a number of clusters, or a copy of one for each kind; refuse what is neither.

    >>> checked_clusters({"Author": 4, "Venue": 3})
    {'Author': 4, 'Venue': 3}
    >>> checked_clusters({"Author": 0})
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters of Author must be a whole number of at least 1, was 0
    """
    if not isinstance(n_clusters, Mapping):
        return check_integer("n_clusters", n_clusters, least=1)
    if not n_clusters:
        raise ParameterError("n_clusters must be a whole number, or one for each kind, and names no kind")
    return {str(kind): check_integer(f"n_clusters of {kind}", each, least=1) for kind, each in n_clusters.items()}


def check_kinds(n_clusters: Clusters, star: Star) -> None:
    """Refuse numbers of clusters for kinds that a star does not have, and a kind without one."""
    kinds = [nodes.kind for nodes in star.kinds]
    if not isinstance(n_clusters, Mapping):
        return
    for kind in n_clusters:
        if kind not in kinds:
            raise ParameterError(
                f"n_clusters is given for {kind}, and the star has only {', '.join(kinds)}{nearest(kind, kinds)}"
            )
    missing = [kind for kind in kinds if kind not in n_clusters]
    if missing:
        raise ParameterError(
            f"n_clusters is given for {', '.join(n_clusters)} and not for {', '.join(missing)}; give one for every kind"
        )


def check_enough(n_clusters: Clusters, placed: Mapping[str, int], least: Collection[str]) -> None:
    """Refuse more clusters than there are nodes to place: of each kind, or for one number of the smallest of some.

    >>> check_enough({"Author": 4, "Venue": 3}, {"Author": 9, "Venue": 3}, ["Author", "Venue"])
    >>> check_enough(4, {"Author": 9, "Venue": 3}, ["Author", "Venue"])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: n_clusters must be at most 3, the number of Venue nodes with links, was 4
    """
    if isinstance(n_clusters, Mapping):
        wanted = [(f"n_clusters of {kind}", n_clusters[kind], kind) for kind in placed]
    else:
        wanted = [("n_clusters", n_clusters, min(least, key=lambda kind: placed[kind]))]
    for name, count, kind in wanted:
        if count > placed[kind]:
            raise ParameterError(
                f"{name} must be at most {placed[kind]}, the number of {kind} nodes with links, was {count}"
            )


def check_ties(name: str, n_clusters: Clusters, constraints: Constraints) -> None:
    """Refuse hard must-links across kinds where each kind has clusters of its own."""
    tied = any((links.must & links.hard).any() for links in constraints.across.values())
    if tied and isinstance(n_clusters, Mapping):
        raise ConstraintError(
            f"{name} takes no hard must-links across kinds with a number of clusters for each kind; "
            "make them soft, or give one number for both"
        )


def most_clusters(n_clusters: Clusters) -> int:
    """Return the greatest number of clusters of any kind.

    >>> most_clusters(3), most_clusters({"Author": 4, "Venue": 3})
    (3, 4)
    """
    return max(n_clusters.values()) if isinstance(n_clusters, Mapping) else n_clusters


AUTO = "auto"
"""Stands for a number of clusters that is to be chosen from the data."""

RequestedClusters = int | str | Mapping[str, int]
"""A number for all kinds together, `AUTO`, or a number by the name of each kind."""


def check_requested(n_clusters: object, kinds: Sequence[str]) -> RequestedClusters:
    """Return a number of clusters that relations between some kinds can be asked for; refuse others.

    >>> check_requested({"Venue": 3, "Author": 4}, ["Author", "Venue"])
    {'Author': 4, 'Venue': 3}
    >>> check_requested({"Author": 4}, ["Author", "Venue"])
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


def read_clusters(given: Sequence[str]) -> RequestedClusters:
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
