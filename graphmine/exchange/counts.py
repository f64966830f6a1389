"""How large a network is, from counts alone: what a pull would read, and how many pairs it would give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from graphmine.model import Pattern, Step
from graphmine.store import Names, Reader

__all__ = ["Sizes", "count_nodes", "count_sizes", "ways"]

_UNEVEN = 3.0
"""So many times as many paths go through a kind as if all its nodes had the same number of links: some have more."""


@dataclass(frozen=True)
class Sizes:
    """The nodes of kinds and the relationships of steps, without a look at filters.

    Examples
    --------
    >>> wrote, published = Pattern.parse("Author-WROTE->Paper-IN->Venue").steps
    >>> sizes = Sizes({"Author": 100, "Paper": 500, "Venue": 9}, {wrote: 800, published: 500})
    >>> sizes.pairs(Pattern((wrote,))), sizes.pairs(Pattern((wrote, published)))
    (800.0, 800.0)
    >>> sizes.pairs(Pattern.parse("Venue~rbf(age)"))
    81.0
    """

    nodes: Mapping[str, int]
    links: Mapping[Step, int]

    def pairs(self, pattern: Pattern) -> float:
        """Return how many pairs a relation has about, rather too many than too few.

        A path has as many as there are ways along it, if nodes in its middle were linked evenly, and more as they are
        not; never more than both its ends have. What a query file returns is not known before: it counts for nothing.
        """
        most = float(self.nodes[pattern.rows]) * self.nodes[pattern.cols]
        first = pattern.steps[0]
        if first.similarity is not None:
            neighbours = first.similarity.neighbours
            return most if neighbours is None else min(most, 2.0 * neighbours * self.nodes[pattern.rows])
        found = float(self.links.get(first, 0))
        for before, after in pairwise(pattern.steps):
            middle = max(self.nodes[after.source], 1)
            into, out = self.links[before] / middle, self.links[after] / middle
            found *= out * (_UNEVEN if into > 1 and out > 1 else 1.0)
        return min(most, found)

    def read(self, pattern: Pattern) -> int:
        """Return how many relationships a pull reads for a relation."""
        return sum(self.links.get(step, 0) for step in pattern.steps)


def count_sizes(tx: Reader, patterns: Iterable[Pattern], *, exact: bool = False) -> Sizes:
    """Count what patterns name, in one statement.

    Parameters
    ----------
    exact
        Whether relationships are counted that do lead from one kind to the other; else as cheaply as the database can,
        and there may be fewer.
    """
    patterns = list(patterns)
    kinds = dict.fromkeys(kind for pattern in patterns for kind in pattern.kinds)
    steps = dict.fromkeys(step for pattern in patterns for step in pattern.steps if step.type)
    ends = [(step, *way) for step in steps for way in ways(step)]
    counters = ("count_links",) if exact else tx.database.count_links_at_most
    of_nodes: list[tuple[str, Names]] = [("count_nodes", {"kind": kind}) for kind in kinds]
    of_links: list[tuple[str, Names]] = [
        (counter, {"source": source, "type": step.type, "target": target})
        for step, source, target in ends
        for counter in counters
    ]
    found = iter(tx.counts(of_nodes + of_links))
    nodes, links = {kind: next(found) for kind in kinds}, dict.fromkeys(steps, 0)
    for step, *_ in ends:
        links[step] += min(next(found) for _ in counters)
    return Sizes(nodes, links)


def count_nodes(tx: Reader, kind: str) -> int:
    """Count the nodes of a kind."""
    number: int = tx.query("count_nodes", {"kind": kind})["n"][0].as_py()
    return number


def ways(step: Step) -> list[tuple[str, str]]:
    """Return from which kind to which the relationships of a step may point."""
    out, back = (step.source, step.target), (step.target, step.source)
    return {"out": [out], "in": [back], "both": [out, back]}[step.direction]
