"""The short pattern language: which relation to pull, and which nodes to keep.

::

    Author-WROTE->Paper-IN->Conference      a path; the weight is the number of paths
    User-RATED{stars}->Movie                a weight property; along a path, weights multiply
    Paper<-WROTE-Author                     against the arrow
    Person-KNOWS-Club                       either way round
    Author-[mine.cypher]->Conference        a file that returns row, col and, if it likes, weight
    Wine~rbf(alcohol, hue)                  how alike nodes are by numbers they carry, see `graphmine.model.similarity`
    Wine~knn(embedding; neighbours 15)      the same, of the nearest nodes only
    `odd kind`-`is, in`->`naïve`            backticks around names that are not plain words

    Paper.year >= 2000                      a filter
"""

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from graphmine.checks import check_choice, check_name
from graphmine.errors import ParameterError
from graphmine.model.naming import NAME, bare, quoted
from graphmine.model.similarity import Similarity
from graphmine.model.values import Value, check_values, parse_value

__all__ = ["Filter", "Pattern", "Step", "parse_property", "write_property"]

Direction = Literal["out", "in", "both"]

_HOP = re.compile(
    rf"""\s*(?P<left><)?-\s*
    (?:\[(?P<file>[^\]]+)\] | (?P<type>{NAME})\s*(?:\{{\s*(?P<weight>{NAME})\s*\}})?)
    \s*-(?P<right>>)?\s*
    (?P<target>{NAME})""",
    re.VERBOSE,
)
_START = re.compile(rf"\s*(?P<kind>{NAME})")
_FILTER = re.compile(
    rf"\s*(?P<kind>{NAME})\.(?P<property>{NAME})\s*(?P<operator>>=|<=|!=|=|<|>|\bin\b)\s*(?P<value>[^=<>!].*?)\s*",
    re.DOTALL,
)
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in")
_ALONE = "a similarity is a whole relation"


@dataclass(frozen=True)
class Step:
    """One hop of a path: from a kind over a relationship type, or over a query file or a similarity, to a kind.

    Of a file and of a similarity, each of which is a whole relation, ``type`` is empty.
    """

    source: str
    type: str
    target: str
    direction: Direction = "out"
    weight: str | None = None
    file: str | None = None
    similarity: Similarity | None = None

    def __post_init__(self) -> None:
        """Refuse names that no database can carry."""
        check_name("kind", self.source)
        check_name("kind", self.target)
        check_choice("direction", self.direction, get_args(Direction))
        if self.similarity is not None:
            self._check_similarity()
        elif self.file is not None:
            self._check_file()
        else:
            check_name("relationship type", self.type)
        if self.weight is not None:
            check_name("weight property", self.weight)

    def _check_file(self) -> None:
        file = check_name("query file", self.file)
        if "]" in file or file != file.strip():
            raise ParameterError(f"query file must not hold ] or begin or end with a space, was {file!r}")
        if not self._is_bare:
            raise ParameterError("a query file is written Kind-[file.cypher]->Kind")

    def _check_similarity(self) -> None:
        if self.source != self.target or self.file is not None or not self._is_bare:
            raise ParameterError("a similarity relates a kind with itself and is written Kind~rbf(property)")

    @property
    def _is_bare(self) -> bool:
        return not self.type and self.weight is None and self.direction == "out"


@dataclass(frozen=True)
class Pattern:
    """A relation between two kinds as a chain of steps.

    Examples
    --------
    >>> pattern = Pattern.parse("Author-WROTE->Paper-IN->Conference")
    >>> pattern.rows, pattern.cols, [step.type for step in pattern.steps]
    ('Author', 'Conference', ['WROTE', 'IN'])
    >>> print(Pattern.parse("`odd kind`<-RATED{ stars }-User"))
    `odd kind`<-RATED{stars}-User
    >>> Pattern.parse("Author->Paper")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: relation 'Author->Paper' can not be read at '->Paper'; write it as
    Kind-TYPE->Kind, for example Author-WROTE->Paper-IN->Conference
    >>> alike = Pattern.parse("Wine ~ knn( alcohol, hue; neighbours 15 )")
    >>> print(alike, alike.rows, alike.cols)
    Wine~knn(alcohol, hue; neighbours 15) Wine Wine
    """

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        """Refuse steps that do not hang together."""
        if not self.steps:
            raise ParameterError("a relation needs at least one step")
        for before, after in pairwise(self.steps):
            if before.target != after.source:
                raise ParameterError(f"a path that comes to {before.target!r} can not go on from {after.source!r}")
        if len(self.steps) > 1 and any(step.file for step in self.steps):
            raise ParameterError(f"relation {self} mixes a query file with other steps; a file is a whole relation")
        if len(self.steps) > 1 and any(step.similarity for step in self.steps):
            raise ParameterError(f"relation {self} mixes a similarity with other steps; {_ALONE}")

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Read a pattern from its short form."""
        match = _START.match(text)
        if match is None:
            raise _unreadable(text, 0)
        kind, end, steps = bare(match["kind"]), match.end(), []
        if text[end:].lstrip().startswith("~"):
            return cls((_similar(kind, text, end),))
        while text[end:].strip():
            match = _HOP.match(text, end)
            if match is None or (match["left"] and match["right"]):
                raise _unreadable(text, end)
            step = _step(kind, match)
            steps.append(step)
            kind, end = step.target, match.end()
        if not steps:
            raise _unreadable(text, end)
        return cls(tuple(steps))

    @property
    def rows(self) -> str:
        """The kind at the start."""
        return self.steps[0].source

    @property
    def cols(self) -> str:
        """The kind at the end."""
        return self.steps[-1].target

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind along the path, in order."""
        return (self.rows, *(step.target for step in self.steps))

    def __str__(self) -> str:
        return quoted(self.rows) + "".join(map(_hop_text, self.steps))


