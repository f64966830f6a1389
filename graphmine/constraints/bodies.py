"""What a rule can look at: each a small value that says where links come from, and writes itself as text."""

import builtins
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphmine.checks import check_choice, check_integer, check_name, check_number
from graphmine.errors import ParameterError
from graphmine.model import Pattern
from graphmine.model.pattern import write_property

__all__ = [
    "Body", "Distance", "Known", "Order", "Path", "Runs", "Same", "Saved", "Shared", "Text", "These", "check_written",
    "written_number",
]  # fmt: skip

Key = str | int
Scalar = str | int | float | bool


@dataclass(frozen=True)
class Path:
    """A relationship or path, or a query file, between nodes of one kind, or of two: linked at all, or so often."""

    pattern: Pattern
    least: float | None = None
    mutual: bool = False
    options: ClassVar[tuple[str, ...]] = ("mutual",)

    def __post_init__(self) -> None:
        """Refuse a threshold that everything would reach."""
        if self.least is not None:
            object.__setattr__(self, "least", _threshold(str(self.pattern), self.least))

    @property
    def kinds(self) -> tuple[str, ...]:
        """One kind, or two across kinds."""
        return tuple(dict.fromkeys((self.pattern.rows, self.pattern.cols)))

    def __str__(self) -> str:
        return f"{self.pattern}{'' if self.least is None else _test('>=', self.least)}"


@dataclass(frozen=True)
class Shared:
    """Neighbours in common at the end of a path: at least so many, or such a share of the neighbours of either."""

    pattern: Pattern
    least: float
    jaccard: bool = False
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a threshold that everything, or nothing, would reach."""
        object.__setattr__(self, "least", _threshold(str(self.pattern), self.least))
        if self.jaccard and self.least > 1:
            raise ParameterError(f"the rule jaccard {self.pattern}: a share is at most 1, was {self.least:g}")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind at the start of the path."""
        return (self.pattern.rows,)

    def __str__(self) -> str:
        return f"{'jaccard' if self.jaccard else 'shared'} {self.pattern}{_test('>=', self.least)}"


@dataclass(frozen=True)
class Same:
    """Nodes with the same value of a property, or with different ones, if need be only of some values."""

    kind: str
    property: str
    different: bool = False
    values: tuple[Scalar, ...] | None = None
    options: ClassVar[tuple[str, ...]] = ()

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """The kind whose property it is."""
        return (self.kind,)

    def __str__(self) -> str:
        among = "" if self.values is None else f" in {json.dumps(self.values, ensure_ascii=False)}"
        return f"{'different' if self.different else 'same'} {write_property(self.kind, self.property)}{among}"


@dataclass(frozen=True)
class Distance:
    """Nodes whose numbers in a property are so near, or so far apart."""

    kind: str
    property: str
    operator: str
    value: float
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a distance that does not exist."""
        check_choice("operator", self.operator, ("<=", ">="))
        value = check_number(f"the distance of {self.kind}.{self.property}", self.value, least=0)
        object.__setattr__(self, "value", value)

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """The kind whose property it is."""
        return (self.kind,)

    def __str__(self) -> str:
        return f"distance {write_property(self.kind, self.property)}{_test(self.operator, self.value)}"


@dataclass(frozen=True)
class Text:
    """Nodes whose texts are so alike, or so unlike, in edits: of one property, or of two, each node having one."""

    kind: str
    property: str
    operator: str
    value: int
    other: tuple[str, str] | None = None
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a number of edits that does not exist."""
        check_choice("operator", self.operator, ("<=", ">="))
        check_integer(f"the edit distance of {self.kind}.{self.property}", self.value, least=0)

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """One kind, or two across kinds."""
        return tuple(dict.fromkeys((self.kind, self.other[0] if self.other else self.kind)))

    def __str__(self) -> str:
        other = f" {write_property(*self.other)}" if self.other else ""
        return f"text {write_property(self.kind, self.property)}{other}{_test(self.operator, self.value)}"


@dataclass(frozen=True)
class Known:
    """Classes known on a part of the nodes: together inside a class, apart between classes."""

    kind: str
    property: str
    fraction: float = 1.0
    options: ClassVar[tuple[str, ...]] = ("fraction",)

    def __post_init__(self) -> None:
        """Refuse a fraction that is none."""
        if not check_number("fraction", self.fraction, least=0, most=1):
            raise ParameterError("fraction must be above 0, was 0")

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """The kind whose property it is."""
        return (self.kind,)

    def __str__(self) -> str:
        return f"known {write_property(self.kind, self.property)}"


@dataclass(frozen=True)
class Runs:
    """The clusters of an earlier run, or of the last few that wrote a property: together inside, apart between.

    Parameters
    ----------
    run
        A run's name or the beginning of it, ``last``, or the property that runs wrote.
    last
        How many of the runs of that property.
    decay
        How much a run weighs of the one after it.
    """

    run: str
    last: int = 1
    decay: float = 1.0
    options: ClassVar[tuple[str, ...]] = ("last", "decay")
    kinds: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        check_written("run", check_name("run", self.run))
        check_integer("last", self.last, least=1)
        if not check_number("decay", self.decay, least=0, most=1):
            raise ParameterError("decay must be above 0, was 0")

    def __str__(self) -> str:
        return f"run {self.run}"


@dataclass(frozen=True)
class These:
    """Nodes named by their keys: of one kind all with one another, of two each of the one with each of the other."""

    keys: Mapping[str, tuple[Key, ...]]
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse what names no nodes."""
        if not 1 <= len(self.keys) <= 2 or not all(self.keys.values()):
            raise ParameterError('the rule these takes one kind or two, as in these {"Author": ["Ann", "Bob"]}')

    @property
    def kinds(self) -> tuple[str, ...]:
        """One kind, or two across kinds."""
        return tuple(self.keys)

    def __str__(self) -> str:
        return f"these {json.dumps(self.keys, ensure_ascii=False)}"


@dataclass(frozen=True)
class Saved:
    """Constraints saved before, with the senses and weights they had."""

    path: str
    options: ClassVar[tuple[str, ...]] = ()
    kinds: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a file that no rule can name."""
        check_written("the file of a rule", self.path)

    def __str__(self) -> str:
        return f"file {self.path}"


@dataclass(frozen=True)
class Order:
    """The nodes of a kind in the order of a property."""

    kind: str
    property: str
    options: ClassVar[tuple[str, ...]] = ()

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """The kind whose property it is."""
        return (self.kind,)

    def __str__(self) -> str:
        return f"order {write_property(self.kind, self.property)}"


Body = Path | Shared | Same | Distance | Text | Known | Runs | These | Saved | Order


def _threshold(what: str, least: float) -> float:
    number = check_number(f"the threshold of {what}", least, least=0)
    if not 0 < number < float("inf"):
        raise ParameterError(f"the threshold of {what} must be a number above 0, was {least:g}")
    return number


def _test(operator: str, value: float) -> str:
    return f" {operator} {written_number(value)}"


def written_number(value: float) -> str:
    """Return a number as it is written in a rule, so that the same one is read.

    >>> written_number(10**12), written_number(3.0), written_number(0.1234567890123)
    ('1000000000000', '3', '0.1234567890123')
    """
    return str(value).removesuffix(".0")


def check_written(what: str, text: str) -> str:
    """Return a text that stands in a rule as it is, without quotes; what ends a part of a rule must not be in it.

    >>> check_written("name", "a; b")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: name must not hold a semicolon, or begin or end with a space, was 'a; b'
    """
    if ";" in text or text != text.strip():
        raise ParameterError(f"{what} must not hold a semicolon, or begin or end with a space, was {text!r}")
    return text
