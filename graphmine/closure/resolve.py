"""Resolve contradictions between hard links: raise an error, drop links, or make them soft."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.checks import check_choice
from graphmine.closure.chains import Chain, MustLinkGraph, must_link_graph
from graphmine.closure.components import Components, LinkBlock, active_hard_links, link_blocks
from graphmine.closure.conflicts import Contradictions, conflicts, contradictions, describe, ends_of
from graphmine.errors import ConstraintError
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups, Links

__all__ = ["RESOLUTIONS", "resolve_conflicts"]

_Query = tuple[Ints, Ints]


def resolve_conflicts(constraints: Constraints, how: str = "error") -> tuple[Constraints, int]:
    """Return constraints whose hard links do not contradict each other, and how many links were dropped or weakened.

    Parameters
    ----------
    constraints
        Links in any order, closed or not.
    how
        ``error`` raises a `ConstraintError`. ``drop-cannot`` drops the contradicting cannot-links; a group loses only
        the nodes that contradict. ``drop-must`` removes links from the shortest chains until none is left, first those
        that most chains pass; a group loses a member. ``weaken`` makes soft links of weight 1 out of the contradicting
        cannot-links and of all must-links in their components.

    Notes
    -----
    The smallest number of must-links to drop is a multicut problem, which is NP-hard; ``drop-must`` finds a small set,
    not necessarily the smallest.

    Examples
    --------
    >>> links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    >>> known = Constraints({"Author": links})
    >>> for how in ("drop-cannot", "drop-must", "weaken"):
    ...     left, n = resolve_conflicts(known, how)
    ...     print(how, n, left.within["Author"].must.tolist(), left.within["Author"].hard.tolist())
    drop-cannot 1 [True, True] [True, True]
    drop-must 1 [True, False] [True, True]
    weaken 3 [True, True, False] [False, False, False]
    >>> resolve_conflicts(known, "error")
    Traceback (most recent call last):
    graphmine.errors.ConstraintError: 1 hard cannot-link contradicts hard must-links; first, Author at position 0 and
    Author at position 2 must not share a cluster, but 0 – 1 – 2 ties them
    """
    check_choice("how", how, RESOLUTIONS)
    found = contradictions(constraints)
    return RESOLUTIONS[how](constraints, found) if len(found.links) else (constraints, 0)


def _raise_error(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    n = len(found.each())
    said = "1 hard cannot-link contradicts" if n == 1 else f"{n} hard cannot-links contradict"
    first = describe(conflicts(constraints, most=1)[0], {}, constraints.rules)
    raise ConstraintError(f"{said} hard must-links; first, {first}")


def _weaken(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Make contradicting links soft."""
    every, n = link_blocks(constraints), 0
    graph = must_link_graph(constraints, found.ties, found.components)
    cannot = np.array([each[:2] for each in found.each()])
    at = np.concatenate([graph.links, cannot])
    changed = {}
    for number, block in enumerate(every):
        which = at[at[:, 0] == number, 1]
        hard, weight = block.links.hard.copy(), block.links.weight.copy()
        hard[which], weight[which] = False, 1.0
        changed[number] = replace(block.links, hard=hard, weight=weight)
        n += len(which)
    return _replace_links(constraints, changed), n


