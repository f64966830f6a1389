"""Analysts' questions: query files whose head says what they answer and which parameters they take.

Those of graphmine live in ``queries/analyst/NAME.cypher``; where a database needs another text under the same head, it
has one in an ``analyst`` folder of its own. A user's own file may have the same head::

    // answers: The nodes of a cluster.
    // param kind (kind) = run.kind: the kind of node asked about
    // param cluster (value of property): the cluster
    // param limit (count) = 20: at most so many rows

A parameter is a name (``@kind`` in the text) or a value (``$limit``). What stands in brackets is its sort; without it,
the default decides.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graphmine.checks import nearest
from graphmine.errors import ParameterError
from graphmine.model.values import parse_value
from graphmine.store.database import Database, query_folders
from graphmine.store.tokens import placeholders

__all__ = ["NAMES", "VALUES", "Parameter", "Question", "find_question", "question_names"]

NAMES = ("kind", "kinds", "type", "property", "number", "key", "pattern", "name")
"""Sorts whose values are names that the database must have; ``number`` is a property that holds numbers."""
VALUES = ("integer", "count", "float", "text", "boolean", "integers", "floats", "texts", "value", "values", "any")
"""Sorts whose values are parameters of the query."""
_SORTS = ("run", *NAMES, *VALUES)
_NEED_OWNER = ("property", "number", "key", "value", "values")

_FOLDER = "analyst"
_PARAMETER = re.compile(
    r"param\s+(?P<name>[A-Za-z_]\w*)\s*(?:\((?P<sort>[^)]*)\))?\s*(?:=\s*(?P<default>.*?))?\s*:(?:\s+(?P<meaning>.*))?"
)
_ANSWERS = re.compile(r"answers\s*:\s*(?P<text>.*)")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a question.

    Parameters
    ----------
    name, meaning
        What it is called and what it means.
    sort, of
        What it takes, see `NAMES` and `VALUES`; and, of a property, key or value, the parameters that it belongs to.
    default
        As it is written; None if it has to be given.
    """

    name: str
    sort: str
    of: tuple[str, ...] = ()
    default: str | None = None
    meaning: str = ""

    @property
    def required(self) -> bool:
        """Whether it has to be given; keys can be found out."""
        return self.default is None and self.sort != "key"

    @property
    def sort_text(self) -> str:
        """The sort as it is written."""
        return f"{self.sort} of {' and '.join(self.of)}" if self.of else self.sort


@dataclass(frozen=True)
class Question:
    """A query file: what it answers, what it takes, and its text, of which another database may need another.

    Parameters
    ----------
    name
        The name of one that comes with graphmine, or the path of a user's own.
    answers, parameters
        What its head says, and the parameters that only its text names.
    source
        The file as it stands.
    own
        Whether it is a user's own.
    """

    name: str
    answers: str
    parameters: tuple[Parameter, ...]
    source: str
    own: bool = False

    def text(self, database: Database) -> str:
        """Return the text for a database."""
        return self.source if self.own else database.source(f"{_FOLDER}/{self.name}")

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of a name, or say which one was probably meant."""
        for each in self.parameters:
            if each.name == name:
                return each
        known = [each.name for each in self.parameters]
        there = f"it has {', '.join(known)}" if known else "it has none"
        raise ParameterError(f"query {self.name} has no parameter {name!r}{nearest(name, known)}; {there}")


def question_names() -> list[str]:
    """Return the names of the questions that come with graphmine.

    >>> question_names()[:3]
    ['around', 'between', 'bridges']
    """
    return sorted({path.stem for folder in query_folders() for path in (folder / _FOLDER).glob("*.cypher")})


def find_question(name: str) -> Question:
    """Return the question of a name, or the one in a file: a path ends with ``.cypher`` or holds a slash.

    >>> find_question("sizes").answers
    'How many nodes of each kind are in each cluster.'
    >>> find_question("size")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: there is no query 'size' (did you mean 'sizes'?); `queries()` shows
    them all, and a file of your own is named by its path, such as ./size.cypher
    """
    if name.endswith(".cypher") or "/" in name or "\\" in name:
        return _read(name, _own_text(name), own=True)
    if name not in question_names():
        raise ParameterError(
            f"there is no query {name!r}{nearest(name, question_names())}; `queries()` shows them all, "
            f"and a file of your own is named by its path, such as ./{name or 'mine'}.cypher"
        )
    return _shipped(name)


@cache
def _shipped(name: str) -> Question:
    return _read(name, Database().source(f"{_FOLDER}/{name}"))


def _own_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParameterError(f"the query file {path} is not UTF-8: {error.reason} at byte {error.start}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ParameterError(f"the query file {path} can not be read: {why}") from error


def _read(name: str, source: str, *, own: bool = False) -> Question:
    answers: list[str] = []
    said: dict[str, Parameter] = {}
    for line in _head(source):
        if line.startswith("param ") and (match := _PARAMETER.fullmatch(line)):
            if match["name"] in said:
                raise ParameterError(f"query {name} describes its parameter {match['name']} twice")
            said[match["name"]] = _parameter(name, match)
        elif match := _ANSWERS.fullmatch(line):
            answers.append(match["text"])
        elif answers and line and not said:
            answers.append(line)  # a sentence that goes on
    for each in said.values():
        for owner in each.of:
            if owner not in said:
                raise ParameterError(f"query {name}: the parameter {each.name} is of {owner!r}, which is no parameter")
    names, values = placeholders(source)
    for each_name, sort in [*((each, "name") for each in names), *((each, "any") for each in values)]:
        said.setdefault(each_name, Parameter(each_name, sort))
    return Question(name, " ".join(answers), tuple(said.values()), source, own)


def _head(source: str) -> Iterable[str]:
    """Yield the comments before the first other line."""
    for line in source.splitlines():
        if line.strip() and not line.lstrip().startswith("//"):
            return
        yield line.strip().removeprefix("//").strip()


def _parameter(question: str, match: re.Match[str]) -> Parameter:
    name, default = match["name"], match["default"]
    sort, _, owners = (match["sort"] or "").strip().partition(" of ")
    of = tuple(each.strip() for each in owners.split(" and ") if each.strip())
    if not sort:
        sort = "any" if default is None else _sort_of(default)
    if sort not in _SORTS or bool(of) != (sort in _NEED_OWNER):
        raise ParameterError(
            f"query {question}: the sort ({match['sort']}) of its parameter {name} is unknown; there are run, "
            f"{', '.join(f'{each} of X' if each in _NEED_OWNER else each for each in (*NAMES, *VALUES))}"
        )
    return Parameter(name, sort, of, default, (match["meaning"] or "").strip())


def _sort_of(default: str) -> str:
    value = parse_value(default)
    first = (value[0] if value else "") if isinstance(value, list) else value
    sorts = {bool: "boolean", int: "integer", float: "float", str: "text"}
    found = sorts.get(type(first), "any")
    return f"{found}s" if isinstance(value, list) and found != "boolean" else found
