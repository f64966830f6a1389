"""The language of rules: what, in the graph, says that nodes belong together or apart.

::

    must Author-WROTE->Paper<-WROTE-Author >= 3     co-authors of at least three papers; any path of a kind with itself
    must User-FOLLOWS->User; mutual                 only where both follow
    must shared Author-WROTE->Paper-IN->Venue >= 2  at least two venues in common
    must jaccard Author-WROTE->Paper-IN->Venue >= 0.5   as a share of the venues of either
    must same Author.affiliation                    equal values; of lists, a value in common
    must same Author.country in ["DE", "FR"]        only these values
    cannot different Author.country                 unequal values
    must distance Author.age <= 2                   numbers this near; cannot … >= 30: this far
    must text Author.name <= 2                      edit distance; of two properties: Author.name Author.alias
    known Author.area; fraction 0.05                known classes of a part: together inside, apart between
    run last; weight 0.5                            the same with the clusters of an earlier run
    run area; last 3; decay 0.5                     of the last three runs that wrote area, each half of the next
    must across Author-CHAIRED->Venue               nodes of two kinds
    must these {"Author": ["Ann", "Bob"]}           by their keys; two kinds with `across`
    must Author-[pairs.cypher]->Author              a query that returns a, b and, if it likes, weight
    file saved.parquet                              constraints saved before
    order Paper.year                                not a link: the order of a kind, for methods that make intervals

After the rule, each behind a semicolon: ``hard`` or ``weight 2`` (soft, weight 1 without either), ``limit 1000`` (the
strongest links), ``sample 1000`` or ``sample 0.1`` with ``seed 1`` (drawn at random, before the limit), ``where
Paper.year >= 2010`` (any number of filters), ``name colleagues`` (for reports). ``same``, ``different``, ``known``,
``run`` and ``these`` link whole groups of nodes; there ``sample`` draws so many of the nodes, or such a share of them,
and ``limit`` keeps the largest groups.

A path without a test links whatever it joins. What a query returns as weight multiplies the weight of the rule, and is
what its test looks at.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from graphmine.checks import check_choice, check_name
from graphmine.constraints.bodies import (
    Body,
    Distance,
    Known,
    Order,
    Path,
    Runs,
    Same,
    Saved,
    Scalar,
    Shared,
    Text,
    These,
)
from graphmine.errors import ParameterError
from graphmine.model import Filter, Pattern, parse_property

__all__ = ["Said", "Sense", "read_rule"]

Sense = Literal["must", "cannot"]

_PART = re.compile(r"""(?: "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | `(?:[^`]|``)*` | [^;] )+""", re.VERBOSE)
_WORD = re.compile(r"\s*(?P<word>[a-z]+)\s+(?=[\w`{\[./~])")
_TEST = re.compile(r"(?P<body>.*?)\s*(?P<operator>>=|<=|(?<!-)>|<(?!-))\s*(?P<value>[^\s`\"'\]]+)\s*", re.DOTALL)
_AMONG = re.compile(r"(?P<property>.*?)\s+in\s+(?P<values>\[.*\])\s*", re.DOTALL)
_SPACED = re.compile(r"(?:`(?:[^`]|``)*`|\S)+")  # what stands between spaces, unless those are in backticks
_OF_BODIES = ("mutual", "fraction", "last", "decay")  # options that belong to a body, the others to the rule


@dataclass(frozen=True)
class Said:
    """What the text of a rule says."""

    body: Body
    sense: Sense | None = None
    across: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


def read_rule(text: object) -> Said:
    """Read a rule from its text.

    >>> read_rule("cannot different Author.country; hard")
    Said(body=Same(kind='Author', property='country', different=True, values=None), sense='cannot', across=False,
    options={'hard': True})
    """
    if not isinstance(text, str) or not text.replace(";", " ").strip():
        raise ParameterError("a rule is empty; write for example must Author-WROTE->Paper<-WROTE-Author >= 3")
    first, *rest = (part.strip() for part in _PART.findall(text))
    options = _options(text, [part for part in rest if part])
    words = set()
    while (match := _WORD.match(first)) and match["word"] in ("must", "cannot", "across"):
        words.add(match["word"])
        first = first[match.end() :]
    if {"must", "cannot"} <= words:
        raise ParameterError(f"the rule {text!r} says must and cannot; make two rules of it")
    body = _body(first)
    for name in [name for name in options if name in _OF_BODIES]:
        if name not in body.options:
            raise ParameterError(f"the rule '{body}' takes no {name}")
        body = replace(body, **{name: options.pop(name)})
    sense: Sense | None = "must" if "must" in words else "cannot" if "cannot" in words else None
    return Said(body, sense, "across" in words, options)


