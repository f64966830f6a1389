"""Compose the query that answers a question from what a user gives for its parameters.

What is not given comes from a run: its property, its kinds, its relation. A name is looked up in the database before it
goes into a query, so that both databases refuse a wrong one in the same words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from graphmine.checks import check_name, nearest
from graphmine.errors import GraphmineError, ParameterError
from graphmine.exchange.names import check_names
from graphmine.exchange.runs import Run
from graphmine.exchange.schema import find_key, find_kinds, find_properties, find_types, property_type
from graphmine.model import Filter, Pattern
from graphmine.questions.catalog import Parameter, Question
from graphmine.questions.fill import QuestionLinks, filled
from graphmine.questions.parameters import current_run, key_of, read_names, read_value, run_before
from graphmine.questions.relations import FORMS, oriented
from graphmine.store import Reader
from graphmine.store.tokens import one_statement, placeholders

__all__ = ["Query", "compose"]

_WORD = re.compile(r"(?P<owner>[A-Za-z_]\w*)\.(?P<word>[a-z]+)")


@dataclass(frozen=True)
class Query:
    """A query ready to be sent: its text, and the values of its parameters."""

    text: str
    values: Mapping[str, object]


def compose(tx: Reader, where: str, question: Question, given: Mapping[str, object]) -> Query:
    """Return the query that answers a question.

    Parameters
    ----------
    where
        How to name the database to a person.
    given
        Parameters and what they shall be; of each not given its default.
    """
    text = question.text(tx.database)
    if not one_statement(text):
        raise ParameterError(f"query {question.name} holds several statements, or none; it must be one")
    composer = _Composer(tx, where, question, given)
    for name in given:
        composer.find(name)
    names, values = placeholders(text)
    found = {name: composer.find(name) for name in names}
    links = {name: each for name, each in found.items() if isinstance(each, QuestionLinks)}
    quoted = {name: composer.as_name(each) for name, each in found.items() if not isinstance(each, QuestionLinks)}
    done, tests = filled(text, tx.database, quoted, links)
    return Query(done, {name: _as_value(composer.find(name)) for name in values} | tests)


def _as_value(found: object) -> object:
    match found:
        case Run():
            return found.id
        case QuestionLinks():
            return str(found.pattern)
        case _:
            return found


class _Composer:
    """What the parameters of one question stand for, found out one by one as they are asked for."""

    def __init__(self, tx: Reader, where: str, question: Question, given: Mapping[str, object]) -> None:
        self._tx, self._where, self._question, self._given = tx, where, question, given
        self._found: dict[str, object] = {}

    def find(self, name: str) -> object:
        """Return what a parameter stands for."""
        if name not in self._found:
            self._found[name] = self._resolved(self._question.parameter(name))
        return self._found[name]

    def as_name(self, found: object) -> str:
        """Return what goes into the text for a name."""
        if isinstance(found, list) and all(isinstance(each, str) for each in found):
            return self._tx.database.any_of(found)
        if not isinstance(found, str):
            raise ParameterError(f"query {self._question.name} uses a value as a name: {found!r}")
        return found

    def _resolved(self, parameter: Parameter) -> object:
        match parameter.sort:
            case "run":
                return self._run(parameter)
            case "kind":
                return self._kind(parameter, self._text(parameter))
            case "kinds":
                given = self._raw(parameter)
                return [self._kind(parameter, each) for each in read_names(self._what(parameter), given)]
            case "type":
                return self._known("relationship type", self._text(parameter), find_types(self._tx))
            case "property" | "number":
                return self._property(parameter, self._text(parameter))
            case "key":
                return self._key(parameter)
            case "pattern":
                return self._links(parameter)
            case "name":
                return check_name(self._what(parameter), self._text(parameter))
            case _:
                return read_value(self._what(parameter), self._type(parameter), self._raw(parameter))

    def _what(self, parameter: Parameter) -> str:
        return f"parameter {parameter.name} of query {self._question.name}"

    def _raw(self, parameter: Parameter) -> object:
        """Return what was given, else the default, else say that it is missing."""
        if parameter.name in self._given:
            return self._given[parameter.name]
        if parameter.default is None:
            meaning = f" ({parameter.meaning})" if parameter.meaning else ""
            raise ParameterError(
                f"query {self._question.name} needs the parameter {parameter.name}{meaning}; give it as "
                f"`query(…, {parameter.name}=…)`"
            )
        return self._word(parameter.default)

    def _text(self, parameter: Parameter) -> str:
        raw = self._raw(parameter)
        if not isinstance(raw, str):
            raise ParameterError(f"{self._what(parameter)} must be a name, was {raw!r}")
        return raw

    def _word(self, default: str) -> object:
        """Return what a default such as ``run.property`` or ``relation.start`` says; any other is what it is."""
        owner, word = self._split(default)
        if owner is None:
            return default
        found = self.find(owner)
        if isinstance(found, QuestionLinks):
            return {"start": found.pattern.rows, "end": found.pattern.cols}.get(word, default)
        assert isinstance(found, Run)
        if word == "previous":
            return run_before(self._tx, found).id
        return {"property": found.property, "kind": found.kinds[0], "kinds": list(found.kinds)}.get(word, default)

    def _split(self, default: str | None) -> tuple[str | None, str]:
        match = _WORD.fullmatch(default or "")
        owners = {each.name for each in self._question.parameters if each.sort in ("run", "pattern")}
        return (match["owner"], match["word"]) if match and match["owner"] in owners else (None, "")

    def _run(self, parameter: Parameter) -> Run:
        raw = self._raw(parameter)
        name = raw.id if isinstance(raw, Run) else raw
        if not isinstance(name, str):
            raise ParameterError(f"{self._what(parameter)} must be the name of a run, was {name!r}")
        return current_run(self._tx, self._where, name)

    def _kind(self, parameter: Parameter, name: str) -> str:
        check_name(self._what(parameter), name)
        return self._known("kind", name, self._kinds)

    @cached_property
    def _kinds(self) -> list[str]:
        return find_kinds(self._tx)

    def _known(self, what: str, name: str, known: list[str]) -> str:
        if name not in known:
            listed = nearest(name, known) or (f"; there are {', '.join(known)}" if known else "; it is empty")
            raise ParameterError(f"the database has no {what} {name!r}{listed}")
        return name

    def _owners(self, parameter: Parameter) -> list[tuple[str, ...]]:
        """Return the kinds that a property belongs to: every one of a list, any one within."""
        found = []
        for name in parameter.of:
            kind = self.find(name)
            found.append(tuple(kind) if isinstance(kind, list) else (str(kind),))
        return found

    def _property(self, parameter: Parameter, name: str) -> str:
        check_name(self._what(parameter), name)
        for kinds in self._owners(parameter):
            held = self._held(kinds, name)
            if held is None:
                known = [each for kind in kinds for each in find_properties(self._tx, kind)]
                raise ParameterError(f"{' or '.join(kinds)} has no property {name!r}{nearest(name, known)}")
            if parameter.sort == "number" and held not in ("integer", "float"):
                raise ParameterError(f"the property {name!r} of {kinds[0]} holds {held}, and it must be a number")
        return name

    def _held(self, kinds: tuple[str, ...], name: str) -> str | None:
        types = (property_type(self._tx, kind, name) for kind in kinds)
        return next((each for each in types if each is not None), None)

    def _key(self, parameter: Parameter) -> str:
        ((kind, *_),) = self._owners(parameter)
        if parameter.name in self._given or parameter.default is not None:
            return find_key(self._tx, kind, self._text(parameter))
        return self._key_of(kind, parameter.name)

    def _key_of(self, kind: str, name: str = "key") -> str:
        """Return what names the nodes of a kind: to the run that is asked about, if any, else to the database."""
        for run in [each for each in self._found.values() if isinstance(each, Run)]:
            if key := key_of(self._tx, run, kind):
                return key
        try:
            return find_key(self._tx, kind)
        except GraphmineError as error:
            raise ParameterError(f"the key of {kind} is not known; name it, as in `query(…, {name}=name)`") from error

    def _type(self, parameter: Parameter) -> str:
        """Return the type of a value; one of a property's is what the property holds."""
        if parameter.sort not in ("value", "values"):
            return parameter.sort
        (owner,) = parameter.of
        kinds = tuple(kind for each in self._owners(self._question.parameter(owner)) for kind in each)
        held = self._held(kinds, str(self.find(owner)))
        known = held if held in ("integer", "float", "text", "boolean") else "any"
        return f"{known}s" if parameter.sort == "values" else known

    def _links(self, parameter: Parameter) -> QuestionLinks:
        ends = {word: self._wanted(f"{parameter.name}.{word}") for word in ("start", "end")}
        owner, form = self._split(parameter.default)
        form = form if form in FORMS else "relation"
        filters: tuple[Filter, ...] = ()
        if parameter.name in self._given or owner is None:
            patterns, form, whose = [Pattern.parse(self._text(parameter))], "relation", "the relation"
        else:
            run = self.find(owner)
            assert isinstance(run, Run)
            patterns, whose = [Pattern.parse(each) for each in run.relations], f"the relation of run {run.id},"
            filters = tuple(Filter.parse(each) for each in run.filters)
        pattern = oriented(patterns, form, ends["start"], ends["end"], whose)
        check_names(self._tx, [pattern], [], {})
        return QuestionLinks(pattern, self._end_key(parameter, pattern), filters)

    def _wanted(self, default: str) -> str | None:
        """Return the kind that was given for an end of a relation, if one was."""
        for each in self._question.parameters:
            if each.default == default and each.name in self._given:
                return self._kind(each, self._text(each))
        return None

    def _end_key(self, parameter: Parameter, pattern: Pattern) -> str:
        if pattern.rows != pattern.cols:
            return ""  # only nodes of one kind are compared by their keys
        starts = [each.name for each in self._question.parameters if each.default == f"{parameter.name}.start"]
        for each in self._question.parameters:
            if each.sort == "key" and each.name in self._given and set(each.of) & set(starts):
                return find_key(self._tx, pattern.rows, self._text(each))
        return self._key_of(pattern.rows)
