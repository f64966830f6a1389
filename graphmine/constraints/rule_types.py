"""What a rule can look at: each a small value that says where links come from, and writes itself as text."""

import builtins
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphmine.checks import check_choice, check_integer, check_name, check_number
from graphmine.constraints.rule_checks import (
    LARGEST_NUMBER,
    check_above_zero,
    check_flag,
    check_keys,
    check_property_names,
)
from graphmine.constraints.rule_text import check_written
from graphmine.errors import ParameterError
from graphmine.model import Pattern
from graphmine.model.naming import written_number
from graphmine.model.pattern import write_property
from graphmine.model.values import Scalar, check_values

__all__ = [
    "Body", "Distance", "Key", "Known", "Order", "Path", "Runs", "Same", "Saved", "Scalar", "Shared", "Text", "These",
]  # fmt: skip

Key = str | int


@dataclass(frozen=True)
class Path:
    """A relationship or path, or a query file, between nodes of one kind, or of two: linked at all, or so often."""

    pattern: Pattern
    least: float | None = None
    mutual: bool = False
    options: ClassVar[tuple[str, ...]] = ("mutual",)

    def __post_init__(self) -> None:
        """Refuse a threshold that everything would reach."""
        check_flag("mutual", self.mutual)
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
        check_flag("jaccard", self.jaccard)
        object.__setattr__(self, "least", _threshold(str(self.pattern), self.least))
        if self.jaccard and self.least > 1:
            raise ParameterError(f"the rule jaccard {self.pattern}: a share is at most 1, was {self.least:g}")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind at the start of the path."""
        return (self.pattern.rows,)

    def __str__(self) -> str:
        return f"{'jaccard' if self.jaccard else 'shared'} {self.pattern}{_test('>=', self.least)}"


class _OfOneKind:
    """What rules about a property of one kind share."""

    kind: str

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind whose property it is."""
        return (self.kind,)


@dataclass(frozen=True)
class Same(_OfOneKind):
    """Nodes with the same value of a property, or with different ones, if need be only of some values.

    Of lists, a pair counts once for each value in common, and its weights add up: two towns say more than one.
    """

    kind: str
    property: str
    different: bool = False
    values: tuple[Scalar, ...] | None = None
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse values that no property can have."""
        check_property_names(self.kind, self.property)
        check_flag("different", self.different)
        if self.values is not None:
            word = "different" if self.different else "same"
            what = f"the rule {word} {write_property(self.kind, self.property)}"
            object.__setattr__(self, "values", tuple(check_values(what, self.values)))

    def __str__(self) -> str:
        among = "" if self.values is None else f" in {json.dumps(self.values, ensure_ascii=False)}"
        return f"{'different' if self.different else 'same'} {write_property(self.kind, self.property)}{among}"


@dataclass(frozen=True)
class Distance(_OfOneKind):
    """Nodes whose numbers in a property are so near, or so far apart."""

    kind: str
    property: str
    operator: str
    value: float
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse an invalid distance."""
        check_property_names(self.kind, self.property)
        check_choice("operator", self.operator, ("<=", ">="))
        value = check_number(f"the distance of {self.kind}.{self.property}", self.value, least=0, most=1e300)
        object.__setattr__(self, "value", value)

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
        """Refuse an invalid number of edits."""
        for kind, property_ in ((self.kind, self.property), *((self.other,) if self.other else ())):
            check_property_names(kind, property_)
        check_choice("operator", self.operator, ("<=", ">="))
        check_integer(f"the edit distance of {self.kind}.{self.property}", self.value, least=0, most=LARGEST_NUMBER)

    @builtins.property
    def kinds(self) -> tuple[str, ...]:
        """One kind, or two across kinds."""
        return tuple(dict.fromkeys((self.kind, self.other[0] if self.other else self.kind)))

    def __str__(self) -> str:
        other = f" {write_property(*self.other)}" if self.other else ""
        return f"text {write_property(self.kind, self.property)}{other}{_test(self.operator, self.value)}"


@dataclass(frozen=True)
class Known(_OfOneKind):
    """Classes known on a part of the nodes: together inside a class, apart between classes."""

    kind: str
    property: str
    fraction: float = 1.0
    options: ClassVar[tuple[str, ...]] = ("fraction",)

    def __post_init__(self) -> None:
        """Refuse an invalid fraction."""
        check_property_names(self.kind, self.property)
        object.__setattr__(self, "fraction", check_above_zero("fraction", self.fraction, 1))

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
        """Refuse invalid numbers."""
        check_written("run", self.run)
        check_integer("last", self.last, least=1)
        object.__setattr__(self, "decay", check_above_zero("decay", self.decay, 1))

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
        keys = {check_name("kind", kind): check_keys(kind, keys) for kind, keys in self.keys.items()}
        object.__setattr__(self, "keys", keys)

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
class Order(_OfOneKind):
    """The nodes of a kind in the order of a property."""

    kind: str
    property: str
    options: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse names that no database can carry."""
        check_property_names(self.kind, self.property)

    def __str__(self) -> str:
        return f"order {write_property(self.kind, self.property)}"


Body = Path | Shared | Same | Distance | Text | Known | Runs | These | Saved | Order


def _threshold(what: str, least: float) -> float:
    return check_above_zero(f"the threshold of {what}", least, LARGEST_NUMBER)


def _test(operator: str, value: float) -> str:
    return f" {operator} {written_number(value)}"