def _drop_cannot_links(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Drop contradicting cannot-links, or remove the contradicting nodes from their groups."""
    changes = [_LinkEdit(block) for block in link_blocks(constraints)]
    each = found.each()
    for number, link, components in each:
        _shrink_cannot_link(changes[number], link, components, found.ties)
    return _replace_links(constraints, {number: change.links() for number, change in enumerate(changes)}), len(each)


def _shrink_cannot_link(change: "_LinkEdit", link: int, components: Ints, ties: Components) -> None:
    """Change a cannot-link so that it separates no two nodes of the components.

    The left group loses members, or else the right one; if neither would keep any, the link is dropped.
    """
    block, loop = change.block, False
    if block.links.others is None:
        loop = block.links.left[link] == block.links.right[link]
    for number, side in enumerate(block.sides):
        unit = int(side.units[link])
        if unit >= 0:
            continue
        component = ties.of(side.kind)[side.groups[-1 - unit]]
        kept = ~np.isin(component, components)
        if loop:  # one node of each component stands for all of them
            kept[np.unique(component, return_index=True)[1]] = True
        if kept.any():
            new = change.smaller(min(number, len(block.pools) - 1), unit, kept)
            change.units[number][link] = new
            change.units[1][link] = new if loop else change.units[1][link]
            return
    change.kept[link] = False


def _drop_must_links(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Remove must-links from the shortest chains until no chain is left."""
    alone = replace(found.ties, component=np.arange(len(found.ties.component)))
    same = contradictions(constraints, alone)  # a node that excludes itself, which dropping must-links can not resolve
    constraints, n = _drop_cannot_links(constraints, same) if len(same.links) else (constraints, 0)
    found, every = contradictions(constraints, found.ties), link_blocks(constraints)
    graph = must_link_graph(constraints, found.ties, found.components)
    each = found.each()
    queries = [
        query for block, link, components in each for query in ends_of(every[block], link, found.ties, components)
    ]
    _cut_chains(graph, queries)
    return _replace_links(constraints, _links_left(every, graph)), n + int(np.count_nonzero(~graph.left))


def _cut_chains(graph: MustLinkGraph, queries: list[_Query]) -> None:
    """Remove parts of the graph until no query has a chain.

    First all chains are considered together, as long as that halves the number of queries with a chain: parts that many
    chains pass are the most useful to remove. The remaining queries are cut one by one at the ends of their chains,
    which stops at the latest when a node has no link.
    """
    before = 2 * len(queries)
    while queries:
        chains = [graph.chain(*query) for query in queries]
        queries = [query for query, chain in zip(queries, chains, strict=True) if chain is not None]
        if 2 * len(queries) > before:
            break
        before = len(queries)
        _remove_part_of_each(graph, [chain for chain in chains if chain is not None])
    for query in queries:
        while (chain := graph.chain(*query)) is not None:
            _remove_part_of_each(graph, [chain])


def _remove_part_of_each(graph: MustLinkGraph, chains: list[Chain]) -> None:
    """Remove one part of every chain: the one that most chains pass, then one at its ends, then a link of two nodes."""
    removable = [[part for hop in chain.hops for part in graph.removable(hop)] for chain in chains]
    passed = Counter(part for parts in removable for part in set(parts))
    for chain, parts in zip(chains, removable, strict=True):
        if all(graph.left[part] for part in parts):
            ends, n_links = _parts_at_ends(graph, chain), len(graph.links)
            graph.take(max(parts, key=lambda part: (passed[part], part in ends, part < n_links)))


def _parts_at_ends(graph: MustLinkGraph, chain: Chain) -> set[int]:
    """Return the parts whose removal takes a link from the first or the last node of a chain."""
    ends = set()
    for node, hop in ((chain.nodes[0], chain.hops[0]), (chain.nodes[-1], chain.hops[-1])):
        for part in graph.removable(hop):
            if part < len(graph.links) or graph.memberships[part - len(graph.links), 3] == node:
                ends.add(part)
    return ends


def _links_left(every: list[LinkBlock], graph: MustLinkGraph) -> dict[int, Links]:
    """Return the links of each block without the parts that were removed from the graph."""
    gone = graph.links[~graph.left[: len(graph.links)]]
    out = graph.memberships[~graph.left[len(graph.links) :]]
    changed = {}
    for number, block in enumerate(every):
        change = _LinkEdit(block)
        change.kept[gone[gone[:, 0] == number, 1]] = False
        for pool in range(len(block.pools)):
            _remove_members(change, pool, out[(out[:, 0] == number) & (out[:, 1] == pool), 2])
        changed[number] = change.links()
    return changed


def _remove_members(change: "_LinkEdit", pool: int, index: Ints) -> None:
    """Remove members, by their index, from the groups that hard must-links name."""
    groups, must = change.block.pools[pool].groups, active_hard_links(change.block.links, must=True)
    stays = np.ones(len(groups.members), dtype=np.bool_)
    stays[index] = False
    sides = (pool,) if len(change.block.pools) > 1 else (0, 1)
    for group in np.unique(np.searchsorted(groups.starts, index, side="right") - 1).tolist():
        new = change.smaller(pool, -1 - group, stays[groups.starts[group] : groups.starts[group + 1]])
        for side in sides:
            units = change.units[side]
            units[must[units[must] == -1 - group]] = new


class _LinkEdit:
    """Changes to the links of one block: groups that lose members, and links that are dropped."""

    def __init__(self, block: LinkBlock) -> None:
        self.block = block
        self.units = [side.units.copy() for side in block.sides]
        self.kept = np.ones(len(block.links), dtype=np.bool_)
        self._new: list[dict[tuple[int, bytes], int]] = [{} for _ in block.pools]
        self._members: list[list[Ints]] = [[] for _ in block.pools]

    def smaller(self, pool: int, unit: int, kept: Bools) -> int:
        """Return the unit of a group of which only some members are kept."""
        groups, known = self.block.pools[pool].groups, self._new[pool]
        name = (unit, np.packbits(kept).tobytes())
        if name not in known:
            known[name] = -1 - len(groups) - len(known)
            self._members[pool].append(groups[-1 - unit][kept])
        return known[name]

    def links(self) -> Links:
        """Return the changed links, without those that no longer stand for any pair."""
        old = self.block.links
        grown = [side.groups + Groups.of(new) for side, new in zip(self.block.pools, self._members, strict=True)]
        others = None if old.others is None else grown[1]
        new = replace(old, left=self.units[0], right=self.units[1], groups=grown[0], others=others)
        changed = (new.left != old.left) | (new.right != old.right)
        return new.only(self.kept & ~(changed & (new.n_pairs == 0)))


def _replace_links(constraints: Constraints, changed: Mapping[int, Links]) -> Constraints:
    """Return constraints with other links in some blocks."""
    found = [changed.get(number, block.links) for number, block in enumerate(link_blocks(constraints))]
    n = len(constraints.within)
    return replace(
        constraints,
        within=dict(zip(constraints.within, found[:n], strict=True)),
        across=dict(zip(constraints.across, found[n:], strict=True)),
    )


RESOLUTIONS: Mapping[str, Callable[[Constraints, Contradictions], tuple[Constraints, int]]] = {
    "error": _raise_error,
    "drop-cannot": _drop_cannot_links,
    "drop-must": _drop_must_links,
    "weaken": _weaken,
}
"""The ways to resolve contradictions, by name."""
