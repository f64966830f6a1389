"""Where hard links contradict each other: nodes that must not share a cluster, tied by a chain of must-links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphmine.arrays import Ints
from graphmine.closure.chains import Web, web
from graphmine.closure.components import Cannots, Node, Place, Ties, cannots, clashes, places, tied
from graphmine.model.constraints import Constraints
from graphmine.model.nodes import Nodes

__all__ = ["Conflict", "Contradictions", "conflicts", "contradictions", "describe", "ends_of"]


_SHOWN = 8
"""How many nodes of a chain a sentence names at most."""


@dataclass(frozen=True)
class Conflict:
    """A hard cannot-link, and the shortest chain of hard must-links that ties the nodes it parts.

    Parameters
    ----------
    left, right
        The two nodes, each a kind and a position. They are the same node where a group is parted from another that
        shares it.
    rule
        Which rule parts them, as a position in `Constraints.rules`; -1 where none does.
    chain
        The nodes from the one to the other, each with the rule of the link to the next; -1 for none, and at the end.
    """

    left: Node
    right: Node
    rule: int
    chain: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, eq=False)
class Contradictions:
    """All hard cannot-links whose two ends have a component of hard must-links in common.

    Parameters
    ----------
    ties, parted
        The components, and all hard cannot-links between them.
    links, components
        The numbers of those that contradict, among the latter, with the component; a link of groups has several, maybe.
    """

    ties: Ties
    parted: Cannots
    links: Ints
    components: Ints

    def each(self) -> list[tuple[int, int, Ints]]:
        """Return the place of every contradicting link, its number there, and the components."""
        numbers, first = np.unique(self.links, return_index=True)
        place, link = self.parted.place[numbers].tolist(), self.parted.link[numbers].tolist()
        shared = (self.components[start:end] for start, end in pairwise([*first, len(self.links)]))
        return list(zip(place, link, shared, strict=True))


def contradictions(constraints: Constraints, ties: Ties | None = None) -> Contradictions:
    """Find every hard cannot-link inside a component of hard must-links, or of others that are given."""
    known = tied(constraints) if ties is None else ties
    parted = cannots(constraints, known)
    return Contradictions(known, parted, *clashes(parted))


def conflicts(constraints: Constraints, most: int | None = 10) -> list[Conflict]:
    """Return contradictions between hard links, one for each cannot-link that can not be met; at most so many.

    Parameters
    ----------
    constraints
        Links in any order, closed or not.
    most
        How many to return; None for all of them.

    Notes
    -----
    A chain counts links, so that a group is one step from any of its members to any other. Of a link between groups
    that contradicts in many pairs, a pair with the shortest chain is shown; of a group whose members exclude one
    another, the first node's nearest.

    Examples
    --------
    >>> from graphmine.model.links import Links
    >>> links = Links.of_pairs([[0, 1], [1, 2]], hard=True, rule=0) + Links.of_pairs([[0, 2]], must=False, hard=True)
    >>> conflicts(Constraints({"Author": links}, rules=("must Author-MET->Author",)))
    [Conflict(left=('Author', 0), right=('Author', 2), rule=-1,
              chain=((('Author', 0), 0), (('Author', 1), 0), (('Author', 2), -1)))]
    """
    found = contradictions(constraints)
    shown = found.each()[:most]
    if not shown:
        return []
    every, ways = places(constraints), web(constraints, found.ties, np.concatenate([each[2] for each in shown]))
    return [_conflict(every, ways, found.ties, *each) for each in shown]


def _conflict(every: list[Place], ways: Web, ties: Ties, place: int, link: int, components: Ints) -> Conflict:
    sources, targets = ends_of(every[place], link, ties, components)[0]
    found = ways.chain(sources, targets)
    if found is None:
        raise AssertionError("nodes of one component have a chain between them")
    nodes = [ties.node(number) for number in found.nodes]
    at = [ways.link_of(hop) for hop in found.hops]
    rules = [int(every[where].links.rule[number]) for where, number in at]
    rule = int(every[place].links.rule[link])
    return Conflict(nodes[0], nodes[-1], rule, tuple(zip(nodes, [*rules, -1], strict=True)))


def ends_of(place: Place, link: int, ties: Ties, components: Ints) -> list[tuple[Ints, Ints]]:
    """Return the nodes of some components that a cannot-link parts: each of the first from each of the second.

    Where it parts the members of a group from one another, there are several such pairs of sets: each member that is
    not alone, and the members of its component that come after it.
    """
    sets = []
    for side in place.sides:
        unit = int(side.units[link])
        nodes = ties.starts[side.kind] + (side.groups[-1 - unit] if unit < 0 else np.array([unit]))
        sets.append(nodes[np.isin(ties.component[nodes], components)])
    left, right = sets
    if place.links.others is not None or place.links.left[link] != place.links.right[link]:
        return [(left, right)]
    parts = (left[ties.component[left] == component] for component in components)
    return [(part[i : i + 1], part[i + 1 :]) for part in parts for i in range(len(part) - 1)]


def describe(conflict: Conflict, nodes: Mapping[str, Nodes], rules: Sequence[str]) -> str:
    """Write a contradiction as a sentence, with the keys of nodes; of kinds without nodes, with positions.

    Examples
    --------
    >>> met = Conflict(("Author", 0), ("Author", 2), 1, ((("Author", 0), 0), (("Author", 1), 0), (("Author", 2), -1)))
    >>> print(describe(met, {"Author": Nodes("Author", ["Ann", "Bob", "Cem"])}, ("met", "rivals")))
    Author 'Ann' and Author 'Cem' must not share a cluster (rule "rivals"), but Ann – Bob (rule "met") –
    Cem (rule "met") ties them
    """
    left, right = (_named(node, nodes) for node in (conflict.left, conflict.right))
    if conflict.left == conflict.right:
        return f"{left} must not share a cluster with itself{_by(conflict.rule, rules)}, being in both of two groups"
    several = len({kind for (kind, _), _ in conflict.chain}) > 1
    names = [_named(node, nodes) if several else str(_key(node, nodes)) for node, _ in conflict.chain]
    made = ["", *(_by(rule, rules) for _, rule in conflict.chain[:-1])]
    steps = [name + by for name, by in zip(names, made, strict=True)]
    if len(steps) > _SHOWN:
        half = _SHOWN // 2
        steps = [*steps[:half], f"… {len(steps) - 2 * half} more …", *steps[-half:]]
    return f"{left} and {right} must not share a cluster{_by(conflict.rule, rules)}, but {' – '.join(steps)} ties them"


def _key(node: Node, nodes: Mapping[str, Nodes]) -> str | int:
    kind, position = node
    return nodes[kind][position] if kind in nodes else position


def _named(node: Node, nodes: Mapping[str, Nodes]) -> str:
    return f"{node[0]} {_key(node, nodes)!r}" if node[0] in nodes else f"{node[0]} at position {node[1]}"


def _by(rule: int, rules: Sequence[str]) -> str:
    return f' (rule "{rules[rule]}")' if rule >= 0 else ""
