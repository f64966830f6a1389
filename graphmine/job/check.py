"""Everything that is wrong with the fields of a job: all of it at once, and each thing said once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from graphmine.checks import check_choice, check_integer, check_name, nearest
from graphmine.closure.resolve import RESOLUTIONS
from graphmine.constraints.rules import Rule, read_rules
from graphmine.errors import ParameterError
from graphmine.job.method_checks import check_method, check_parameters, takes_number
from graphmine.job.mistakes import Mistake, Noted
from graphmine.job.toml_lines import Place
from graphmine.methods.catalog import CATALOG, DEFAULT_METHOD
from graphmine.methods.n_clusters import AUTO, RequestedClusters, check_requested
from graphmine.model import Filter, Pattern, parse_property

__all__ = [
    "AS_THEY_COME",
    "DEFAULT_WAY_OUT",
    "NEEDED",
    "Parsed",
    "check_field",
    "kinds_of",
    "parse_fields",
    "read_keys",
    "relation_keys",
    "texts",
]


T = TypeVar("T")

AS_THEY_COME = "none"
"""What to align clusters to that are to keep the numbers the method gave them."""
DEFAULT_WAY_OUT = "error"

NEEDED = {
    "relation": ", such as Author-WROTE->Paper-IN->Conference",
    "n_clusters": f"; {AUTO!r} chooses it from the data",
}
"""The fields that a job can not do without, and what to say of them."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """The fields of one job, read; what is wrong or missing is left out.

    Parameters
    ----------
    mistakes
        All that is wrong with the fields; what depends on a wrong field is not judged.
    n_clusters
        None where it is wrong or missing.
    """

    mistakes: Sequence[Mistake]
    patterns: tuple[Pattern, ...]
    filters: tuple[Filter, ...]
    keys: Mapping[str, str]
    rules: tuple[Rule, ...]
    n_clusters: RequestedClusters | None


def parse_fields(values: Mapping[str, Any], *, fitted: bool = True) -> Parsed:
    """Read the fields of one job and note all that is wrong with them.

    Parameters
    ----------
    values
        The fields by their names.
    fitted
        Whether a method is to fit the job. Otherwise n_clusters may be missing, and no method has to take what is
        asked for.

    Examples
    --------
    >>> wrong = {"relation": "A-T->B", "n_clusters": 0, "seed": -1, "method": "sco", "param": {"delta": 1}}
    >>> [mistake.field for mistake in parse_fields(wrong).mistakes]
    ['n_clusters', 'seed', 'method']
    """
    noted = Noted()
    for name, said in NEEDED.items():
        if name not in values and (fitted or name != "n_clusters"):
            noted.note((name,), ParameterError(f"it needs a field {name!r}{said}"))
    patterns = _each(noted, "relation", values, Pattern.parse) if "relation" in values else None
    if patterns == []:
        missing = "relation is missing; write for example Author-WROTE->Paper-IN->Conference"
        noted.note(("relation",), ParameterError(missing))
    filters = _each(noted, "where", values, Filter.parse)
    keys = None
    if _each(noted, "key", values, parse_property) is not None:
        keys = noted.attempt(("key",), read_keys, texts("key", values.get("key", ())))
    rules = _rules(noted, values)
    asked = _asked(noted, values, kinds_of(patterns) if patterns else None)
    _check_plain(noted, values)
    method, param = _method(noted, values)
    if method is not None and fitted:
        _check_fit(noted, method, param, patterns or [], rules, asked)
    if asked is not None and values.get("hierarchy") is True:
        noted.attempt(("hierarchy",), _check_leaves, asked)
    if values.get("hierarchy") is True and values.get("align") not in (None, AS_THEY_COME):
        follows_none = "the clusters of a taxonomy are numbered by the way it was split, so they follow no run"
        noted.note(("align",), ParameterError(f"{follows_none}; leave align or hierarchy out"))
    return Parsed(noted.mistakes, tuple(patterns or ()), tuple(filters or ()), keys or {}, tuple(rules.values()), asked)


def check_field(name: str, known: Sequence[str]) -> None:
    """Refuse an unknown field.

    >>> check_field("n_cluster", ["relation", "n_clusters"])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: unknown field 'n_cluster' (did you mean 'n_clusters'?)
    """
    if name not in known:
        meant = " (did you mean 'n_clusters'?)" if name == "k" else nearest(name, known)
        raise ParameterError(f"unknown field {name!r}{meant}")


def kinds_of(patterns: Sequence[Pattern]) -> tuple[str, ...]:
    """Return the kinds that get clusters: those at the ends of relations."""
    return tuple(dict.fromkeys(kind for pattern in patterns for kind in (pattern.rows, pattern.cols)))


def read_keys(texts: Sequence[str]) -> dict[str, str]:
    """Read keys: one property for each kind.

    >>> read_keys(["Author.name", "`odd kind`.id"])
    {'Author': 'name', 'odd kind': 'id'}
    """
    pairs = list(map(parse_property, texts))
    if len(dict(pairs)) < len(pairs):
        raise ParameterError(f"key names a kind twice: {', '.join(texts)}")
    return dict(pairs)


def relation_keys(patterns: Sequence[Pattern], keys: Mapping[str, str], rules: Sequence[Rule]) -> dict[str, str]:
    """Return the keys of the kinds that relations go through; the others are for rules, if these go through them.

    >>> relation_keys([Pattern.parse("A-T->B")], {"A": "name"}, [])
    {'A': 'name'}
    >>> relation_keys([Pattern.parse("A-T->B")], {"C": "name"}, [])
    Traceback (most recent call last):
    graphmine.errors.ParameterError: key C.name: no relation and no rule goes through a kind 'C'
    """
    used = {kind for pattern in patterns for kind in pattern.kinds}
    for kind, key in keys.items():
        if kind not in used and not any(kind in rule.reads for rule in rules):
            raise ParameterError(f"key {kind}.{key}: no relation and no rule goes through a kind {kind!r}")
    return {kind: key for kind, key in keys.items() if kind in used}


def texts(name: str, given: object) -> tuple[str, ...]:
    """Return the texts of a field; a single text counts as a list of one."""
    values = (given,) if isinstance(given, str) else given
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise ParameterError(f"{name} must be text or a list of texts, was {given!r}")
    return tuple(values)


def _items(name: str, given: object) -> Iterator[tuple[Place, Any]]:
    """Yield the items of a field with their places; a single item counts as a list of one."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        yield from (((name, number), item) for number, item in enumerate(given))
    else:
        yield (name,), given


