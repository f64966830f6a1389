"""Ways out of contradictions between hard links: say so, or let some of them give way."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from graphmine.arrays import Bools, Ints
from graphmine.checks import check_choice
from graphmine.closure.chains import Chain, Web, web
from graphmine.closure.components import Place, Ties, places, standing
from graphmine.closure.conflicts import Contradictions, conflicts, contradictions, describe, ends_of
from graphmine.errors import ConstraintError
from graphmine.model.constraints import Constraints
from graphmine.model.links import Groups, Links

__all__ = ["WAYS_OUT", "settled"]

Query = tuple[Ints, Ints]


def settled(constraints: Constraints, how: str = "error") -> tuple[Constraints, int]:
    """Return constraints whose hard links do not contradict each other, and how many links gave way.

    Parameters
    ----------
    constraints
        Links in any order, closed or not.
    how
        ``error`` raises a `ConstraintError`. ``drop-cannot`` drops the cannot-links that contradict; a group loses
        only the nodes that do. ``drop-must`` takes links off the shortest chains until none is left, first those that
        most chains pass; a group loses a member. ``weaken`` makes wishes of weight 1 of the cannot-links that
        contradict, and of all must-links of the components they are in.

    Notes
    -----
    How few links could be dropped is a multicut, which is NP-hard; ``drop-must`` finds a small set, not the smallest.

    Examples
    --------
    >>> links = Links.of_pairs([[0, 1], [1, 2]], hard=True) + Links.of_pairs([[0, 2]], must=False, hard=True)
    >>> known = Constraints({"Author": links})
    >>> for how in ("drop-cannot", "drop-must", "weaken"):
    ...     left, n = settled(known, how)
    ...     print(how, n, left.within["Author"].must.tolist(), left.within["Author"].hard.tolist())
    drop-cannot 1 [True, True] [True, True]
    drop-must 1 [True, False] [True, True]
    weaken 3 [True, True, False] [False, False, False]
    >>> settled(known, "error")
    Traceback (most recent call last):
    graphmine.errors.ConstraintError: 1 hard cannot-link contradicts hard must-links; first, Author at position 0 and
    Author at position 2 must not share a cluster, but 0 – 1 – 2 ties them
    """
    check_choice("how", how, WAYS_OUT)
    found = contradictions(constraints)
    return WAYS_OUT[how](constraints, found) if len(found.links) else (constraints, 0)


def _refused(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    n = len(found.each())
    said = "1 hard cannot-link contradicts" if n == 1 else f"{n} hard cannot-links contradict"
    first = describe(conflicts(constraints, most=1)[0], {}, constraints.rules)
    raise ConstraintError(f"{said} hard must-links; first, {first}")


def _weakened(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Make wishes of what contradicts."""
    every, n = places(constraints), 0
    ways = web(constraints, found.ties, found.components)
    cannot = np.array([each[:2] for each in found.each()])
    at = np.concatenate([ways.links, cannot])
    changed = {}
    for number, place in enumerate(every):
        which = at[at[:, 0] == number, 1]
        hard, weight = place.links.hard.copy(), place.links.weight.copy()
        hard[which], weight[which] = False, 1.0
        changed[number] = replace(place.links, hard=hard, weight=weight)
        n += len(which)
    return _with(constraints, changed), n


