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
from dataclasses import dataclass
from typing import Literal

from graphmine.checks import check_choice, check_name
from graphmine.errors import ParameterError

__all__ = ["Filter", "Pattern", "Step"]

Direction = Literal["out", "in", "both"]
Value = str | int | float | bool | list[str | int | float | bool]

_NAME = r"(?:\w+|`(?:[^`]|``)+`)"
_HOP = re.compile(
    rf"""\s*(?P<left><)?-\s*
    (?:\[(?P<file>[^\]]+)\] | (?P<type>{_NAME})\s*(?:\{{\s*(?P<weight>{_NAME})\s*\}})?)
    \s*-(?P<right>>)?\s*
    (?P<target>{_NAME})""",
    re.VERBOSE,
)
_START = re.compile(rf"\s*(?P<kind>{_NAME})")
_FILTER = re.compile(
    rf"\s*(?P<kind>{_NAME})\.(?P<property>{_NAME})\s*(?P<operator>>=|<=|!=|=|<|>|\bin\b)\s*(?P<value>.+?)\s*",
    re.DOTALL,
)
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in")


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
        if self.file is None:
            check_name("relationship type", self.type)
        if self.weight is not None:
            check_name("weight property", self.weight)


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
        if len(steps) > 1 and any(step.file for step in steps):
            raise ParameterError(f"relation {text!r} mixes a query file with other steps; a file is a whole relation")
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
        if isinstance(self.value, list) and (not self.value or len({type(each) for each in self.value}) > 1):
            raise ParameterError(f"filter {self.kind}.{self.property}: the list must hold values of one type")

    @classmethod
    def parse(cls, text: str) -> "Filter":
        """Read a filter from its short form; a value without quotes is a number, a truth value or text."""
        match = _FILTER.fullmatch(text)
        if match is None:
            raise ParameterError(f"filter {text!r} can not be read; write it as Kind.property >= value")
        return cls(_bare(match["kind"]), _bare(match["property"]), match["operator"], _value(match["value"]))

    def __str__(self) -> str:
        value = json.dumps(self.value, ensure_ascii=False)
        return f"{_quoted(self.kind)}.{_quoted(self.property)} {self.operator} {value}"


def _step(source: str, match: re.Match[str]) -> Step:
    direction: Direction = "in" if match["left"] else "out" if match["right"] else "both"
    target = _bare(match["target"])
    if match["file"]:
        if direction != "out":
            raise ParameterError("a query file is written Kind-[file.cypher]->Kind")
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


def _value(text: str) -> Value:
    if text.startswith("'") or (text.startswith("[") and "'" in text and '"' not in text):
        text = text.replace('"', '\\"').replace("'", '"')
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        if text[0] in "[{\"'":
            raise ParameterError(f"the value {text} can not be read; write a number, true, 'text' or [a, b]") from None
        return text
    if not isinstance(value, str | int | float | bool | list):
        raise ParameterError(f"the value {text} must be a number, true or false, text, or a list of them")
    checked: Value = value
    return checked


def _unreadable(text: str, position: int) -> ParameterError:
    return ParameterError(
        f"relation {text!r} can not be read at {text[position:]!r}; write it as Kind-TYPE->Kind, "
        "for example Author-WROTE->Paper-IN->Conference"
    )
