"""The closure of hard links: each component of must-links becomes a group, and cannot-links join whole groups."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Ints
from graphmine.closure.cannot_links import LiftedCannotLinks, lift_cannot_links
from graphmine.closure.components import (
    CannotLinks,
    LinkBlock,
    clashes,
    expand_ranges,
    hard_cannot_links,
    link_blocks,
    must_link_components,
)
from graphmine.closure.conflicts import conflicts, describe
from graphmine.closure.soft_links import (
    GroupPool,
    SoftLinkColumns,
    merge_duplicates,
    named_groups,
    soft_link_columns,
    swap_sides,
)
from graphmine.errors import ConstraintError
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups, Links

__all__ = ["closed"]


_NOWHERE = np.iinfo(np.int64).min
"""The unit of a component that has no node of a kind."""


def closed(constraints: Constraints) -> Constraints:
    """Return constraints with all that follows from their hard links.

    Parameters
    ----------
    constraints
        Links in any order. Hard ones that contradict each other raise a `ConstraintError`; see `resolve_conflicts`.

    Returns
    -------
    Constraints
        Within each kind, disjoint groups, each tied by one hard must-link of no rule. Where hard must-links tie nodes
        of several kinds, one must-link across each two of them. Hard cannot-links between these groups, loose nodes,
        and sets of both, each once; a rule stays on a link that no other rule asked for too. Soft links as they were,
        doubles (the same ends, sense and rule) merged and their weights summed. Orders and rules as they were. All
        links of a kind count into the same groups, the tied ones first.

    Notes
    -----
    Components are found over all kinds at once, in a graph with a vertex for each group, so that a group of m nodes
    costs m. A cannot-link that names a group of which only some nodes are tied stays one link: the group grows by the
    nodes that its members are tied to. Groups that exclude each other do not grow into one another, so the groups of a
    rule together stay smaller than the kind. The members of a group that exclude one another cost, where they are tied
    to others, a link each.

    Soft links are never closed: closing noisy ones would tie everything to everything.

    Examples
    --------
    >>> must = Links.of_pairs([[0, 1], [1, 2], [4, 5]], hard=True)
    >>> links = closed(Constraints({"Author": must + Links.of_pairs([[0, 5]], must=False, hard=True)})).within["Author"]
    >>> [links.groups[i].tolist() for i in range(len(links.groups))]
    [[0, 1, 2], [4, 5]]
    >>> list(zip(links.left.tolist(), links.right.tolist(), links.must.tolist()))
    [(-1, -1, True), (-2, -2, True), (-1, -2, False)]
    """
    if not constraints.within and not constraints.across:
        return constraints
    ties = must_link_components(constraints)
    cannot_links = hard_cannot_links(constraints, ties)
    if len(clashes(cannot_links)[0]):
        first = describe(conflicts(constraints, most=1)[0], {}, constraints.rules)
        raise ConstraintError(f"hard links contradict each other: {first}")
    every = [
        _SoftLinks(block, [named_groups(block, i) for i in range(len(block.pools))])
        for block in link_blocks(constraints)
    ]
    kinds = {kind: _kind_units(ties.of(kind), ties.n) for kind in ties.starts}
    lifted = lift_cannot_links(
        cannot_links,
        _cannot_rules(every, cannot_links),
        np.bincount(ties.component, minlength=ties.n),
        _kinds_spanned(kinds),
    )
    return _assembled(constraints, every, lifted, _kind_pools(kinds, every, lifted))


class _SoftLinks(NamedTuple):
    """A block, and for each of its pools the groups that its soft links name."""

    block: LinkBlock
    named: list[dict[int, Ints]]


class _KindUnits(NamedTuple):
    """What components, and sets of them, are to a kind: its groups, and the unit of each class of nodes."""

    tied: Groups
    units: Ints


class _KindPool(NamedTuple):
    """A kind with all groups that its links will name; how many of them are tied, and the unit of each class."""

    pool: GroupPool
    n_tied: int
    units: Ints


def _kind_units(component: Ints, n: int) -> _KindUnits:
    """Return the components with several nodes of a kind as groups, and the unit of every component."""
    counts = np.bincount(component, minlength=n)
    several = counts > 1
    units = np.full(n, _NOWHERE)
    units[component] = np.arange(len(component))
    units[several] = -1 - np.arange(np.count_nonzero(several))
    members = np.flatnonzero(several[component])
    rows = (np.ones(len(members), dtype=np.int8), component[members], np.arange(len(members) + 1))
    order = csr_array(rows, shape=(len(members), n)).tocsc().indices  # by component, and a sort would take longer
    return _KindUnits(Groups(np.concatenate([[0], np.cumsum(counts[several])]), members[order]), units)


def _kinds_spanned(kinds: Mapping[str, _KindUnits]) -> Ints:
    """Return which kinds each component spans, a bit each."""
    present = np.stack([kind.units != _NOWHERE for kind in kinds.values()]).astype(np.int64)
    bits: Ints = (present << np.arange(len(kinds))[:, None]).sum(axis=0)
    return bits


def _cannot_rules(every: list[_SoftLinks], cannot_links: CannotLinks) -> Ints:
    """Return the rule of each cannot-link."""
    rules = np.empty(len(cannot_links.link), dtype=np.int64)
    for number, (block, _) in enumerate(every):
        here = cannot_links.block == number
        rules[here] = block.links.rule[cannot_links.link[here]]
    return rules


def _kind_pools(
    kinds: Mapping[str, _KindUnits], every: list[_SoftLinks], lifted: LiftedCannotLinks
) -> dict[str, _KindPool]:
    """Bring together all groups that the links of each kind will name."""
    found = {}
    for name, kind in kinds.items():
        sets = [_nodes_of(kind, lifted.sets[i]) for i in range(len(lifted.sets))]
        pools = chain.from_iterable(zip(block.pools, named, strict=True) for block, named in every)
        soft = (members for side, groups in pools if side.kind == name for members in groups.values())
        pool = GroupPool(kind.tied, chain((nodes for nodes in sets if len(nodes)), soft))
        units = [pool.unit(nodes) if len(nodes) else _NOWHERE for nodes in sets]
        found[name] = _KindPool(pool, len(kind.tied), np.append(kind.units, np.array(units, dtype=np.int64)))
    return found


def _nodes_of(kind: _KindUnits, components: Ints) -> Ints:
    """Return the nodes of a kind in some components, in order."""
    units = kind.units[components]
    groups = -1 - units[(units < 0) & (units != _NOWHERE)]
    _, index = expand_ranges(kind.tied.starts[groups], kind.tied.starts[groups + 1])
    return np.sort(np.concatenate([units[units >= 0], kind.tied.members[index]]))


def _assembled(
    constraints: Constraints, every: list[_SoftLinks], lifted: LiftedCannotLinks, kinds: Mapping[str, _KindPool]
) -> Constraints:
    """Write the links of each kind, and of each two."""
    within = {kind: _within(every, kind, pooled, lifted) for kind, pooled in kinds.items()}
    across = {name: _across(every, name, kinds, lifted) for name in _names(constraints, kinds)}
    return replace(
        constraints,
        within={kind: links for kind, links in within.items() if len(links) or kind in constraints.within},
        across={name: links for name, links in across.items() if len(links) or name in constraints.across},
    )


def _within(every: list[_SoftLinks], kind: str, pooled: _KindPool, lifted: LiftedCannotLinks) -> Links:
    soft = [soft_link_columns(*each, (pooled.pool, pooled.pool)) for each in every if each.block.name == kind]
    must = -1 - np.arange(pooled.n_tied)
    cannot = _rows_with_units(pooled.units[lifted.left], pooled.units[lifted.right], lifted.rule)
    return _links((must, must), cannot, merge_duplicates(soft, within=True), pooled.pool.groups)


def _across(
    every: list[_SoftLinks], name: tuple[str, str], kinds: Mapping[str, _KindPool], lifted: LiftedCannotLinks
) -> Links:
    first, second = (kinds[kind] for kind in name)
    soft = [soft_link_columns(*each, (first.pool, second.pool)) for each in every if each.block.name == name]
    soft += [
        swap_sides(soft_link_columns(*each, (second.pool, first.pool)))
        for each in every
        if each.block.name == name[::-1]
    ]
    must = _rows_with_units(first.units[: lifted.n], second.units[: lifted.n])
    there = _rows_with_units(first.units[lifted.left], second.units[lifted.right], lifted.rule)
    back = _rows_with_units(first.units[lifted.right], second.units[lifted.left], lifted.rule)
    cannot = tuple(np.concatenate(columns) for columns in zip(there, back, strict=True))
    return _links(must, cannot, merge_duplicates(soft, within=False), first.pool.groups, second.pool.groups)


def _names(constraints: Constraints, kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Return every two kinds once, in the order in which links across them stand, if any do."""
    given = list(constraints.across)
    found = [name for i, name in enumerate(given) if name[::-1] not in given[:i]]
    every = combinations(sorted(kinds), 2)
    return found + [name for name in every if name not in given and name[::-1] not in given]


def _rows_with_units(left: Ints, right: Ints, *more: Ints) -> tuple[Ints, ...]:
    """Keep the rows in which both units are somewhere."""
    kept = (left != _NOWHERE) & (right != _NOWHERE)
    return tuple(column[kept] for column in (left, right, *more))


def _links(
    must: tuple[Ints, ...],
    cannot: tuple[Ints, ...],
    soft: SoftLinkColumns,
    groups: Groups,
    others: Groups | None = None,
) -> Links:
    """Concatenate hard must-links, hard cannot-links and soft links."""
    n_must, n_hard = len(must[0]), len(must[0]) + len(cannot[0])
    return Links(
        left=np.concatenate([must[0], cannot[0], soft.left]),
        right=np.concatenate([must[1], cannot[1], soft.right]),
        must=np.concatenate([np.arange(n_hard) < n_must, soft.must]),
        hard=np.arange(n_hard + len(soft.left)) < n_hard,
        weight=np.concatenate([np.ones(n_hard), soft.weight]),
        rule=np.concatenate([np.full(n_must, -1), cannot[2], soft.rule]),
        groups=groups,
        others=others,
    )
