"""Rules that repeat the relation: their links come from the same records as the relation that is clustered.

Co-authors share venues because of the papers they wrote together. If authors are clustered by venues, links between
co-authors agree with the relation whether they are right or not, so this agreement is no sign that they can be trusted.
"""

from collections.abc import Sequence

import numpy as np

from graphmine.constraints.rule_types import Body, Distance, Path, Same, Saved, Shared
from graphmine.constraints.rules import Rule
from graphmine.model import Constraints, Pattern, Step

__all__ = ["repeats_relation"]

_Record = str | tuple[str, str | frozenset[str]]


def repeats_relation(rule: Rule, made: Constraints, relations: Sequence[Pattern]) -> bool:
    """Return whether the links of a rule come from the same records as the relations that are clustered.

    Parameters
    ----------
    made
        What the rule made. Saved links repeat the relation if all of them did when they were saved.

    Notes
    -----
    The rule may say so itself (``repeats``, ``independent``). Otherwise it does if it uses a relationship type between
    two kinds, in either direction, or a query file, that a relation uses too, or if it compares nodes by a property by
    which a relation compares them. Other values, texts, known classes and earlier runs are independent records.

    Examples
    --------
    >>> venues = [Pattern.parse("Author-WROTE->Paper-IN->Venue")]
    >>> for text in ("Author-WROTE->Paper<-WROTE-Author", "Author-KNOWS->Author", "Author-KNOWS->Author; repeats"):
    ...     print(repeats_relation(Rule.parse(f"must {text}"), Constraints(), venues))
    True
    False
    True
    """
    if rule.repeats is not None:
        return rule.repeats
    if isinstance(rule.body, Saved):
        return _all_repeat(made)
    return any(_records_of_rule(rule.body) & _records(each) for each in relations)


def _records_of_rule(body: Body) -> frozenset[_Record]:
    """Return the records of a rule that a relation may use too."""
    match body:
        case Path() | Shared():
            return _records(body.pattern)
        case Same() | Distance():
            return frozenset({(body.kind, body.property)})
        case _:
            return frozenset()


def _records(pattern: Pattern) -> frozenset[_Record]:
    """Return the records of a pattern: relationship types with the kinds they join, query files, or properties."""
    return frozenset(record for step in pattern.steps for record in _records_of_step(step))


def _records_of_step(step: Step) -> list[_Record]:
    if step.similarity is not None:
        return [(step.source, name) for name in step.similarity.properties]
    return [step.file or (step.type, frozenset({step.source, step.target}))]


def _all_repeat(made: Constraints) -> bool:
    known = [number for number, name in enumerate(made.rules) if name in made.repeats]
    return bool(known) and all(np.isin(links.rule, known).all() for links in made.values())
