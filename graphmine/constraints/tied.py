"""Which nodes must-links tie together when they are followed to the end, and which wishes that makes vain."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphmine.closure.contradictions import contradictions
from graphmine.closure.ties import tied
from graphmine.constraints.tally import Named, named
from graphmine.model import Constraints

__all__ = ["tied_sets", "vain"]

Integers = NDArray[np.int64]


def tied_sets(musts: Iterable[Named], counts: Mapping[str, int]) -> dict[str, Integers]:
    """Return for every node the set that must-links tie it into, over all kinds; -1 if it stays alone.

    Sets are numbered from the largest on; whether the links are hard does not matter.

    Examples
    --------
    >>> from graphmine.model import Groups, Links
    >>> musts = Links.of_pairs([[0, 1]]) + Links.tying(Groups.of([[2, 3, 4]]))
    >>> tied_sets([(("Author",), musts)], {"Author": 6})["Author"].tolist()
    [1, 1, 0, 0, 0, -1]
    """
    ties = tied(_hard(musts))
    named_ones = {kind: ties.of(kind) for kind in ties.starts}
    sizes = np.bincount(ties.component)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    numbers = np.where(sizes > 1, rank, -1)
    sets = {kind: np.full(count, -1, dtype=np.int64) for kind, count in counts.items()}
    for kind, components in named_ones.items():
        sets[kind][: len(components)] = numbers[components][: counts[kind]]
    return sets


def vain(constraints: Constraints) -> int:
    """Return how many soft cannot-links wish apart what hard must-links tie together.

    Examples
    --------
    >>> from graphmine.model import Links
    >>> hard = Links.of_pairs([[0, 1], [1, 2]], hard=True)
    >>> soft = Links.of_pairs([[0, 2], [0, 4]], must=False)
    >>> vain(Constraints({"Author": hard + soft}))
    1
    """
    chosen = constraints.select(lambda links: links.hard == links.must)  # hard must-links and soft cannot-links
    return len(contradictions(_hard(named(chosen))).each())


def _hard(every: Iterable[Named]) -> Constraints:
    """Return links as if all of them were hard."""
    within, across = {}, {}
    for kinds, links in every:
        firm = replace(links, hard=np.ones(len(links), dtype=np.bool_), rule=np.full(len(links), -1))
        if len(kinds) == 2:
            across[kinds[0], kinds[1]] = firm
        else:
            within[kinds[0]] = firm
    return Constraints(within, across)
