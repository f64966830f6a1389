"""Contradictions between hard links: cannot-links between nodes that a chain of must-links connects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphmine.arrays import Ints
from graphmine.closure.chains import MustLinkGraph, must_link_graph
from graphmine.closure.components import (
    CannotLinks,
    Components,
    LinkBlock,
    Node,
    clashes,
    hard_cannot_links,
    link_blocks,
    must_link_components,
)
from graphmine.model.constraints import Constraints
from graphmine.model.nodes import Nodes

__all__ = ["Conflict", "Contradictions", "conflicts", "contradictions", "describe", "ends_of"]


_SHOWN = 8
"""The largest number of nodes of a chain that a sentence names."""


@dataclass(frozen=True)
class Conflict:
    """A hard cannot-link, and the shortest chain of hard must-links between its two nodes.

    Parameters
    ----------
    left, right
        The two nodes, each a kind and a position. They are the same node where two groups that exclude
        each other share it.
    rule
        The rule of the cannot-link, as a position in `Constraints.rules`; -1 for none.
    chain
        The nodes from left to right, each with the rule of the link to the next; -1 for none, and for the last node.
    """

    left: Node
    right: Node
    rule: int
    chain: tuple[tuple[Node, int], ...]


@dataclass(frozen=True, eq=False)
class Contradictions:
    """All hard cannot-links whose two ends share a component of hard must-links.

    Parameters
    ----------
    ties, cannot_links
        The components, and all hard cannot-links between them.
    links, components
        The positions of the contradicting links among the cannot-links, each with the component; a link between groups
        may be listed with several.
    """

    ties: Components
    cannot_links: CannotLinks
    links: Ints
    components: Ints

    def each(self) -> list[tuple[int, int, Ints]]:
        """Return the block of every contradicting link, its number there, and the components."""
        numbers, first = np.unique(self.links, return_index=True)
        block, link = self.cannot_links.block[numbers].tolist(), self.cannot_links.link[numbers].tolist()
        shared = (self.components[start:end] for start, end in pairwise([*first, len(self.links)]))
        return list(zip(block, link, shared, strict=True))


def contradictions(constraints: Constraints, ties: Components | None = None) -> Contradictions:
    """Find every hard cannot-link inside a component of hard must-links, or of others that are given."""
    known = must_link_components(constraints) if ties is None else ties
    cannot_links = hard_cannot_links(constraints, known)
    return Contradictions(known, cannot_links, *clashes(cannot_links))


def conflicts(constraints: Constraints, most: int | None = 10) -> list[Conflict]:
    """Return contradictions between hard links, one for each cannot-link that can not be met.

    Parameters
    ----------
    constraints
        Links in any order, closed or not.
    most
        The largest number to return; None for all.

    Notes
    -----
    The length of a chain is its number of links, so a group is one step from any of its members to any other. If a link
    between groups contradicts in several pairs, a pair with the shortest chain is shown; if the members of a group
    exclude each other, the nearest one to its first node.

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
    every, graph = (
        link_blocks(constraints),
        must_link_graph(constraints, found.ties, np.concatenate([each[2] for each in shown])),
    )
    return [_conflict(every, graph, found.ties, *each) for each in shown]


def _conflict(
    every: list[LinkBlock], graph: MustLinkGraph, ties: Components, block: int, link: int, components: Ints
) -> Conflict:
    sources, targets = ends_of(every[block], link, ties, components)[0]
    found = graph.chain(sources, targets)
    if found is None:
        raise AssertionError("nodes of one component have a chain between them")
    nodes = [ties.node(number) for number in found.nodes]
    at = [graph.link_of(hop) for hop in found.hops]
    rules = [int(every[where].links.rule[number]) for where, number in at]
    rule = int(every[block].links.rule[link])
    return Conflict(nodes[0], nodes[-1], rule, tuple(zip(nodes, [*rules, -1], strict=True)))


def ends_of(block: LinkBlock, link: int, ties: Components, components: Ints) -> list[tuple[Ints, Ints]]:
    """Return the nodes of some components that a cannot-link separates: each of the first set from each of the second.

    If the members of one group exclude each other, there are several such pairs of sets: each member, with the members
    of its component that come after it.
    """
    sets = []
    for side in block.sides:
        unit = int(side.units[link])
        nodes = ties.starts[side.kind] + (side.groups[-1 - unit] if unit < 0 else np.array([unit]))
        sets.append(nodes[np.isin(ties.component[nodes], components)])
    left, right = sets
    if block.links.others is not None or block.links.left[link] != block.links.right[link]:
        return [(left, right)]
    parts = (left[ties.component[left] == component] for component in components)
    return [(part[i : i + 1], part[i + 1 :]) for part in parts for i in range(len(part) - 1)]


def describe(conflict: Conflict, nodes: Mapping[str, Nodes], rules: Sequence[str]) -> str:
    """Write a contradiction as a sentence, with the keys of nodes, or positions for kinds that are not in ``nodes``.

    Examples
    --------
    >>> met = Conflict(("Author", 0), ("Author", 2), 1, ((("Author", 0), 0), (("Author", 1), 0), (("Author", 2), -1)))
    >>> print(describe(met, {"Author": Nodes("Author", ["Ann", "Bob", "Cem"])}, ("met", "rivals")))
    Author 'Ann' and Author 'Cem' must not share a cluster (rule "rivals"), but Ann – Bob (rule "met") –
    Cem (rule "met") ties them
    """
    left, right = (_node_text(node, nodes) for node in (conflict.left, conflict.right))
    by = _rule_text(conflict.rule, rules)
    if conflict.left == conflict.right:
        return f"{left} must not share a cluster with itself{by}, being in both of two groups"
    several = len({kind for (kind, _), _ in conflict.chain}) > 1
    names = [_node_text(node, nodes) if several else str(_node_key(node, nodes)) for node, _ in conflict.chain]
    made = ["", *(_rule_text(rule, rules) for _, rule in conflict.chain[:-1])]
    steps = [name + rule for name, rule in zip(names, made, strict=True)]
    if len(steps) > _SHOWN:
        half = _SHOWN // 2
        steps = [*steps[:half], f"… {len(steps) - 2 * half} more …", *steps[-half:]]
    return f"{left} and {right} must not share a cluster{by}, but {' – '.join(steps)} ties them"


def _node_key(node: Node, nodes: Mapping[str, Nodes]) -> str | int:
    kind, position = node
    return nodes[kind][position] if kind in nodes else position


def _node_text(node: Node, nodes: Mapping[str, Nodes]) -> str:
    return f"{node[0]} {_node_key(node, nodes)!r}" if node[0] in nodes else f"{node[0]} at position {node[1]}"


def _rule_text(rule: int, rules: Sequence[str]) -> str:
    return f' (rule "{rules[rule]}")' if rule >= 0 else ""
