"""Several fits in one job: ``[[fit]]`` tables over fields that they share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from graphmine.errors import ParameterError
from graphmine.job.check import check_field, parse_fields
from graphmine.job.job import Job
from graphmine.job.mistakes import Mistake, Noted
from graphmine.job.toml_lines import Place

__all__ = ["FIT_FIELDS", "SHARED_FIELDS", "each_fit", "fit_mistakes", "titles"]

SHARED_FIELDS = ("relation", "where", "key", "db")
"""What the fits of a job have in common: it is pulled once."""

FIT_FIELDS = tuple(each.name for each in fields(Job) if each.name not in SHARED_FIELDS)
"""What a ``[[fit]]`` may say for itself; what stands above the first is for all that do not."""


def each_fit(values: Mapping[str, Any], changes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the fields of each job in a file: what its fits share, what they say themselves, what flags say instead.

    >>> list(each_fit({"seed": 1, "fit": [{"method": "scm"}, {"seed": 2}]}, {}))
    [{'seed': 1, 'method': 'scm'}, {'seed': 2}]
    """
    shared = {name: value for name, value in values.items() if name != "fit"}
    for own in values.get("fit", [{}]):
        yield {**shared, **own, **changes}


def fit_mistakes(values: Mapping[str, Any], changes: Mapping[str, Any]) -> list[Mistake]:
    """Return all that is wrong with the fits of a job; what is wrong with what they share is said once."""
    noted, fits = Noted(), values["fit"]
    if not isinstance(fits, list) or not fits or not all(isinstance(each, dict) for each in fits):
        told = f"fit must be a list of tables, each written as [[fit]], was {fits!r}"
        return [Mistake(("fit",), ParameterError(told))]
    known = [{name: value for name, value in own.items() if name in FIT_FIELDS} for own in fits]
    given = list(each_fit({**values, "fit": known}, changes))

    def place_of(number: int, *place: str | int) -> Place:
        """Return where a field of a fit stands: in its own table, or above all."""
        name = place[0]
        missing = name not in given[number] and name not in SHARED_FIELDS
        own = name in known[number] and name not in changes
        return ("fit", number, *place) if own or missing else place

    for number, own in enumerate(fits):
        for name in own:
            noted.attempt(("fit", number, name), _check_own, name)
        for mistake in parse_fields(given[number]).mistakes:
            noted.note(place_of(number, *mistake.place), mistake.error)
    for name, told in (("name", "are called"), ("write", "write to")):
        said = [each.get(name) for each in given]
        for number, value in enumerate(said):
            if isinstance(value, str) and value in said[:number]:
                noted.note(place_of(number, name), ParameterError(f"two fits {told} {value!r}; give each its own"))
    return noted.mistakes


def titles(jobs: Sequence[Job]) -> list[str]:
    """Return what to call fits: their names, else their methods, with a number where that is not enough.

    >>> one, two = (Job(relation="A-T->B", n_clusters=k) for k in (2, 3))
    >>> titles([one, two, Job(relation="A-T->B", n_clusters=2, name="plain")])
    ['loom 1', 'loom 2', 'plain']
    """
    said = [job.name or job.method for job in jobs]
    return [
        f"{each} {said[:number].count(each) + 1}" if said.count(each) > 1 else each for number, each in enumerate(said)
    ]


def _check_own(name: str) -> None:
    if name in SHARED_FIELDS:
        raise ParameterError(f"{name} is shared by all fits; write it above the first [[fit]]")
    check_field(name, FIT_FIELDS)
