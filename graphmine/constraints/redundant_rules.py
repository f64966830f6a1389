"""Which rules say again what the relation says: their links are made from the same records.

Authors who wrote papers together are in the same venues by these papers. Clustered by their venues, such links agree
with the relation whether they are right or not, so that their agreement is no sign that they can be trusted.
"""

from collections.abc import Sequence

import numpy as np

from graphmine.constraints.rule_types import Body, Distance, Path, Same, Saved, Shared
from graphmine.constraints.rules import Rule
from graphmine.model import Constraints, Pattern, Step

__all__ = ["repeats"]

Record = str | tuple[str, str | frozenset[str]]


def repeats(rule: Rule, made: Constraints, relations: Sequence[Pattern]) -> bool:
    """Whether the links of a rule come from the same records as the relations that are clustered.

    Parameters
    ----------
    made
        What the rule made. Links that were saved repeat the relation if all of them did when they were saved.

    Notes
    -----
    They do if the rule says so (``repeats``, ``independent``), or else if it goes over a relationship type between two
    kinds, or through a query file, that a relation goes over too, in whichever direction; or if it compares nodes by a
    property that a relation compares them by. Other values, texts, known classes and earlier runs are other records.

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
    return any(_looked_at(rule.body) & _records(each) for each in relations)


def _looked_at(body: Body) -> frozenset[Record]:
    """Return what a rule reads that a relation may read too."""
    match body:
        case Path() | Shared():
            return _records(body.pattern)
        case Same() | Distance():
            return frozenset({(body.kind, body.property)})
        case _:
            return frozenset()


def _records(pattern: Pattern) -> frozenset[Record]:
    """Return what a pattern reads: relationship types, each with the kinds it joins, a query file, or properties."""
    return frozenset(record for step in pattern.steps for record in _of_step(step))


def _of_step(step: Step) -> list[Record]:
    if step.similarity is not None:
        return [(step.source, name) for name in step.similarity.properties]
    return [step.file or (step.type, frozenset({step.source, step.target}))]


def _all_repeat(made: Constraints) -> bool:
    known = [number for number, name in enumerate(made.rules) if name in made.repeats]
    return bool(known) and all(np.isin(links.rule, known).all() for links in made.values())
