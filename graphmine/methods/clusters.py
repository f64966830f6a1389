"""How many clusters to look for: one number for all kinds together, or one for each kind."""

from collections.abc import Collection, Mapping

from graphmine.checks import check_integer, nearest
from graphmine.errors import ConstraintError, ParameterError
from graphmine.model import Constraints, Star

__all__ = ["Clusters", "check_enough", "check_kinds", "check_ties", "checked_clusters", "most_clusters"]

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