def _body(text: str) -> Body:
    match = _WORD.match(text)
    word, rest = (match["word"], text[match.end() :].strip()) if match else ("", text)
    match word:
        case "shared" | "jaccard":
            pattern, least = _threshold(word, rest)
            return Shared(Pattern.parse(pattern), 1.0 if least is None else least, word == "jaccard")
        case "same" | "different":
            among = _AMONG.fullmatch(rest)
            kind, property_ = parse_property(among["property"] if among else rest)
            return Same(kind, property_, word == "different", _values(rest, among["values"]) if among else None)
        case "distance":
            name, operator, value = _tested(word, rest)
            return Distance(*parse_property(name), operator, float(value))
        case "text":
            return _text(rest)
        case "known":
            return Known(*parse_property(rest))
        case "order":
            return Order(*parse_property(rest))
        case "run":
            return Runs(rest)
        case "file":
            return Saved(rest)
        case "these":
            return _these(rest)
        case _:
            pattern, least = _threshold("", text)
            return Path(Pattern.parse(pattern), least)


def _text(text: str) -> Text:
    names, operator, value = _tested("text", text)
    most = _as_whole(value)
    if most is None:
        raise ParameterError(f"the edit distance of {names} must be a whole number, was {value}")
    properties = [parse_property(name) for name in _SPACED.findall(names)]
    if len(properties) > 2:
        raise ParameterError(f"the rule text {text} compares two properties at most")
    return Text(*properties[0], operator, most, properties[1] if len(properties) == 2 else None)


def _these(text: str) -> These:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise ParameterError(
            f'the rule these {text} can not be read: {error}; write {{"Kind": ["key", "key"]}}'
        ) from None
    kinds = given.items() if isinstance(given, dict) else ()
    if not kinds or not all(
        isinstance(keys, list) and all(isinstance(key, str | int) and not isinstance(key, bool) for key in keys)
        for _, keys in kinds
    ):
        raise ParameterError(f'the rule these {text} can not be read; write {{"Kind": ["key", "key"]}}')
    return These({kind: tuple(keys) for kind, keys in kinds})


def _threshold(word: str, text: str) -> tuple[str, float | None]:
    match = _TEST.fullmatch(text)
    if match is None or _as_number(match["value"]) is None:
        return text, None
    if match["operator"] != ">=":
        raise ParameterError(f"the rule {word} {text}".replace("  ", " ") + " takes a least number, as in … >= 3")
    return match["body"], float(match["value"])


def _tested(word: str, text: str) -> tuple[str, str, str]:
    match = _TEST.fullmatch(text)
    if match is None or _as_number(match["value"]) is None or match["operator"] not in ("<=", ">="):
        raise ParameterError(f"the rule {word} {text} can not be read; write it as {word} Kind.property <= 2, or >= 10")
    return match["body"], match["operator"], match["value"]


def _values(text: str, values: str) -> tuple[Scalar, ...]:
    """Read a list as a filter does."""
    read = Filter.parse(f"Kind.property in {values}").value
    if not isinstance(read, list):
        raise ParameterError(f"the values of {text} can not be read; write them as [a, b]")
    return tuple(read)


def _options(rule: str, parts: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in parts:
        word, _, value = part.partition(" ")
        value = value.strip()
        if word == "where":
            options["where"] = (*options.get("where", ()), Filter.parse(value))
            continue
        check_choice(f"an option of the rule {rule!r}", word, (*_READ, "where"))
        if word in options:
            raise ParameterError(f"the rule {rule!r} says {word} twice")
        try:
            options[word] = _READ[word](value)
        except ValueError:
            raise ParameterError(f"the rule {rule!r} has a bad {word}: {value!r}") from None
    return options


def _flag(value: str) -> bool:
    if value:
        raise ValueError(value)
    return True


def _name(value: str) -> str:
    return check_name("name", value)


_READ: Mapping[str, Any] = {
    "hard": _flag, "weight": float, "limit": int, "sample": float, "seed": int, "name": _name,
    "mutual": _flag, "fraction": float, "last": int, "decay": float,
}  # fmt: skip


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _as_whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        return int(number) if number.is_integer() else None
