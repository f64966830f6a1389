"""What every method is: a frozen set of parameters with one verb, `fit`."""

from dataclasses import Field, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from graphmine.checks import check_integer
from graphmine.errors import ConstraintError, ParameterError
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["Method", "Traits", "check_fits", "generator"]


@dataclass(frozen=True)
class Traits:
    """What a method is and what it takes, so that misuse is refused before anything is pulled.

    Parameters
    ----------
    title, paper
        Its full name, and who published it where.
    max_arms
        The most relations it takes: 1 for a bipartite method, None for any star.
    constraints
        The constraints it honours: some of ``must``, ``cannot``, ``across``, ``order``; none for an unconstrained one.
    seeded
        False where the seed changes nothing.
    """

    title: str
    paper: str
    max_arms: int | None = 1
    constraints: frozenset[str] = frozenset()
    seeded: bool = True


class Method(Protocol):
    """A published way to partition a star, as a frozen dataclass of its parameters."""

    traits: ClassVar[Traits]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def n_clusters(self) -> int:
        """How many clusters to look for."""

    def fit(
        self,
        star: Star,
        constraints: Constraints = FREE,
        *,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> Clustering:
        """Return the clustering of a star; the method itself is left as it was."""


def check_fits(method: Method, star: Star, constraints: Constraints = FREE) -> None:
    """Refuse a star or constraints that a method can not honour, in one sentence."""
    name, traits = type(method).__name__, method.traits
    if not isinstance(star, Star):
        raise ParameterError(f"{name}.fit takes a Star, not a {type(star).__name__}; Star.of(relation) makes one")
    if traits.max_arms is not None and len(star.arms) > traits.max_arms:
        raise ParameterError(f"{name} takes {traits.max_arms} relation, not a star of {len(star.arms)} arms")
    if any(arm.rows.kind == arm.cols.kind for arm in star.arms):
        raise ParameterError(f"{name} needs a relation between two kinds, not of {star.centre.kind} with itself")
    if constraints and not traits.constraints:
        raise ConstraintError(f"{name} takes no constraints; use a constrained method or leave them out")


def generator(seed: int | None) -> np.random.Generator:
    """Return the one source of randomness of a fit; None seeds it anew every time.

    >>> generator(-1)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: seed must be a whole number of at least 0, was -1
    """
    return np.random.default_rng(None if seed is None else check_integer("seed", seed, least=0))