def _each(noted: Noted, name: str, values: Mapping[str, Any], read: Callable[[str], T]) -> list[T] | None:
    """Return the items of a field, read; None where one can not be."""
    given, before, found = values.get(name, ()), len(noted.mistakes), []
    for place, item in _items(name, given):
        if isinstance(item, str):
            found.append(noted.attempt(place, read, item))
        else:
            noted.attempt(place, texts, name, given)
    return [each for each in found if each is not None] if len(noted.mistakes) == before else None


def _rules(noted: Noted, values: Mapping[str, Any]) -> dict[Place, Rule]:
    """Return the rules that can be read, by their places."""
    given = values.get("constrain", ())
    found: dict[Place, Rule] = {}
    for place, item in _items("constrain", given):
        if isinstance(item, str | Rule):
            (rule,) = noted.attempt(place, read_rules, item) or (None,)
            if rule is not None and any(rule.name == known.name for known in found.values()):
                noted.attempt(place, read_rules, [rule, rule])
            elif rule is not None:
                found[place] = rule
        else:
            noted.attempt(place, read_rules, given)
    return found


def _asked(noted: Noted, values: Mapping[str, Any], kinds: tuple[str, ...] | None) -> RequestedClusters | None:
    """Return the number of clusters; None where it is wrong. Without kinds, any may be named."""
    given = values.get("n_clusters")
    if "n_clusters" not in values:
        return None
    if not isinstance(given, Mapping):
        return noted.attempt(("n_clusters",), check_requested, given, kinds or ())
    kinds = tuple(map(str, given)) if kinds is None else kinds
    before = len(noted.mistakes)
    for kind, number in given.items():
        one = {**dict.fromkeys(kinds, 1), kind: number}
        noted.attempt(("n_clusters", kind), check_requested, one, kinds)
    named = {kind: 1 for kind in given if kind in kinds}
    noted.attempt(("n_clusters",), check_requested, named, kinds)
    return check_requested(given, kinds) if len(noted.mistakes) == before else None


def _check_plain(noted: Noted, values: Mapping[str, Any]) -> None:
    """Note what is wrong with the fields that stand for themselves."""
    noted.attempt(("seed",), check_integer, "seed", values.get("seed", 0), least=0)
    for name in ("db", "write", "align", "name"):
        if values.get(name) is not None:
            noted.attempt((name,), check_name, name, values[name])
    for name in ("hierarchy", "overwrite"):
        given = values.get(name, False)
        if not isinstance(given, bool):
            noted.note((name,), ParameterError(f"{name} must be true or false, was {given!r}"))
    noted.attempt(
        ("on_conflict",), check_choice, "on_conflict", values.get("on_conflict", DEFAULT_WAY_OUT), RESOLUTIONS
    )


def _method(noted: Noted, values: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """Return the name of the method, None where it is wrong, and its parameters."""
    name, param = values.get("method", DEFAULT_METHOD), values.get("param", {})
    method = noted.attempt(("method",), check_choice, "method", name, CATALOG)
    if not isinstance(param, Mapping):
        noted.note(("param",), ParameterError(f"param must be a table of names and values, was {param!r}"))
        param = {}
    return method, param


def _check_fit(
    noted: Noted,
    method: str,
    param: Mapping[str, Any],
    patterns: Sequence[Pattern],
    rules: Mapping[Place, Rule],
    asked: RequestedClusters | None,
) -> None:
    """Note what a method does not take."""
    if asked is None or not takes_number(noted, method, patterns, asked):
        asked = AUTO
    check_parameters(noted, method, asked, param)
    check_method(noted, method, patterns, rules)


def _check_leaves(asked: RequestedClusters) -> None:
    if not isinstance(asked, int) or asked < 2:
        raise ParameterError(
            f"a hierarchy needs a number of leaves, at least 2, for all kinds together, and n_clusters was "
            f"{asked!r}; say for example `n_clusters=8`, or leave hierarchy out"
        )
