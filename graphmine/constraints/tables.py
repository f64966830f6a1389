"""Constraints as tables that name nodes by their keys, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Bools, Ints
from graphmine.constraints.pair_counts import links_by_kinds
from graphmine.errors import ConstraintError
from graphmine.model import UNRANKED, Constraints, Groups, Links, Nodes

__all__ = ["SCHEMAS", "MissingNodes", "constraints_from_tables", "constraints_to_tables", "header_of"]


_LINKS = pa.schema(
    {"kind": pa.string(), "other": pa.string(), "left": pa.string(), "left_group": pa.int64(), "right": pa.string(),
     "right_group": pa.int64(), "must": pa.bool_(), "hard": pa.bool_(), "weight": pa.float64(), "rule": pa.string()}
)  # fmt: skip
_GROUPS = pa.schema({
    "kind": pa.string(),
    "other": pa.string(),
    "side": pa.string(),
    "group": pa.int64(),
    "key": pa.string(),
})
_ORDERS = pa.schema({"kind": pa.string(), "key": pa.string(), "rank": pa.int64()})
_EMPTY = 1_000_000
"""How many groups of a file may be empty at most; far more than anybody has, and far less than would fill memory."""
_SIDES = ("left", "right")
_OPTIONAL = ("other", "left", "left_group", "right", "right_group", "rule")

SCHEMAS = {"links": _LINKS, "groups": _GROUPS, "orders": _ORDERS}
"""The columns of each table."""


@dataclass
class MissingNodes:
    """The parts of saved constraints whose nodes no longer exist: nodes by kind and key, and the number of links."""

    nodes: set[tuple[str, str]] = field(default_factory=set)
    links: int = 0


def constraints_to_tables(constraints: Constraints, nodes: Mapping[str, Nodes]) -> dict[str, pa.Table]:
    """Return constraints as tables ``links``, ``groups`` and ``orders`` that name nodes by their keys.

    A row of ``links`` has two kinds (``other`` is null within a kind), and on either side a key, or a number of a group
    of that kind, side and pair of kinds. ``groups`` and ``orders`` have one row for each node. Keys are text, as
    one column holds the keys of all kinds.

    Examples
    --------
    >>> authors = Nodes("Author", ["Ann", "Bob", "Cem"])
    >>> links = Links.of_pairs([[0, 2]], rule=0) + Links.tying(Groups.of([[1, 2]]), hard=True)
    >>> tables = constraints_to_tables(Constraints({"Author": links}, rules=("friends",)), {"Author": authors})
    >>> tables["links"].select(["left", "left_group", "right", "right_group", "hard", "rule"]).to_pylist()
    [{'left': 'Ann', 'left_group': None, 'right': 'Cem', 'right_group': None, 'hard': False, 'rule': 'friends'},
    {'left': None, 'left_group': 0, 'right': None, 'right_group': 0, 'hard': True, 'rule': None}]
    >>> tables["groups"].select(["group", "key"]).to_pylist()
    [{'group': 0, 'key': 'Bob'}, {'group': 0, 'key': 'Cem'}]
    """
    keys = {kind: each.keys.cast(pa.string()) for kind, each in nodes.items()}
    rules = pa.array(constraints.rules, pa.string())
    links, groups, orders = [_LINKS.empty_table()], [_GROUPS.empty_table()], [_ORDERS.empty_table()]
    for kinds, each in links_by_kinds(constraints, empty=True):
        links.append(_link_rows(kinds, each, keys, rules))
        groups += [_group_rows(kinds, side, held, keys) for side, held in _groups_of(each)]
    for kind, ranks in constraints.order.items():
        ranked = np.flatnonzero(ranks != UNRANKED)
        columns = [_repeated(kind, len(ranked)), _keys_at(keys, kind, ranked), pa.array(ranks[ranked])]
        orders.append(pa.table(columns, schema=_ORDERS))
    return {name: pa.concat_tables(each) for name, each in zip(SCHEMAS, (links, groups, orders), strict=True)}


def header_of(constraints: Constraints) -> dict[str, Any]:
    """Return what the tables do not contain: the rules, those that repeat the relation, and the numbers of groups."""
    return {
        "rules": list(constraints.rules),
        "repeats": sorted(constraints.repeats),
        "links": [
            {"kinds": list(kinds), "groups": [len(held) for _, held in _groups_of(links)]}
            for kinds, links in links_by_kinds(constraints, empty=True)
        ],
        "orders": list(constraints.order),
    }


def constraints_from_tables(
    tables: Mapping[str, pa.Table], header: Mapping[str, Any], nodes: Mapping[str, Nodes]
) -> tuple[Constraints, MissingNodes]:
    """Return the constraints that `constraints_to_tables` and `header_of` describe, on the nodes that are there now.

    Groups lose missing nodes; links without any pair left are dropped.
    """
    _check(tables, header)
    found, rules = _KeyLookup(nodes), pa.array(header["rules"], pa.string())
    within: dict[str, Links] = {}
    across: dict[tuple[str, str], Links] = {}
    for part in header["links"]:
        first, *others = part["kinds"]
        links = _links((first, *others), part["groups"], tables, rules, found)
        if links is not None and others:
            across[first, others[0]] = links
        elif links is not None:
            within[first] = links
    orders = ((kind, found.ranks(kind, tables["orders"])) for kind in header["orders"])
    order = {kind: ranks for kind, ranks in orders if ranks is not None}
    repeats = frozenset(header.get("repeats", ()))  # older files do not have it
    return Constraints(within, across, order, tuple(header["rules"]), repeats), found.gone


def _check(tables: Mapping[str, pa.Table], header: Mapping[str, Any]) -> None:
    """Refuse rows that leave out what must be said, or say it twice, and those of kinds or rules that are not named."""
    for name, table in tables.items():
        missing = [column for column in table.column_names if column not in _OPTIONAL and table[column].null_count]
        if missing:
            raise ConstraintError(f"a row of its {name} has no {missing[0]}")
    links = tables["links"]
    for side in _SIDES:
        if pc.any(pc.equal(pc.is_valid(links[side]), pc.is_valid(links[f"{side}_group"]))).as_py():
            raise ConstraintError(f"a link must have a key or a group on the {side}")
    most = len(tables["groups"]) + _EMPTY
    for count in (count for part in header["links"] for count in part["groups"]):
        if not isinstance(count, int) or not 0 <= count <= most:
            raise ConstraintError(
                f"it says that there are {count!r} groups, and it has {len(tables['groups'])} members"
            )
    if not pc.all(pc.is_in(tables["groups"]["side"], value_set=pa.array(_SIDES)), min_count=0).as_py():
        raise ConstraintError("a node of a group must be on the left or on the right")
    rules = pa.array(header["rules"], pa.string())
    if not pc.all(pc.is_in(links["rule"].drop_null(), value_set=rules), min_count=0).as_py():
        raise ConstraintError("a link is of a rule that is not named")
    for name in header.get("repeats", ()):
        if name not in header["rules"]:
            raise ConstraintError(f"it says that {name!r} repeats the relation, which is none of its rules")
    if sum(len(_about(tuple(part["kinds"]), links)) for part in header["links"]) != len(links):
        raise ConstraintError("a link is of kinds that are not named")


class _KeyLookup:
    """Finds nodes by their keys, and remembers those that are gone."""

    def __init__(self, nodes: Mapping[str, Nodes]) -> None:
        self.keys = {kind: each.keys.cast(pa.string()) for kind, each in nodes.items()}
        self.gone = MissingNodes()

    def positions(self, kind: str, keys: pa.ChunkedArray) -> Ints:
        """Return where nodes stand; -1 for those that are gone, and for no key at all."""
        known = self.keys.get(kind, pa.array([], pa.string()))
        places = pc.fill_null(pc.index_in(keys, value_set=known, skip_nulls=True), -1)
        found: Ints = places.to_numpy().astype(np.int64)
        lost = keys.filter(pa.array((found < 0) & keys.is_valid().to_numpy()))
        self.gone.nodes |= {(kind, key) for key in lost.to_pylist()}
        return found

    def units(self, kind: str, count: int, keys: pa.ChunkedArray, numbers: pa.ChunkedArray) -> tuple[Ints, Bools]:
        """Return units, and whether they are there still."""
        grouped = numbers.is_valid().to_numpy()
        _check_numbers(numbers.drop_null().to_numpy(), count, kind, "link")
        positions = self.positions(kind, keys)
        return np.where(grouped, -1 - pc.fill_null(numbers, 0).to_numpy(), positions), grouped | (positions >= 0)

    def groups(self, kind: str, count: int, rows: pa.Table) -> tuple[Groups, Groups]:
        """Return groups as they are, and as large as they were."""
        numbers, positions = rows["group"].to_numpy().astype(np.int64), self.positions(kind, rows["key"])
        _check_numbers(numbers, count, kind, "node")
        numbers, positions = _once(numbers, positions)
        there = positions >= 0
        now = Groups(_starts(numbers[there], count), positions[there])
        return now, Groups(_starts(numbers, count), positions)

    def ranks(self, kind: str, table: pa.Table) -> Ints | None:
        """Return the rank of every node of a kind, if there is still a node that has one, or never was."""
        rows = table.filter(pc.equal(table["kind"], kind))
        positions, ranks = self.positions(kind, rows["key"]), rows["rank"].to_numpy()
        there = positions >= 0
        if kind not in self.keys or (len(rows) and not there.any()):
            return None
        found = np.full(len(self.keys[kind]), UNRANKED, dtype=np.int64)
        found[positions[there]] = ranks[there]
        return found


def _once(numbers: Ints, positions: Ints) -> tuple[Ints, Ints]:
    """Return members by group, otherwise in the order they have, each node that is there once a group."""
    order = np.lexsort((positions, numbers))
    number, position = numbers[order], positions[order]
    again = np.zeros(len(order), dtype=np.bool_)
    again[1:] = (number[1:] == number[:-1]) & (position[1:] == position[:-1]) & (position[1:] >= 0)
    kept = np.sort(order[~again])
    kept = kept[np.argsort(numbers[kept], kind="stable")]
    return numbers[kept], positions[kept]


def _check_numbers(numbers: Ints, count: int, kind: str, what: str) -> None:
    wrong = numbers[(numbers < 0) | (numbers >= count)]
    if len(wrong):
        names = "is in" if what == "node" else "names"
        raise ConstraintError(f"a {what} {names} group {wrong[0]} of {kind}, and there are {count} groups")


def _links(
    kinds: tuple[str, ...], counts: list[int], tables: Mapping[str, pa.Table], rules: pa.Array, found: _KeyLookup
) -> Links | None:
    links, members = (_about(kinds, tables[name]) for name in ("links", "groups"))
    groups = [
        found.groups(kind, count, members.filter(pc.equal(members["side"], side)))
        for kind, count, side in zip(kinds, counts, _SIDES, strict=False)
    ]
    units = [
        found.units(kind, count, links[side], links[f"{side}_group"])
        for kind, count, side in zip((kinds[0], kinds[-1]), (counts[0], counts[-1]), _SIDES, strict=True)
    ]
    there = units[0][1] & units[1][1]
    some = links.filter(pa.array(there))
    then, now = (
        Links(
            left=units[0][0][there],
            right=units[1][0][there],
            must=some["must"].to_numpy(),
            hard=some["hard"].to_numpy(),
            weight=some["weight"].to_numpy(),
            rule=pc.fill_null(pc.index_in(some["rule"], value_set=rules), -1).to_numpy().astype(np.int64),
            groups=groups[0][when],
            others=groups[1][when] if len(kinds) == 2 else None,
        )
        for when in (1, 0)
    )
    kept = now.only((now.n_pairs > 0) | (then.n_pairs == 0))
    known = all(kind in found.keys for kind in kinds)
    found.gone.links += len(links) - (len(kept) if known else 0)
    return kept if known else None


def _groups_of(links: Links) -> list[tuple[str, Groups]]:
    return [("left", links.groups), *([("right", links.others)] if links.others is not None else [])]


def _link_rows(kinds: tuple[str, ...], links: Links, keys: Mapping[str, pa.Array], rules: pa.Array) -> pa.Table:
    ends = []
    for kind, units in zip((kinds[0], kinds[-1]), (links.left, links.right), strict=True):
        grouped = units < 0
        ends += [_keys_at(keys, kind, units, grouped), pa.array(-1 - units, mask=~grouped)]
    about = [pa.array(each) for each in (links.must, links.hard, links.weight)]
    rule = rules.take(pa.array(links.rule, mask=links.rule < 0))
    names = [_repeated(kinds[0], len(links)), _repeated(kinds[1] if len(kinds) == 2 else None, len(links))]
    return pa.table([*names, *ends, *about, rule], schema=_LINKS)


def _group_rows(kinds: tuple[str, ...], side: str, groups: Groups, keys: Mapping[str, pa.Array]) -> pa.Table:
    count = len(groups.members)
    names = (kinds[0], kinds[1] if len(kinds) == 2 else None, side)
    numbers = pa.array(np.repeat(np.arange(len(groups)), groups.sizes))
    members = _keys_at(keys, kinds[_SIDES.index(side)], groups.members)
    return pa.table([*(_repeated(name, count) for name in names), numbers, members], schema=_GROUPS)


def _keys_at(keys: Mapping[str, pa.Array], kind: str, positions: Ints, absent: Bools | None = None) -> pa.Array:
    if kind not in keys:
        raise ConstraintError(f"there are links of {kind}, and no such nodes, only {', '.join(keys) or 'none'}")
    last = int(positions.max(initial=-1))
    if last >= len(keys[kind]):
        raise ConstraintError(f"a link names the {kind} node at position {last}, and there are {len(keys[kind])}")
    return keys[kind].take(pa.array(positions, mask=absent))


def _about(kinds: tuple[str, ...], table: pa.Table) -> pa.Table:
    other = pc.equal(table["other"], kinds[1]) if len(kinds) == 2 else pc.is_null(table["other"])
    return table.filter(pc.and_(pc.equal(table["kind"], kinds[0]), other))


def _starts(numbers: Ints, count: int) -> Ints:
    return np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))]).astype(np.int64)


def _repeated(value: str | None, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, pa.string()), count)
