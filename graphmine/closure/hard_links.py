"""The closure of hard links: what must-links tie is one group, and cannot-links part whole groups."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Ints
from graphmine.closure.cannot_links import Lifted, lifted
from graphmine.closure.components import Cannots, Place, cannots, clashes, places, spans, tied
from graphmine.closure.conflicts import conflicts, describe
from graphmine.closure.soft_links import Pool, Wishes, flipped, merged, named_groups, wishes
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
        Links in any order. Hard ones that contradict each other raise a `ConstraintError`; see `settled`.

    Returns
    -------
    Constraints
        Within each kind, disjoint groups, each tied by one hard must-link of no rule. Where hard must-links tie nodes
        of several kinds, one must-link across each two of them. Hard cannot-links between these groups, loose nodes,
        and sets of both, each once; a rule stays on a link that no other rule asked for too. Wishes as they were,
        doubles (the same ends, sense and rule) merged and their weights summed. Orders and rules as they were. All
        links of a kind count into the same groups, the tied ones first.

    Notes
    -----
    Components are found over all kinds at once, in a graph with a vertex for each group, so that a group of m nodes
    costs m. A cannot-link that names a group of which only some nodes are tied stays one link: the group grows by the
    nodes that its members are tied to. Groups that exclude each other do not grow into one another, so the groups of a
    rule together stay smaller than the kind. The members of a group that exclude one another cost, where they are tied
    to others, a link each.

    Wishes are never closed: closing noisy ones would tie everything to everything.

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
    ties = tied(constraints)
    parted = cannots(constraints, ties)
    if len(clashes(parted)[0]):
        first = describe(conflicts(constraints, most=1)[0], {}, constraints.rules)
        raise ConstraintError(f"hard links contradict each other: {first}")
    every = [_Soft(place, [named_groups(place, i) for i in range(len(place.pools))]) for place in places(constraints)]
    kinds = {kind: _tied_of(ties.of(kind), ties.n) for kind in ties.starts}
    excluded = lifted(parted, _rules(every, parted), np.bincount(ties.component, minlength=ties.n), _spanned(kinds))
    return _written(constraints, every, excluded, _pooled(kinds, every, excluded))


class _Soft(NamedTuple):
    """A place, and for each of its pools the groups that its soft links name."""

    place: Place
    named: list[dict[int, Ints]]


class _Kind(NamedTuple):
    """What components, and sets of them, are to a kind: its groups, and the unit of each class of nodes."""

    tied: Groups
    units: Ints


class _Pooled(NamedTuple):
    """A kind with all groups that its links will name; how many of them are tied, and the unit of each class."""

    pool: Pool
    n_tied: int
    units: Ints


def _tied_of(component: Ints, n: int) -> _Kind:
    """Return the components with several nodes of a kind as groups, and the unit of every component."""
    counts = np.bincount(component, minlength=n)
    several = counts > 1
    units = np.full(n, _NOWHERE)
    units[component] = np.arange(len(component))
    units[several] = -1 - np.arange(np.count_nonzero(several))
    members = np.flatnonzero(several[component])
    rows = (np.ones(len(members), dtype=np.int8), component[members], np.arange(len(members) + 1))
    order = csr_array(rows, shape=(len(members), n)).tocsc().indices  # by component, and a sort would take longer
    return _Kind(Groups(np.concatenate([[0], np.cumsum(counts[several])]), members[order]), units)


def _spanned(kinds: Mapping[str, _Kind]) -> Ints:
    """Return which kinds each component spans, a bit each."""
    present = np.stack([kind.units != _NOWHERE for kind in kinds.values()]).astype(np.int64)
    bits: Ints = (present << np.arange(len(kinds))[:, None]).sum(axis=0)
    return bits


def _rules(every: list[_Soft], parted: Cannots) -> Ints:
    """Return the rule of each cannot-link."""
    rules = np.empty(len(parted.link), dtype=np.int64)
    for number, (place, _) in enumerate(every):
        here = parted.place == number
        rules[here] = place.links.rule[parted.link[here]]
    return rules


def _pooled(kinds: Mapping[str, _Kind], every: list[_Soft], excluded: Lifted) -> dict[str, _Pooled]:
    """Bring together all groups that the links of each kind will name."""
    found = {}
    for name, kind in kinds.items():
        sets = [_nodes_of(kind, excluded.sets[i]) for i in range(len(excluded.sets))]
        pools = chain.from_iterable(zip(place.pools, named, strict=True) for place, named in every)
        soft = (members for side, groups in pools if side.kind == name for members in groups.values())
        pool = Pool(kind.tied, chain((nodes for nodes in sets if len(nodes)), soft))
        units = [pool.unit(nodes) if len(nodes) else _NOWHERE for nodes in sets]
        found[name] = _Pooled(pool, len(kind.tied), np.append(kind.units, np.array(units, dtype=np.int64)))
    return found


def _nodes_of(kind: _Kind, components: Ints) -> Ints:
    """Return the nodes of a kind in some components, in order."""
    units = kind.units[components]
    groups = -1 - units[(units < 0) & (units != _NOWHERE)]
    _, index = spans(kind.tied.starts[groups], kind.tied.starts[groups + 1])
    return np.sort(np.concatenate([units[units >= 0], kind.tied.members[index]]))


def _written(
    constraints: Constraints, every: list[_Soft], excluded: Lifted, kinds: Mapping[str, _Pooled]
) -> Constraints:
    """Write the links of each kind, and of each two."""
    within = {kind: _within(every, kind, pooled, excluded) for kind, pooled in kinds.items()}
    across = {name: _across(every, name, kinds, excluded) for name in _names(constraints, kinds)}
    return replace(
        constraints,
        within={kind: links for kind, links in within.items() if len(links) or kind in constraints.within},
        across={name: links for name, links in across.items() if len(links) or name in constraints.across},
    )


def _within(every: list[_Soft], kind: str, pooled: _Pooled, excluded: Lifted) -> Links:
    soft = [wishes(*each, (pooled.pool, pooled.pool)) for each in every if each.place.name == kind]
    must = -1 - np.arange(pooled.n_tied)
    cannot = _both(pooled.units[excluded.left], pooled.units[excluded.right], excluded.rule)
    return _links((must, must), cannot, merged(soft, within=True), pooled.pool.groups)


def _across(every: list[_Soft], name: tuple[str, str], kinds: Mapping[str, _Pooled], excluded: Lifted) -> Links:
    first, second = (kinds[kind] for kind in name)
    soft = [wishes(*each, (first.pool, second.pool)) for each in every if each.place.name == name]
    soft += [flipped(wishes(*each, (second.pool, first.pool))) for each in every if each.place.name == name[::-1]]
    must = _both(first.units[: excluded.n], second.units[: excluded.n])
    there = _both(first.units[excluded.left], second.units[excluded.right], excluded.rule)
    back = _both(first.units[excluded.right], second.units[excluded.left], excluded.rule)
    cannot = tuple(np.concatenate(columns) for columns in zip(there, back, strict=True))
    return _links(must, cannot, merged(soft, within=False), first.pool.groups, second.pool.groups)


def _names(constraints: Constraints, kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Return every two kinds once, in the order in which links across them stand, if any do."""
    given = list(constraints.across)
    found = [name for i, name in enumerate(given) if name[::-1] not in given[:i]]
    every = combinations(sorted(kinds), 2)
    return found + [name for name in every if name not in given and name[::-1] not in given]


def _both(left: Ints, right: Ints, *more: Ints) -> tuple[Ints, ...]:
    """Keep the rows in which both units are somewhere."""
    kept = (left != _NOWHERE) & (right != _NOWHERE)
    return tuple(column[kept] for column in (left, right, *more))


def _links(
    must: tuple[Ints, ...], cannot: tuple[Ints, ...], soft: Wishes, groups: Groups, others: Groups | None = None
) -> Links:
    """Lay hard must-links, hard cannot-links and wishes end to end."""
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
