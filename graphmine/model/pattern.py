"""The short pattern language: which relation to pull, and which nodes to keep.

::

    Author-WROTE->Paper-IN->Conference      a path; the weight is the number of paths
    User-RATED{stars}->Movie                a weight property; along a path, weights multiply
    Paper<-WROTE-Author                     against the arrow
    Person-KNOWS-Club                       either way round
    Author-[mine.cypher]->Conference        a file that returns row, col and, if it likes, weight
    `odd kind`-`is, in`->`naïve`            backticks around names that are not plain words

    Paper.year >= 2000                      a filter
"""

import json
import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Literal, get_args

from graphmine.checks import check_choice, check_name
from graphmine.errors import ParameterError

__all__ = ["Filter", "Pattern", "Scalar", "Step", "check_values", "parse_property", "parse_value", "write_property"]

Direction = Literal["out", "in", "both"]
Scalar = str | int | float | bool
Value = Scalar | list[Scalar]

NAME = r"(?:\w+|`(?:[^`]|``)+`)"
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
_SURROGATE = re.compile("[\ud800-\udfff]")
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in")
QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""  # a text as a value


@dataclass(frozen=True)
class Step:
    """One hop of a path: from a kind over a relationship type, or over a query file, to a kind."""

    source: str
    type: str
    target: str
    direction: Direction = "out"
    weight: str | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        """Refuse names that no database can carry."""
        check_name("kind", self.source)
        check_name("kind", self.target)
        check_choice("direction", self.direction, get_args(Direction))
        if self.file is None:
            check_name("relationship type", self.type)
        else:
            self._check_file()
        if self.weight is not None:
            check_name("weight property", self.weight)

    def _check_file(self) -> None:
        file = check_name("query file", self.file)
        if "]" in file or file != file.strip():
            raise ParameterError(f"query file must not hold ] or begin or end with a space, was {file!r}")
        if self.type or self.weight is not None or self.direction != "out":
            raise ParameterError("a query file is written Kind-[file.cypher]->Kind")


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

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Read a pattern from its short form."""
        match = _START.match(text)
        if match is None:
            raise _unreadable(text, 0)
        kind, end, steps = _bare(match["kind"]), match.end(), []
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
        return _quoted(self.rows) + "".join(map(_hop_text, self.steps))


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
        return cls(_bare(match["kind"]), _bare(match["property"]), match["operator"], parse_value(match["value"]))

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
    return _bare(match[1]), _bare(match[2])


def write_property(kind: str, property_: str) -> str:
    """Write ``Kind.property`` as `parse_property` reads it.

    >>> write_property("odd kind", "name")
    '`odd kind`.name'
    """
    return f"{_quoted(kind)}.{_quoted(property_)}"


def check_values(what: str, values: Sequence[object]) -> list[Scalar]:
    """Return values that a database can compare with a property: some, and all of one type.

    Whole numbers in one list with other numbers become floats.

    >>> check_values("filter Paper.year", [2000, 2001.5])
    [2000.0, 2001.5]
    >>> check_values("filter Paper.year", [])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: filter Paper.year: the list is empty; write at least one value
    """
    if not values:
        raise ParameterError(f"{what}: the list is empty; write at least one value")
    checked = [_scalar(what, each) for each in values]
    types = {type(each) for each in checked}
    if types == {int, float}:
        return [float(each) for each in checked]
    if len(types) > 1:
        raise ParameterError(f"{what}: the list must hold values of one type")
    return checked


def _scalar(what: str, value: object) -> Scalar:
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not isfinite(value)):
        raise ParameterError(f"{what}: a value must be text, a number or a truth value, was {reprlib.repr(value)}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ParameterError(f"{what}: {reprlib.repr(value)} is too large a number for a database")
    if isinstance(value, str) and not value.isascii() and _SURROGATE.search(value):
        raise ParameterError(f"{what}: the value {value!r} holds characters that are no text; write it in UTF-8")
    return value


def parse_value(text: str) -> Value:
    """Read a number, a truth value, a text in quotes or a list of them; anything else is a text as it stands.

    >>> parse_value("['a', 'b']"), parse_value("2.5"), parse_value("2.5 m")
    (['a', 'b'], 2.5, '2.5 m')
    """
    written = re.sub(QUOTED, _double_quoted, text, flags=re.DOTALL) if text[:1] in ("[", "'") else text
    try:
        value: Value = json.loads(written, parse_constant=str)  # NaN and Infinity are texts like any other
    except (ValueError, RecursionError):
        if text[:1] in ("[", "{", '"', "'"):
            shown = " ".join((text if len(text) <= 80 else f"{text[:79]}…").split())
            raise ParameterError(f"the value {shown} can not be read; write a number, true, 'text' or [a, b]") from None
        return text
    return value


def _double_quoted(match: re.Match[str]) -> str:
    if match[0].startswith('"'):
        return match[0]
    escaped = {"\\'": "'", '"': '\\"'}
    return '"' + re.sub(r'\\.|"', lambda each: escaped.get(each[0], each[0]), match[0][1:-1], flags=re.DOTALL) + '"'


def _step(source: str, match: re.Match[str]) -> Step:
    direction: Direction = "in" if match["left"] else "out" if match["right"] else "both"
    target = _bare(match["target"])
    if match["file"]:
        return Step(source, "", target, direction, file=match["file"].strip())
    weight = _bare(match["weight"]) if match["weight"] else None
    return Step(source, _bare(match["type"]), target, direction, weight)


def _hop_text(step: Step) -> str:
    weight = f"{{{_quoted(step.weight)}}}" if step.weight else ""
    hop = f"[{step.file}]" if step.file else _quoted(step.type) + weight
    left, right = ("<-", "-") if step.direction == "in" else ("-", "->" if step.direction == "out" else "-")
    return f"{left}{hop}{right}{_quoted(step.target)}"


def _bare(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else f"`{name.replace('`', '``')}`"


def _unreadable(text: str, position: int) -> ParameterError:
    return ParameterError(
        f"relation {text!r} can not be read at {text[position:]!r}; write it as Kind-TYPE->Kind, "
        "for example Author-WROTE->Paper-IN->Conference"
    )