@dataclass(frozen=True)
class Filter:
    """Keep only the nodes of a kind whose property passes a test.

    Examples
    --------
    >>> Filter.parse("Paper.year >= 2000")
    Filter(kind='Paper', property='year', operator='>=', value=2000)
    >>> Filter.parse("Author.country in ['DE', 'FR']").value
    ['DE', 'FR']
    >>> print(Filter.parse("Author.name != Ann"))
    Author.name != "Ann"
    """

    kind: str
    property: str
    operator: str
    value: Value

    def __post_init__(self) -> None:
        """Refuse an operator that does not exist or does not take the value."""
        check_name("kind", self.kind)
        check_name("property", self.property)
        check_choice("operator", self.operator, OPERATORS)
        if (self.operator == "in") != isinstance(self.value, list):
            raise ParameterError(f"filter {self.kind}.{self.property}: 'in', and only 'in', takes a list [a, b]")
        values = check_values(
            f"filter {self.kind}.{self.property}", self.value if isinstance(self.value, list) else [self.value]
        )
        object.__setattr__(self, "value", values if self.operator == "in" else values[0])

    @classmethod
    def parse(cls, text: str) -> "Filter":
        """Read a filter from its short form; a value without quotes is a number, a truth value or text."""
        match = _FILTER.fullmatch(text)
        if match is None:
            raise ParameterError(f"filter {text!r} can not be read; write it as Kind.property >= value")
        return cls(bare(match["kind"]), bare(match["property"]), match["operator"], parse_value(match["value"]))

    def __str__(self) -> str:
        return (
            f"{write_property(self.kind, self.property)} {self.operator} {json.dumps(self.value, ensure_ascii=False)}"
        )


def parse_property(text: str) -> tuple[str, str]:
    """Read ``Kind.property``.

    >>> parse_property("`odd kind`.name")
    ('odd kind', 'name')
    """
    match = re.fullmatch(rf"\s*({NAME})\.({NAME})\s*", text)
    if match is None:
        raise ParameterError(f"{text!r} can not be read; write it as Kind.property")
    return bare(match[1]), bare(match[2])


def write_property(kind: str, property_: str) -> str:
    """Write ``Kind.property`` as `parse_property` reads it.

    >>> write_property("odd kind", "name")
    '`odd kind`.name'
    """
    return f"{quoted(kind)}.{quoted(property_)}"


def _step(source: str, match: re.Match[str]) -> Step:
    direction: Direction = "in" if match["left"] else "out" if match["right"] else "both"
    target = bare(match["target"])
    if match["file"]:
        return Step(source, "", target, direction, file=match["file"].strip())
    weight = bare(match["weight"]) if match["weight"] else None
    return Step(source, bare(match["type"]), target, direction, weight)


def _similar(kind: str, text: str, start: int) -> Step:
    similarity, end = Similarity.read(text, start)
    if text[end:].strip():
        raise ParameterError(f"relation {text!r} can not be read at {text[end:]!r}; {_ALONE}")
    return Step(kind, "", kind, similarity=similarity)


def _hop_text(step: Step) -> str:
    if step.similarity is not None:
        return str(step.similarity)
    weight = f"{{{quoted(step.weight)}}}" if step.weight else ""
    hop = f"[{step.file}]" if step.file else quoted(step.type) + weight
    left, right = ("<-", "-") if step.direction == "in" else ("-", "->" if step.direction == "out" else "-")
    return f"{left}{hop}{right}{quoted(step.target)}"


def _unreadable(text: str, position: int) -> ParameterError:
    rest = text[position:]
    hint = "write it as Kind-TYPE->Kind, for example Author-WROTE->Paper-IN->Conference"
    return ParameterError(f"relation {text!r} can not be read at {rest!r}; {_ALONE if rest[:1] == '~' else hint}")
