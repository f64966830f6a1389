"""How good a clustering is by its star alone, in a few lines."""

from collections.abc import Iterator

from graphmine.model import Quality
from graphmine.report.page import fact, number

__all__ = ["quality_facts"]


def quality_facts(quality: Quality) -> Iterator[str]:
    """Return cut, modularity and balance, each in a line.

    >>> list(quality_facts(Quality(0.25, None, {"Author": 0.5, "Venue": 1.0}, {"Author": 3, "Venue": 0})))
    ['cut           0.25', 'modularity    –', 'balance       Author 0.5, Venue 1']
    """
    yield fact("cut", number(quality.cut))
    yield fact("modularity", number(quality.modularity))
    yield fact("balance", ", ".join(f"{kind} {number(balance)}" for kind, balance in quality.balance.items()))