def _without_cannots(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Drop cannot-links that contradict, or take the nodes that do out of their groups."""
    changes = [_Change(place) for place in places(constraints)]
    each = found.each()
    for number, link, components in each:
        _shrink(changes[number], link, components, found.ties)
    return _with(constraints, {number: change.links() for number, change in enumerate(changes)}), len(each)


def _shrink(change: "_Change", link: int, components: Ints, ties: Ties) -> None:
    """Let a cannot-link part no two nodes of the components any more: by the left group, else the right, else gone."""
    place, loop = change.place, False
    if place.links.others is None:
        loop = place.links.left[link] == place.links.right[link]
    for number, side in enumerate(place.sides):
        unit = int(side.units[link])
        if unit >= 0:
            continue
        component = ties.of(side.kind)[side.groups[-1 - unit]]
        kept = ~np.isin(component, components)
        if loop:  # one node of each component says it for all of them
            kept[np.unique(component, return_index=True)[1]] = True
        if kept.any():
            new = change.smaller(min(number, len(place.pools) - 1), unit, kept)
            change.units[number][link] = new
            change.units[1][link] = new if loop else change.units[1][link]
            return
    change.kept[link] = False


def _without_musts(constraints: Constraints, found: Contradictions) -> tuple[Constraints, int]:
    """Take must-links off the shortest chains until there are none."""
    alone = replace(found.ties, component=np.arange(len(found.ties.component)))
    same = contradictions(constraints, alone)  # a node parted from itself, which no must-link can help
    constraints, n = _without_cannots(constraints, same) if len(same.links) else (constraints, 0)
    found, every = contradictions(constraints, found.ties), places(constraints)
    ways = web(constraints, found.ties, found.components)
    each = found.each()
    queries = [
        query for place, link, components in each for query in ends_of(every[place], link, found.ties, components)
    ]
    _cut(ways, queries)
    return _with(constraints, _taken(every, ways)), n + int(np.count_nonzero(~ways.left))


def _cut(ways: Web, queries: list[Query]) -> None:
    """Take parts of the web away until no query has a chain.

    First all chains are looked at together, as long as this halves the queries that have one: what many pass is worth
    the most. What is left is cut query by query at the ends of chains, which ends once a node has no link.
    """
    before = 2 * len(queries)
    while queries:
        chains = [ways.chain(*query) for query in queries]
        queries = [query for query, chain in zip(queries, chains, strict=True) if chain is not None]
        if 2 * len(queries) > before:
            break
        before = len(queries)
        _hit(ways, [chain for chain in chains if chain is not None])
    for query in queries:
        while (chain := ways.chain(*query)) is not None:
            _hit(ways, [chain])


def _hit(ways: Web, chains: list[Chain]) -> None:
    """Take one part of every chain away: what most chains pass, else what is next to its ends, rather a link of two."""
    removable = [[part for hop in chain.hops for part in ways.removable(hop)] for chain in chains]
    passed = Counter(part for parts in removable for part in set(parts))
    for chain, parts in zip(chains, removable, strict=True):
        if all(ways.left[part] for part in parts):
            ends, n_links = _at_ends(ways, chain), len(ways.links)
            ways.take(max(parts, key=lambda part: (passed[part], part in ends, part < n_links)))


def _at_ends(ways: Web, chain: Chain) -> set[int]:
    """Return the parts without which the first or the last node of a chain is one link poorer."""
    ends = set()
    for node, hop in ((chain.nodes[0], chain.hops[0]), (chain.nodes[-1], chain.hops[-1])):
        for part in ways.removable(hop):
            if part < len(ways.links) or ways.memberships[part - len(ways.links), 3] == node:
                ends.add(part)
    return ends


def _taken(every: list[Place], ways: Web) -> dict[int, Links]:
    """Return the links of each place without what was taken from the web."""
    gone = ways.links[~ways.left[: len(ways.links)]]
    out = ways.memberships[~ways.left[len(ways.links) :]]
    changed = {}
    for number, place in enumerate(every):
        change = _Change(place)
        change.kept[gone[gone[:, 0] == number, 1]] = False
        for pool in range(len(place.pools)):
            _leave(change, pool, out[(out[:, 0] == number) & (out[:, 1] == pool), 2])
        changed[number] = change.links()
    return changed


def _leave(change: "_Change", pool: int, index: Ints) -> None:
    """Take members, by their index, out of their groups, as far as hard must-links name these."""
    groups, must = change.place.pools[pool].groups, standing(change.place.links, must=True)
    stays = np.ones(len(groups.members), dtype=np.bool_)
    stays[index] = False
    for group in np.unique(np.searchsorted(groups.starts, index, side="right") - 1).tolist():
        new = change.smaller(pool, -1 - group, stays[groups.starts[group] : groups.starts[group + 1]])
        for side in (pool,) if len(change.place.pools) > 1 else (0, 1):
            units = change.units[side]
            units[must[units[must] == -1 - group]] = new


class _Change:
    """Links of one place whose groups grow smaller, or which go."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.units = [side.units.copy() for side in place.sides]
        self.kept = np.ones(len(place.links), dtype=np.bool_)
        self._new: list[dict[tuple[int, bytes], int]] = [{} for _ in place.pools]
        self._members: list[list[Ints]] = [[] for _ in place.pools]

    def smaller(self, pool: int, unit: int, kept: Bools) -> int:
        """Return the unit of a group of which only some members are kept."""
        groups, known = self.place.pools[pool].groups, self._new[pool]
        name = (unit, np.packbits(kept).tobytes())
        if name not in known:
            known[name] = -1 - len(groups) - len(known)
            self._members[pool].append(groups[-1 - unit][kept])
        return known[name]

    def links(self) -> Links:
        """Return what has come of the links; those that stand for no pair any more are gone."""
        old = self.place.links
        grown = [side.groups + Groups.of(new) for side, new in zip(self.place.pools, self._members, strict=True)]
        others = None if old.others is None else grown[1]
        new = replace(old, left=self.units[0], right=self.units[1], groups=grown[0], others=others)
        changed = (new.left != old.left) | (new.right != old.right)
        return new.only(self.kept & ~(changed & (new.n_pairs == 0)))


def _with(constraints: Constraints, changed: Mapping[int, Links]) -> Constraints:
    """Return constraints with other links at some places."""
    found = [changed.get(number, place.links) for number, place in enumerate(places(constraints))]
    n = len(constraints.within)
    return replace(
        constraints,
        within=dict(zip(constraints.within, found[:n], strict=True)),
        across=dict(zip(constraints.across, found[n:], strict=True)),
    )


WAYS_OUT: Mapping[str, Callable[[Constraints, Contradictions], tuple[Constraints, int]]] = {
    "error": _refused,
    "drop-cannot": _without_cannots,
    "drop-must": _without_musts,
    "weaken": _weakened,
}
"""What to do about contradictions."""
