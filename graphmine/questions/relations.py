"""Which links a question follows: a relation, turned so that it begins with the kind that is asked about."""

from collections.abc import Sequence
from dataclasses import replace

from graphmine.errors import ParameterError
from graphmine.model import Pattern, Step

__all__ = ["FORMS", "oriented"]

FORMS = ("relation", "step", "shared")
"""A whole relation; its first step; that step there and back again, for nodes that share something."""


def oriented(
    patterns: Sequence[Pattern], form: str, start: str | None, end: str | None, of: str = "the relation"
) -> Pattern:
    """Return the first of some relations, in one of the `FORMS`, that leads from a kind to another.

    Parameters
    ----------
    start, end
        The kinds that are wanted at its ends, None for any.
    of
        Whose relations they are, for a person to read.

    Examples
    --------
    >>> papers = [Pattern.parse("Author-WROTE->Paper-IN->Conference")]
    >>> print(oriented(papers, "relation", "Conference", None))
    Conference<-IN-Paper<-WROTE-Author
    >>> print(oriented(papers, "shared", None, None))
    Author-WROTE->Paper<-WROTE-Author
    >>> print(oriented([Pattern.parse("Person-KNOWS->Person")], "relation", None, None))
    Person-KNOWS-Person
    >>> star = [Pattern.parse("Paper-IN->Conference"), Pattern.parse("Paper-MENTIONS->Term")]
    >>> print(oriented(star, "relation", None, "Term"))
    Paper-MENTIONS->Term
    >>> oriented(papers, "relation", "Term", None)
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the relation Author-WROTE->Paper-IN->Conference does not lead from 'Term'; name
    another one, as in `query(…, relation='Kind-TYPE->Kind')`
    """
    usable = [each for each in patterns if not any(step.file or step.similarity for step in each.steps)]
    if not usable:
        listed = ", ".join(map(str, patterns)) or "none"
        raise ParameterError(
            f"the links of {listed} are not in the graph, so that they can not be followed; name a relation, as in "
            "`query(…, relation='Kind-TYPE->Kind')`"
        )
    for pattern in usable:
        for way in (pattern, _turned(pattern)):
            found = _formed(way, form)
            if start in (None, found.rows) and end in (None, found.cols):
                return _both_ways(found)
    listed = ", ".join(map(str, usable))
    ends = " ".join(f"{word} {kind!r}" for word, kind in (("from", start), ("to", end)) if kind is not None)
    raise ParameterError(
        f"{of} {listed} does not lead {ends}; name another one, as in `query(…, relation='Kind-TYPE->Kind')`"
    )


def _formed(pattern: Pattern, form: str) -> Pattern:
    if form == "relation" or (form == "shared" and pattern.rows == pattern.cols):
        return pattern
    first = Pattern(pattern.steps[:1])
    return first if form == "step" or first.rows == first.cols else Pattern((*first.steps, *_turned(first).steps))


def _both_ways(pattern: Pattern) -> Pattern:
    """Return a relation of a kind with itself without a direction, as a run takes it."""
    if pattern.rows != pattern.cols or pattern == _turned(pattern):
        return pattern
    if len(pattern.steps) == 1:
        return Pattern((replace(pattern.steps[0], direction="both"),))
    raise ParameterError(
        f"the relation {pattern} leads from {pattern.rows} to {pattern.cols} and does not read the same both ways; "
        "only a single step or a path there and back can be followed"
    )


def _turned(pattern: Pattern) -> Pattern:
    ways = {"out": "in", "in": "out", "both": "both"}
    return Pattern(
        tuple(
            Step(step.target, step.type, step.source, ways[step.direction], step.weight)  # type: ignore[arg-type]
            for step in reversed(pattern.steps)
        )
    )
