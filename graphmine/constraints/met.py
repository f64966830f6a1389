"""How far a clustering meets constraints: counted, without a pair of a group being made."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmine.constraints.broken import Broken, BrokenPair, broken, broken_counts
from graphmine.constraints.tally import parted, tally
from graphmine.constraints.trust import check_trust, trust_in
from graphmine.model import Clustering, Constraints

__all__ = ["Broken", "BrokenPair", "Met", "as_records", "broken", "broken_counts", "from_records", "met"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Met:
    """How far the links of one rule are met: between the nodes of one kind or of two, in one sense and as firm.

    Parameters
    ----------
    rule
        Its name; empty for links that no rule made.
    kinds
        One kind, or two for links across kinds.
    must, hard
        Whether the two nodes must share a cluster or must not, and whether that has to be so.
    links, pairs
        How many links there are, and how many pairs of nodes they stand for.
    met
        Pairs that are as they should be.
    unplaced
        Pairs of which the method could not place a node, so that they are neither met nor broken.
    trust
        Where the method judges links: the mean probability that a pair is right; None if it does not.
    """

    rule: str
    kinds: tuple[str, ...]
    must: bool
    hard: bool
    links: int
    pairs: int
    met: int
    unplaced: int
    trust: float | None = None

    @property
    def broken(self) -> int:
        """Pairs that are not as they should be."""
        return self.pairs - self.unplaced - self.met

    @property
    def share(self) -> float | None:
        """What part of the pairs that could be judged is met; None if there are none."""
        judged = self.pairs - self.unplaced
        return self.met / judged if judged else None


def met(constraints: Constraints, clustering: Clustering) -> tuple[Met, ...]:
    """Count how many pairs a clustering meets: an entry for each rule, kind or two kinds, sense and firmness.

    Rules come in their order, links of no rule last. It costs O(members of groups + links).

    Examples
    --------
    >>> from graphmine.model import Groups, Links
    >>> friends = Links.tying(Groups.of([[0, 1, 2, 3]]), rule=0)
    >>> found, = met(Constraints({"Author": friends}, rules=("friends",)), Clustering({"Author": [0, 0, 1, -1]}))
    >>> found.pairs, found.met, found.broken, found.unplaced, found.share
    (6, 1, 2, 3, 0.3333333333333333)
    """
    check_trust(constraints, clustering)
    found = []
    for made in parted(constraints):
        counts = tally(made.links, made.kinds, clustering.labels)
        pairs, placed, equal = (int(each.sum()) for each in (counts.pairs, counts.known, counts.equal))
        kept = equal if made.must else placed - equal
        about = (made.rule, made.kinds, made.must, made.hard)
        trust = _mean(trust_in(made, clustering), counts.pairs)
        found.append(Met(*about, links=len(made.links), pairs=pairs, met=kept, unplaced=pairs - placed, trust=trust))
    return tuple(found)


def as_records(found: Iterable[Met]) -> list[dict[str, Any]]:
    """Return what was met as plain dictionaries, to be stored as JSON with a run.

    >>> as_records([Met("friends", ("Author",), True, False, links=1, pairs=6, met=1, unplaced=3)])
    [{'rule': 'friends', 'kinds': ['Author'], 'must': True, 'hard': False, 'links': 1, 'pairs': 6, 'met': 1,
    'unplaced': 3, 'trust': None, 'broken': 2, 'share': 0.3333333333333333}]
    """
    return [asdict(each) | {"kinds": list(each.kinds), "broken": each.broken, "share": each.share} for each in found]


def from_records(records: Iterable[Mapping[str, Any]]) -> tuple[Met, ...]:
    """Return what `as_records` made records of; older ones do not speak of trust."""
    names = ("must", "hard", "links", "pairs", "met", "unplaced")
    return tuple(
        Met(
            record["rule"],
            tuple(record["kinds"]),
            **{name: record[name] for name in names},
            trust=record.get("trust"),
        )
        for record in records
    )


def _mean(trust: Floats | None, pairs: Integers) -> float | None:
    """Return the mean over pairs; None where there are none, or nothing is known of them."""
    return None if trust is None or not pairs.any() else float(np.average(trust, weights=pairs))
