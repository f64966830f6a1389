"""The base class of all methods, what its traits say, and the checks that every fit begins with."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from graphmine.checks import check_integer, nearest
from graphmine.clock import now
from graphmine.errors import ConstraintError, ParameterError
from graphmine.methods.n_clusters import Clusters, check_kinds
from graphmine.model import FREE, Clustering, Constraints, Star
from graphmine.progress import Progress, silent

__all__ = ["Cost", "Method", "Traits", "check_fits", "generator"]


@dataclass(frozen=True)
class Cost:
    """What a fit without constraints takes, roughly: memory at its peak, and processor time.

    The numbers of a method are measured, not derived: fits of planted networks of 10,000 to 400,000 pairs in three
    shapes (many nodes by few, square, dense), with 4 and 16 clusters, and of stars and graphs where it takes them. The
    memory is the plane that lies on or above all of them and nearest to them. `benchmarks.estimates` compares it with
    other jobs.

    Parameters
    ----------
    always
        Bytes that every fit takes.
    a_pair, a_node
        Bytes for each pair of the network, and for each node.
    a_node_cluster, a_pair_cluster
        Bytes for each node, or pair, and cluster.
    microseconds
        Processor time for a pair, or for a tenth of a node, of an ordinary network.

    Examples
    --------
    >>> Cost(10e6, a_pair=40, a_node_cluster=40, microseconds=2).memory(pairs=1_000_000, nodes=1000, clusters=10)
    50400000.0
    """

    always: float
    a_pair: float
    a_node: float = 0.0
    a_node_cluster: float = 0.0
    a_pair_cluster: float = 0.0
    microseconds: float = 2.0

    def memory(self, pairs: float, nodes: int, clusters: int) -> float:
        """Return the bytes that a fit adds at its peak to those of the network itself."""
        return (
            self.always
            + (self.a_pair + self.a_pair_cluster * clusters) * pairs
            + (self.a_node + self.a_node_cluster * clusters) * nodes
        )

    def seconds(self, pairs: float, nodes: int) -> float:
        """Return the processor time of a fit, to an order of magnitude."""
        return 1e-6 * self.microseconds * (pairs + 10 * nodes)


@dataclass(frozen=True)
class Traits:
    """What a method is and what it takes, so that misuse is refused before anything is pulled.

    Parameters
    ----------
    name
        What a job or a command calls it.
    title, paper
        Its full name, and who published it where.
    cost
        The memory and the time that a fit takes.
    max_arms
        The most relations it takes: 1 for a bipartite method, None for any star.
    constraints
        The constraints it honours: some of ``must``, ``cannot``, ``across``, ``order``; none for an unconstrained one.
    seeded
        False where the seed changes nothing.
    k_per_kind
        Whether it takes a number of clusters for each kind as well as one for all.
    rows_alone
        Whether it takes links of the first kind of a relation and of no other.
    one_kind
        Whether it takes a relation of a kind with itself, as a graph.
    aliases
        Parameters by the names that the paper gives them, where Python has these for something else.
    to_doubt
        Parameters that suit it best where only its trust in each link is wanted.
    """

    name: str
    title: str
    paper: str
    cost: Cost
    max_arms: int | None = 1
    constraints: frozenset[str] = frozenset()
    seeded: bool = True
    k_per_kind: bool = False
    rows_alone: bool = False
    one_kind: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    to_doubt: Mapping[str, object] = field(default_factory=dict)

    def takes(self, n_relations: int, *, one_kind: bool) -> bool:
        """Return whether it takes so many relations, of which one may be of a kind with itself.

        >>> Traits("m", "Method", "Paper", Cost(0, 0)).takes(1, one_kind=False)
        True
        >>> Traits("m", "Method", "Paper", Cost(0, 0)).takes(1, one_kind=True)
        False
        """
        enough = self.max_arms is None or n_relations <= self.max_arms
        return enough and (self.one_kind or not one_kind)


class Method(ABC):
    """A published way to partition a star: a frozen dataclass of its parameters, with `traits` and `_fit`.

    What all fits have in common, the checks and the clock, is in `fit`, so that `_fit` reads as the paper's outline.
    """

    n_clusters: Clusters
    """How many clusters to look for, in all or of each kind."""
    traits: ClassVar[Traits]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def fit(
        self,
        star: Star,
        constraints: Constraints = FREE,
        *,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> Clustering:
        """Return the clustering of a star; the method itself is left as it was."""
        started = now()
        check_fits(self, star, constraints)
        found = self._fit(star, constraints, seed, progress)
        parameters = {each.name: getattr(self, each.name) for each in fields(self)}
        seconds = now() - started
        return replace(found, seconds=seconds, method=self.traits.name, parameters=parameters, seed=seed)

    @abstractmethod
    def _fit(self, star: Star, constraints: Constraints, seed: int | None, progress: Progress) -> Clustering:
        """Return the clustering of a star and constraints that the method takes."""


def check_fits(method: Method, star: Star, constraints: Constraints = FREE) -> None:
    """Refuse a star or constraints that a method can not honour, in one sentence."""
    name, traits = type(method).__name__, method.traits
    if not isinstance(star, Star):
        raise ParameterError(f"{name}.fit takes a Star, not a {type(star).__name__}; Star.of(relation) makes one")
    is_graph = any(arm.of_one_kind for arm in star.arms)  # no method takes one among other relations
    if traits.max_arms is not None and len(star.arms) > traits.max_arms:
        instead = "one relation" if is_graph else "Loom, or one relation"
        raise ParameterError(
            f"{name} takes {traits.max_arms} relation, not a star of {len(star.arms)} arms; use {instead}"
        )
    if is_graph and not traits.one_kind:
        instead = "L1 for that" if len(star.arms) == 1 else "L1 for that alone"
        raise ParameterError(
            f"{name} needs a relation between two kinds, not of {star.centre.kind} with itself; use {instead}"
        )
    check_kinds(method.n_clusters, star)
    if constraints and not traits.constraints:
        raise ConstraintError(f"{name} takes no constraints; use a constrained method or leave them out")
    for sort in _sorts(constraints):
        if sort not in traits.constraints:
            raise ConstraintError(f"{name} takes no {_SORTS[sort]}; use a method that does or leave them out")
    _check_named(star, constraints)


_SORTS = {"must": "must-links", "cannot": "cannot-links", "across": "links across kinds", "order": "orders"}


def _sorts(constraints: Constraints) -> list[str]:
    """Return the sorts of constraints there are, by the names that traits give them."""
    links = [each for each in constraints.values() if len(each)]
    there = {
        "must": any(each.must.any() for each in links),
        "cannot": not all(each.must.all() for each in links),
        "across": any(map(len, constraints.across.values())),
        "order": bool(constraints.order),
    }
    return [sort for sort, is_there in there.items() if is_there]


def _check_named(star: Star, constraints: Constraints) -> None:
    """Refuse constraints on kinds and nodes that the star does not have."""
    n_nodes = {nodes.kind: len(nodes) for nodes in star.kinds}
    for kind, first, last in _named(constraints):
        if kind not in n_nodes:
            raise ConstraintError(
                f"constraints are on {kind} nodes, and the star has only {', '.join(n_nodes)}{nearest(kind, n_nodes)}"
            )
        if first < 0 or last >= n_nodes[kind]:
            wrong = first if first < 0 else last
            raise ConstraintError(f"a link names {kind} position {wrong}, and there are {n_nodes[kind]} {kind} nodes")
    for kind, ranks in constraints.order.items():
        if kind not in n_nodes or len(ranks) != n_nodes[kind]:
            raise ConstraintError(
                f"the order of {kind} ranks {len(ranks)} nodes, and the star has {n_nodes.get(kind, 0)}"
            )


def _named(constraints: Constraints) -> Iterator[tuple[str, int, int]]:
    """Give each kind that links are on, with the first and the last position that they name."""
    for (first, second), links in constraints.items():
        for kind, units, groups in ((first, links.left, links.groups), (second, links.right, links.right_groups)):
            named = np.concatenate([units[units >= 0], groups.members])
            if len(links):
                yield kind, int(named.min(initial=0)), int(named.max(initial=-1))


def generator(seed: int | None) -> np.random.Generator:
    """Return the one source of randomness of a fit; None seeds it anew every time.

    >>> generator(-1)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: seed must be a whole number of at least 0, was -1
    """
    return np.random.default_rng(None if seed is None else check_integer("seed", seed, least=0))
