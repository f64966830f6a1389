"""Which rules say again what the relation says: their links are made from the same records.

Authors who wrote papers together are in the same venues by these papers. Clustered by their venues, such links agree
with the relation whether they are right or not, so that their agreement is no sign that they can be trusted.
"""

from collections.abc import Sequence

import numpy as np

from graphmine.constraints.bodies import Path, Saved, Shared
from graphmine.constraints.rules import Rule
from graphmine.model import Constraints, Pattern

__all__ = ["repeats"]

Record = str | tuple[str, frozenset[str]]


def repeats(rule: Rule, made: Constraints, relations: Sequence[Pattern]) -> bool:
    """Whether the links of a rule come from the same records as the relations that are clustered.

    Parameters
    ----------
    made
        What the rule made. Links that were saved repeat the relation if all of them did when they were saved.

    Notes
    -----
    They do if the rule says so (``repeats``, ``independent``), or else if it goes over a relationship type between two
    kinds, or through a query file, that a relation goes over too, in whichever direction. Values, texts, known classes
    and earlier runs are other records.

    Examples
    --------
    >>> venues = [Pattern.parse("Author-WROTE->Paper-IN->Venue")]
    >>> for text in ("Author-WROTE->Paper<-WROTE-Author", "Author-KNOWS->Author", "Author-KNOWS->Author; repeats"):
    ...     print(repeats(Rule.parse(f"must {text}"), Constraints(), venues))
    True
    False
    True
    """
    if rule.repeats is not None:
        return rule.repeats
    if isinstance(rule.body, Saved):
        return _all_repeat(made)
    if not isinstance(rule.body, Path | Shared):
        return False
    return any(_records(rule.body.pattern) & _records(each) for each in relations)


def _records(pattern: Pattern) -> frozenset[Record]:
    """Return what a pattern reads: relationship types, each with the kinds it joins, or a query file."""
    return frozenset(step.file or (step.type, frozenset({step.source, step.target})) for step in pattern.steps)


def _all_repeat(made: Constraints) -> bool:
    known = [number for number, name in enumerate(made.rules) if name in made.repeats]
    return bool(known) and all(np.isin(links.rule, known).all() for links in made.values())
