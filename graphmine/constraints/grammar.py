"""The language of rules: texts that say which nodes of the graph belong together or apart.

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
    must Author-[pairs.cypher]->Author              a query that returns a, b and optionally weight
    must Author~knn(age; neighbours 1) >= 0.9       nodes alike by their numbers, see `graphmine.model.similarity`
    file saved.parquet                              constraints saved before
    order Paper.year                                not a link: the order of a kind, for methods that make intervals

After the rule, each behind a semicolon: ``hard`` or ``weight 2`` (soft, weight 1 without either), ``limit 1000`` (the
strongest links), ``sample 1000`` or ``sample 0.1`` with ``seed 1`` (drawn at random, before the limit), ``where
Paper.year >= 2010`` (any number of filters), ``name colleagues`` (for reports), ``repeats`` or ``independent`` (whether
the links come from the same records as the relation; found out without either). ``same``, ``different``, ``known``,
``run`` and ``these`` link whole groups of nodes; there ``sample`` draws so many of the nodes, or such a share of them,
and ``limit`` keeps the largest groups.

For lists, ``same`` counts a pair once for each value in common, and the weights add up.

Quotes open a text where a value begins, and nowhere else, so that a semicolon may stand in ``where Author.name =
"a; b"``, in ``name "a; b"``, in lists, and in names in backticks.

A path without a test links whatever it joins. What a query returns as weight multiplies the weight of the rule, and is
what its test looks at.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from graphmine.checks import check_choice, nearest
from graphmine.constraints.rule_text import HOP, abbreviated, read_name, split_rule
from graphmine.constraints.rule_types import (
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
from graphmine.model.naming import NAME
from graphmine.model.values import parse_value

__all__ = ["ParsedRule", "Sense", "read_rule"]

Sense = Literal["must", "cannot"]

_WORD = re.compile(rf"\s*(?P<word>\w+)(?=[\s{{\[]|\Z)(?!\s*{HOP})\s*")  # a word before a hop is a kind
_TEST = re.compile(r"(?P<body>.*?)\s*(?P<operator>>=|<=|(?<!-)>|<(?!-))\s*(?P<value>[^\s`\"'\]]+)\s*", re.DOTALL)
_AMONG = re.compile(rf"\s*(?P<property>{NAME}\.{NAME})\s*\bin\b\s*(?P<values>.*)", re.DOTALL)
_SPACED = re.compile(r"(?:`(?:[^`]|``)*`|\S)+")  # what stands between spaces, unless those are in backticks
_FORMS = {
    "shared": "shared Kind-TYPE->Kind >= 2", "jaccard": "jaccard Kind-TYPE->Kind >= 0.5",
    "same": "same Kind.property", "different": "different Kind.property",
    "distance": "distance Kind.property <= 2, or >= 10", "text": "text Kind.property <= 2, or >= 10",
    "known": "known Kind.property", "run": "run last", "these": 'these {"Kind": ["key", "key"]}',
    "order": "order Kind.property", "file": "file saved.parquet",
}  # fmt: skip
_OF_BODIES = ("mutual", "fraction", "last", "decay")  # options that belong to a body, the others to the rule


@dataclass(frozen=True)
class ParsedRule:
    """The parts of a rule, as read from its text."""

    body: Body
    sense: Sense | None = None
    across: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


def read_rule(text: object) -> ParsedRule:
    """Read a rule from its text.

    >>> read_rule("cannot different Author.country; hard")
    ParsedRule(body=Same(kind='Author', property='country', different=True, values=None), sense='cannot', across=False,
    options={'hard': True})
    """
    if not isinstance(text, str) or not text.replace(";", " ").strip():
        raise ParameterError("a rule is empty; write for example must Author-WROTE->Paper<-WROTE-Author >= 3")
    _check_text(text)
    first, *rest = split_rule(text)
    options = _options(text, rest)
    words: list[str] = []
    while (match := _WORD.match(first)) and match["word"] in ("must", "cannot", "across"):
        words.append(match["word"])
        first = first[match.end() :]
    if {"must", "cannot"} <= set(words):
        raise ParameterError(f"the rule {abbreviated(text)} says must and cannot; make two rules of it")
    body = _body(text, first)
    for name in [name for name in options if name in _OF_BODIES]:
        if name not in body.options:
            raise ParameterError(f"the rule '{body}' takes no {name}")
        body = replace(body, **{name: options.pop(name)})
    sense: Sense | None = "must" if "must" in words else "cannot" if "cannot" in words else None
    return ParsedRule(body, sense, "across" in words, options)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ParameterError(
            f"the rule {abbreviated(text)} holds characters that are no text; write it in UTF-8"
        ) from None


def _body(rule: str, text: str) -> Body:
    match = _WORD.match(text)
    if text and match is None:
        pattern, least = _threshold("", text)
        return Path(Pattern.parse(pattern), least)
    word, rest = (match["word"], text[match.end() :]) if match else ("", "")
    if word not in _FORMS:
        raise _no_rule(rule, word)
    if not rest:
        raise _unreadable(word, rest)
    return _of_word(word, rest)


def _of_word(word: str, rest: str) -> Body:
    match word:
        case "shared" | "jaccard":
            pattern, least = _threshold(word, rest)
            return Shared(Pattern.parse(pattern), 1.0 if least is None else least, word == "jaccard")
        case "same" | "different":
            among = _AMONG.fullmatch(rest)
            kind, property_ = parse_property(among["property"] if among else rest)
            return Same(kind, property_, word == "different", _values(word, rest, among["values"]) if among else None)
        case "distance":
            name, operator, value = _tested(word, rest)
            return Distance(*parse_property(name), operator, float(value))
        case "text":
            return _text(rest)
        case "these":
            return _these(rest)
        case "run":
            return Runs(rest)
        case "file":
            return Saved(rest)
        case "known":
            return Known(*parse_property(rest))
        case _:
            return Order(*parse_property(rest))


def _no_rule(rule: str, word: str) -> ParameterError:
    linking = ", ".join(list(_FORMS)[:-2])
    return ParameterError(
        f"the rule {abbreviated(rule)} can not be read; a rule is must or cannot, then a path or one of {linking}, "
        f"or order, file{nearest(word, (*_FORMS, 'must', 'cannot', 'across')) if word else ''}"
    )


def _unreadable(word: str, rest: str, where: str = "") -> ParameterError:
    rule = abbreviated(f"{word} {rest}".strip())
    return ParameterError(f"the rule {rule} can not be read{where}; write it as {_FORMS[word]}")


def _text(text: str) -> Text:
    names, operator, value = _tested("text", text)
    most = _as_whole(value)
    if most is None:
        raise ParameterError(f"the edit distance of {names} must be a whole number, was {value}")
    properties = [parse_property(name) for name in _SPACED.findall(names)]
    if len(properties) > 2:
        raise ParameterError(f"the rule {abbreviated(f'text {text}')} compares two properties at most")
    return Text(*properties[0], operator, most, properties[1] if len(properties) == 2 else None)


def _these(text: str) -> These:
    try:
        given = json.loads(text, object_pairs_hook=tuple)  # a dict would lose the keys of a kind named twice
    except json.JSONDecodeError as error:
        raise _unreadable("these", text, f" at {abbreviated(text[error.pos :])}") from None
    except (ValueError, RecursionError):
        raise _unreadable("these", text) from None
    if not given or not isinstance(given, tuple) or not all(isinstance(keys, list) for _, keys in given):
        raise _unreadable("these", text)
    kinds = [kind for kind, _ in given]
    if len(set(kinds)) < len(kinds):
        raise ParameterError(f"the rule {abbreviated(f'these {text}')} names a kind twice; put its keys into one list")
    return These({kind: tuple(keys) for kind, keys in given})


def _threshold(word: str, text: str) -> tuple[str, float | None]:
    match = _TEST.fullmatch(text)
    if match is None or _as_number(match["value"]) is None:
        return text, None
    if word and not match["body"]:
        raise _unreadable(word, text)
    if match["operator"] != ">=":
        rule = abbreviated(f"{word} {text}".strip())
        raise ParameterError(f"the rule {rule} takes a least number, as in … >= 3")
    return match["body"], float(match["value"])


def _tested(word: str, text: str) -> tuple[str, str, str]:
    match = _TEST.fullmatch(text)
    if match is None or not match["body"] or _as_number(match["value"]) is None or match["operator"] in ("<", ">"):
        raise _unreadable(word, text)
    return match["body"], match["operator"], match["value"]


def _values(word: str, text: str, values: str) -> tuple[Scalar, ...]:
    read = parse_value(values)
    if not isinstance(read, list):
        raise ParameterError(f"the rule {abbreviated(f'{word} {text}')} can not be read; write its values as in [a, b]")
    return tuple(read)


def _options(rule: str, parts: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in parts:
        word, value = (*part.split(maxsplit=1), "")[:2]
        if word == "where":
            options["where"] = (*options.get("where", ()), Filter.parse(value))
            continue
        check_choice(f"an option of the rule {abbreviated(rule)}", word, (*_READ, "where"))
        if word in options:
            raise ParameterError(f"the rule {abbreviated(rule)} says {word} twice")
        try:
            options[word] = _READ[word](value)
        except ParameterError:
            raise
        except ValueError:
            raise ParameterError(f"the rule {abbreviated(rule)} has a bad {word}: {abbreviated(value)}") from None
    if options.pop("independent", False):
        if "repeats" in options:
            raise ParameterError(f"the rule {abbreviated(rule)} says repeats and independent; leave one of them out")
        options["repeats"] = False
    return options


def _flag(value: str) -> bool:
    if value:
        raise ValueError(value)
    return True


_READ: Mapping[str, Any] = {
    "hard": _flag, "weight": float, "limit": int, "sample": float, "seed": int, "name": read_name,
    "repeats": _flag, "independent": _flag, "mutual": _flag, "fraction": float, "last": int, "decay": float,
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
