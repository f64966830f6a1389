"""What a method thinks of each link: the probability that it is right, told so that it can be kept.

A group is told by its size and its first few keys, whatever its size, so that a link costs the same as any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphmine.arrays import Floats, Ints
from graphmine.constraints.pair_counts import RuleLinks, parted, tally
from graphmine.errors import ConstraintError
from graphmine.model import Clustering, Constraints, Groups, Nodes

__all__ = ["LINK_COLUMNS", "Judged", "check_trust", "judged_links", "trust_again", "trust_in"]


LINK_COLUMNS: Mapping[str, pa.DataType] = {
    "key": pa.string(), "size": pa.int64(), "other_key": pa.string(), "other_size": pa.int64(),
    "weight": pa.float64(), "trust": pa.float64(), "pairs": pa.int64(), "broken": pa.int64(), "unplaced": pa.int64(),
}  # fmt: skip
"""What is told of a single link; the rest it shares with the other links of its rule."""

_NAMES = ("key", "size", "other_key", "other_size")
_TOLD = 3  # how many keys of a group are told
_APART = "\x1f"  # stands between the parts of a name that is only compared


@dataclass(frozen=True, eq=False)
class Judged:
    """Links of one rule, alike in kinds, sense and firmness, with a row each in the `LINK_COLUMNS`."""

    rule: str
    kinds: tuple[str, str]
    must: bool
    hard: bool
    rows: pa.Table


def check_trust(constraints: Constraints, clustering: Clustering) -> None:
    """Refuse a trust that is not one number a link."""
    for (first, second), links in constraints.items():
        known = clustering.trust.get((first, second))
        if known is not None and len(known) != len(links):
            raise ConstraintError(
                f"the clustering has a trust for {len(known)} links of {first} with {second}, and there are "
                f"{len(links)}; give the constraints that it was fitted with"
            )


def trust_in(made: RuleLinks, clustering: Clustering) -> Floats | None:
    """Return the trust of some links; None where the method does not judge them."""
    known = clustering.trust.get((made.kinds[0], made.kinds[-1]))
    return None if known is None else known[made.numbers]


def judged_links(constraints: Constraints, clustering: Clustering, nodes: Mapping[str, Nodes]) -> Iterator[Judged]:
    """Yield all links that a method judged, rule by rule, by the keys of their nodes.

    Notes
    -----
    It costs O(members of groups + links). Keys are text, as one column holds those of all kinds.

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
    for made in parted(constraints):
        trust = trust_in(made, clustering)
        if trust is None:
            continue
        counts = tally(made.links, made.kinds, clustering.labels)
        against = counts.known - counts.equal if made.must else counts.equal
        numbers = (made.links.weight, trust, counts.pairs, against, counts.pairs - counts.known)
        columns = [*_ends(made, keys), *map(pa.array, numbers)]
        rows = pa.table(columns, schema=pa.schema(LINK_COLUMNS))
        yield Judged(made.rule, (made.kinds[0], made.kinds[-1]), made.must, made.hard, rows)


def trust_again(known: pa.Table, constraints: Constraints, nodes: Mapping[str, Nodes]) -> dict[tuple[str, str], Floats]:
    """Return the trust of links that were drawn again, as it is on record; not a number where it is not.

    Parameters
    ----------
    known
        The `LINK_COLUMNS` of links with their ``rule``, ``kind``, ``other_kind`` and ``must``.
    """
    keys = {kind: each.keys.cast(pa.string()) for kind, each in nodes.items()}
    on_record = _compared(*(known[name] for name in ("rule", "kind", "other_kind", "must", *_NAMES)))
    trust = np.append(known["trust"].to_numpy(), np.nan)  # the last is for links that are not on record
    found = {kinds: np.full(len(links), np.nan) for kinds, links in constraints.items()}
    for made in parted(constraints):
        kinds, count = (made.kinds[0], made.kinds[-1]), len(made.links)
        shared = [pa.repeat(pa.scalar(each), count) for each in (made.rule, *kinds, made.must)]
        place = pc.index_in(_compared(*shared, *_ends(made, keys)), value_set=on_record)
        found[kinds][made.numbers] = trust[pc.fill_null(place, -1).to_numpy()]
    return found


def _ends(made: RuleLinks, keys: Mapping[str, pa.Array]) -> list[pa.Array]:
    """Return the two ends of links, each as a text and a number of nodes."""
    links = made.links
    left = _told(links.left, links.groups, keys[made.kinds[0]])
    return [*left, *_told(links.right, links.right_groups, keys[made.kinds[-1]])]


def _told(units: Ints, groups: Groups, keys: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return units as texts: a key, or the first few keys of a group; and how many nodes each of them holds."""
    grouped = units < 0
    sizes, starts = np.ones(len(units), dtype=np.int64), np.zeros(len(units), dtype=np.int64)
    sizes[grouped], starts[grouped] = groups.sizes[-1 - units[grouped]], groups.starts[-1 - units[grouped]]
    members = np.append(groups.members, 0)  # so that there is always one to look at
    slots = []
    for slot in range(_TOLD):
        positions = np.where(grouped, members[np.minimum(starts + slot, len(members) - 1)], units)
        slots.append(keys.take(pa.array(positions, mask=sizes <= slot)))
    more = pc.if_else(pa.array(sizes > _TOLD), "…", pa.scalar(None, pa.string()))
    slots[0] = pc.fill_null(slots[0], "")  # of an empty group; rows of nothing but nulls would be lost
    return pc.binary_join_element_wise(*slots, more, ", ", null_handling="skip"), pa.array(sizes)


def _compared(*columns: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return one text a row, the same where all columns are."""
    return pc.binary_join_element_wise(*(pc.cast(each, pa.string()) for each in columns), _APART)
