"""A first job for a database: what it holds, what can be mined, and every field with what it means."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from graphmine.errors import DataError
from graphmine.exchange.schema import Kind, Schema, View
from graphmine.job.evolution import EVOLVE_FIELDS, MEMORY, Timeline
from graphmine.job.job import Job
from graphmine.job.schema import ABOUT, EXAMPLES
from graphmine.methods.catalog import CATALOG, takers
from graphmine.methods.n_clusters import AUTO
from graphmine.model import Pattern
from graphmine.model.pattern import write_property

__all__ = ["draft"]

_MOST_VIEWS = 20
_CLASSES = re.compile(r"known|class|label|categor|area|topic|club|group|communit|genre|truth", re.IGNORECASE)
_TIME = re.compile(r"year|time|date|day|since", re.IGNORECASE)
_NAMING = re.compile(r"name|id|key|title|code", re.IGNORECASE)
_OTHER = "  # an example"
_HEAD = """\
# A job for graphmine: `graphmine job check FILE` says what is wrong with it, `graphmine mine FILE` runs it.
# A line that begins with # says nothing; take the # away where you want what follows.
# For an editor that knows JSON schemas (docs/jobs.md): `graphmine job schema > job.schema.json`, and as the first line
#   #:schema ./job.schema.json
"""


def draft(schema: Schema, db: str | None = None) -> str:
    """Return a commented TOML for a database, which can be run as it is: the first view that some method takes.

    Parameters
    ----------
    schema
        What the database holds.
    db
        What to write down as its address, if anything.
    """
    views = [view for view in schema.views() if _takers(view)]
    if not views:
        told = "no relationship joins its nodes" if schema.kinds else "the database holds no nodes"
        raise DataError(
            f"there is nothing to mine yet, as {told}; `graphmine load` brings a network, and numbers that nodes carry "
            "make a relation too, as in Wine~rbf(hue)"
        )
    first, others = _keyed(views, schema), views
    parts = [
        _HEAD,
        *_held(schema),
        *_relation(first, [view for view in others if view is not first]),
        *_told("n_clusters", f"n_clusters = {_written(AUTO)}"),
        *_method(first),
        *_where(first, schema),
        *_constrain(first, schema),
        *(line for each in fields(Job) if each.name not in _TOLD for line in _told(each.name, f"# {_default(each)}")),
        *_told("db", f"{'' if db else '# '}db = {_written(db or EXAMPLES['db'])}"),
        *_evolve(first, schema),
        *_fits(),
    ]
    return "\n".join(parts).rstrip() + "\n"


_TOLD = ("relation", "n_clusters", "method", "param", "where", "key", "constrain", "db", "name")
"""The fields for which there is more to say than their defaults."""


def _keyed(views: Sequence[View], schema: Schema) -> View:
    """Return the first view of which the keys are known, else the first."""
    keyed = {kind.name for kind in schema.kinds if kind.key is not None}
    return next((view for view in views if _kinds(view) <= keyed), views[0])


def _kinds(view: View) -> set[str]:
    return {kind for pattern in view.patterns for kind in pattern.kinds}


def _takers(view: View) -> list[str]:
    return takers(len(view.patterns), one_kind=view.of_one_kind)


def _held(schema: Schema) -> Iterator[str]:
    yield "# The database holds"
    for kind in schema.kinds:
        key = f", named by {kind.key}" if kind.key else ", and does not say what names them"
        carried = ", ".join(f"{name} ({type_})" for name, type_ in kind.properties.items())
        yield _comment(f"  {kind.count} {kind.name}{key}: {carried}")
    for link in schema.links:
        carried = ", ".join(f"{name} ({type_})" for name, type_ in link.properties.items())
        yield _comment(f"  {link.count} {Pattern((link.step_from(link.source),))}{': ' if carried else ''}{carried}")
    yield ""


def _relation(first: View, others: Sequence[View]) -> Iterator[str]:
    yield _comment(ABOUT["relation"])
    yield f"relation = {_of(first)}"
    for view in others[:_MOST_VIEWS]:
        yield f"# relation = {_of(view)}"
    if len(others) > _MOST_VIEWS:
        yield f"# and {len(others) - _MOST_VIEWS} more, which `graphmine schema` lists"
    yield ""


def _of(view: View) -> str:
    texts = [str(pattern) for pattern in view.patterns]
    return _written(texts[0] if len(texts) == 1 else texts)


def _method(first: View) -> Iterator[str]:
    able = _takers(first)
    usual = Job.method in able
    yield _comment(ABOUT["method"])
    for name, each in CATALOG.items():
        others = "" if name in able else ", not of the relation above"
        yield _comment(f"  {name:<9} {each.traits.title}{others}")
    yield f"{'# ' if usual else ''}method = {_written(Job.method if usual else able[-1])}"
    yield ""
    yield _comment(f"{ABOUT['param']} As in")
    for name, each in CATALOG.items():
        given = {field.name: field.default for field in fields(each) if field.name != "n_clusters"}
        plain = {name: value for name, value in given.items() if value is not None}
        if plain:
            yield f"# param = {_written(plain)}  # {name}"
    yield ""


def _where(first: View, schema: Schema) -> Iterator[str]:
    through = _kinds(first)
    yield _comment(ABOUT["where"])
    for each in _numbers(first, schema) or [""]:
        test = f"{each} >= {2000 if _TIME.search(each) else 0}" if each else EXAMPLES["where"]
        yield f"# where = {_written(test)}{'' if each else _OTHER}"
    yield ""
    yield _comment(ABOUT["key"])
    unknown = [kind for kind in schema.kinds if kind.name in through and kind.key is None]
    guesses = [write_property(kind.name, _likely_key(kind)) for kind in unknown if kind.properties]
    if guesses:
        yield "# A guess, by the names of the properties:"
        yield f"key = {_written(guesses)}"
    else:
        yield f"# key = {_written(EXAMPLES['key'])}{_OTHER}"
    yield ""


def _numbers(first: View, schema: Schema) -> list[str]:
    """Return the properties that hold numbers and name nothing, of the kinds that a view goes through."""
    return [
        write_property(kind.name, name)
        for kind in schema.kinds
        for name, type_ in kind.properties.items()
        if kind.name in _kinds(first) and type_ in ("integer", "float") and name != kind.key
    ]


def _likely_key(kind: Kind) -> str:
    return next((name for name in kind.properties if _NAMING.search(name)), next(iter(kind.properties)))


def _constrain(first: View, schema: Schema) -> Iterator[str]:
    ends = {end for pattern in first.patterns for end in (pattern.rows, pattern.cols)}
    yield _comment(ABOUT["constrain"])
    known = [
        write_property(kind.name, name)
        for kind in schema.kinds
        for name in kind.properties
        if kind.name in ends and name != kind.key and _CLASSES.search(name)
    ]
    if known:
        yield "# By their names, these may hold known classes; they also go with --truth of `graphmine score`."
    for each in known:
        yield f"# constrain = {_written(f'known {each}; fraction 0.1')}"
    if not known:
        yield f"# constrain = {_written(EXAMPLES['constrain'])}{_OTHER}"
    yield ""


def _evolve(first: View, schema: Schema) -> Iterator[str]:
    usual = {**{each.name: each.default for each in fields(Timeline)}, "memory": MEMORY}
    usual["by"] = next((each for each in _numbers(first, schema) if _TIME.search(each)), None)
    for name in EVOLVE_FIELDS:
        known = usual[name] not in (None, MISSING)
        yield from _told(
            name, f"# {name} = {_written(usual[name] if known else EXAMPLES[name])}{'' if known else _OTHER}"
        )


def _fits() -> Iterator[str]:
    yield from _told("fit", '# [[fit]]\n# name = "plain"\n# [[fit]]\n# method = "scm"\n# param = {delta = 2}')


def _told(name: str, line: str) -> Iterator[str]:
    yield _comment(ABOUT[name])
    yield line
    yield ""


def _default(field: Field[Any]) -> str:
    value = EXAMPLES[field.name] if field.default in (None, MISSING) else field.default
    return f"{field.name} = {_written(value)}"


def _comment(text: str) -> str:
    """Return a comment of one line, whatever names it holds."""
    return "# " + "".join(each if each.isprintable() else "·" for each in text)


def _written(value: object) -> str:
    """Return a value as TOML.

    >>> _written("naïve `a`"), _written(True), _written(["a", 1.5]), _written({"lambda": 0.1})
    ('"naïve `a`"', 'true', '["a", 1.5]', '{lambda = 0.1}')
    """
    match value:
        case dict():
            return "{" + ", ".join(f"{name} = {_written(each)}" for name, each in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_written, value)) + "]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return json.dumps(value)
