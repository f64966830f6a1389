"""The trust of a method in each link, the probability that it is right, in a form that can be stored.

A group is described by its size and its first few keys, so that every link takes the same space.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Floats, Ints
from graphmine.constraints.pair_counts import RuleLinks, count_link_pairs, links_by_rule
from graphmine.errors import ConstraintError
from graphmine.model import Clustering, Constraints, Groups, Nodes

__all__ = ["LINK_COLUMNS", "JudgedLinks", "check_trust", "judged_links", "trust_again", "trust_in"]


LINK_COLUMNS: Mapping[str, pa.DataType] = {
    "key": pa.string(), "size": pa.int64(), "other_key": pa.string(), "other_size": pa.int64(),
    "weight": pa.float64(), "trust": pa.float64(), "pairs": pa.int64(), "broken": pa.int64(), "unplaced": pa.int64(),
}  # fmt: skip
"""The columns of a single link; everything else is shared by all links of its rule."""

_NAMES = ("key", "size", "other_key", "other_size")
_KEYS_SHOWN = 3  # the number of keys of a group that are shown
_SEPARATOR = "\x1f"  # stands between the parts of a name that is only compared


@dataclass(frozen=True, eq=False)
class JudgedLinks:
    """Links of one rule with the same kinds, sense and hardness: one row of `LINK_COLUMNS` per link."""

    rule: str
    kinds: tuple[str, str]
    must: bool
    hard: bool
    rows: pa.Table


def check_trust(constraints: Constraints, clustering: Clustering) -> None:
    """Refuse a trust that is not one number per link."""
    for (first, second), links in constraints.items():
        known = clustering.trust.get((first, second))
        if known is not None and len(known) != len(links):
            raise ConstraintError(
                f"the clustering has a trust for {len(known)} links of {first} with {second}, and there are "
                f"{len(links)}; give the constraints that it was fitted with"
            )


def trust_in(made: RuleLinks, clustering: Clustering) -> Floats | None:
    """Return the trust of the links of a rule; None if the method does not judge links."""
    known = clustering.trust.get((made.kinds[0], made.kinds[-1]))
    return None if known is None else known[made.numbers]


def judged_links(constraints: Constraints, clustering: Clustering, nodes: Mapping[str, Nodes]) -> Iterator[JudgedLinks]:
    """Yield all links that a method judged, rule by rule, with the keys of their nodes.

    Notes
    -----
    The cost is O(members of groups + links). Keys are text, because one column holds the keys of all kinds.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> friends = Constraints({"Author": Links.tying(Groups.of([[0, 1, 2, 3]]), rule=0)}, rules=("friends",))
    >>> found = Clustering({"Author": [0, 0, 0, 1]}, trust={("Author", "Author"): np.array([0.75])})
    >>> judged, = judged_links(friends, found, {"Author": Nodes("Author", ["Ann", "Bob", "Cem", "Dee"])})
    >>> row, = judged.rows.to_pylist()
    >>> row["key"], row["size"], row["trust"], row["broken"], row["pairs"]
    ('Ann, Bob, Cem, …', 4, 0.75, 3, 6)
    """
    check_trust(constraints, clustering)
    keys = {kind: each.keys.cast(pa.string()) for kind, each in nodes.items()}
    for made in links_by_rule(constraints):
        trust = trust_in(made, clustering)
        if trust is None:
            continue
        counts = count_link_pairs(made.links, made.kinds, clustering.labels)
        against = counts.known - counts.equal if made.must else counts.equal
        numbers = (made.links.weight, trust, counts.pairs, against, counts.pairs - counts.known)
        columns = [*_ends(made, keys), *map(pa.array, numbers)]
        rows = pa.table(columns, schema=pa.schema(LINK_COLUMNS))
        yield JudgedLinks(made.rule, (made.kinds[0], made.kinds[-1]), made.must, made.hard, rows)


def trust_again(known: pa.Table, constraints: Constraints, nodes: Mapping[str, Nodes]) -> dict[tuple[str, str], Floats]:
    """Return the recorded trust of links that were drawn again; NaN for links that are not on record.

    Parameters
    ----------
    known
        The `LINK_COLUMNS` of links with their ``rule``, ``kind``, ``other_kind`` and ``must``.
    """
    keys = {kind: each.keys.cast(pa.string()) for kind, each in nodes.items()}
    on_record = _joined_text(*(known[name] for name in ("rule", "kind", "other_kind", "must", *_NAMES)))
    trust = np.append(known["trust"].to_numpy(), np.nan)  # the last is for links that are not on record
    found = {kinds: np.full(len(links), np.nan) for kinds, links in constraints.items()}
    for made in links_by_rule(constraints):
        kinds, count = (made.kinds[0], made.kinds[-1]), len(made.links)
        shared = [pa.repeat(pa.scalar(each), count) for each in (made.rule, *kinds, made.must)]
        place = pc.index_in(_joined_text(*shared, *_ends(made, keys)), value_set=on_record)
        found[kinds][made.numbers] = trust[pc.fill_null(place, -1).to_numpy()]
    return found


def _ends(made: RuleLinks, keys: Mapping[str, pa.Array]) -> list[pa.Array]:
    """Return the two ends of links, each as a text and its number of nodes."""
    links = made.links
    left = _unit_texts(links.left, links.groups, keys[made.kinds[0]])
    return [*left, *_unit_texts(links.right, links.right_groups, keys[made.kinds[-1]])]


def _unit_texts(units: Ints, groups: Groups, keys: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return units as texts, a key or the first few keys of a group, and the number of nodes of each."""
    grouped = units < 0
    sizes, starts = np.ones(len(units), dtype=np.int64), np.zeros(len(units), dtype=np.int64)
    sizes[grouped], starts[grouped] = groups.sizes[-1 - units[grouped]], groups.starts[-1 - units[grouped]]
    members = np.append(groups.members, 0)  # so that there is always one to look at
    slots = []
    for slot in range(_KEYS_SHOWN):
        positions = np.where(grouped, members[np.minimum(starts + slot, len(members) - 1)], units)
        slots.append(keys.take(pa.array(positions, mask=sizes <= slot)))
    more = pc.if_else(pa.array(sizes > _KEYS_SHOWN), "…", pa.scalar(None, pa.string()))
    slots[0] = pc.fill_null(slots[0], "")  # of an empty group; rows of nothing but nulls would be lost
    return pc.binary_join_element_wise(*slots, more, ", ", null_handling="skip"), pa.array(sizes)


def _joined_text(*columns: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return one text per row, which is equal for rows that are equal in all columns."""
    return pc.binary_join_element_wise(*(pc.cast(each, pa.string()) for each in columns), _SEPARATOR)
