"""Check that a database has what a job names, and report all that is missing at once."""

from pathlib import Path

from graphmine.constraints.draw import check_rule_kinds
from graphmine.constraints.rules import Rule
from graphmine.exchange.names import check_names, check_property, check_rule
from graphmine.exchange.schema import find_key
from graphmine.job import Job, JobFile, Mistake, relation_keys
from graphmine.job.mistakes import Noted
from graphmine.model import parse_property
from graphmine.store import Reader, Store

__all__ = ["check_job_names", "name_mistakes", "names_in_file"]


def check_job_names(tx: Reader, job: Job) -> None:
    """Refuse a job that names what the database does not have, by the first such thing."""
    check_names(tx, job.patterns, job.filters, job.relation_keys)
    for rule in job.rules:
        _check_rule(tx, job, rule)


def names_in_file(store: Store, path: str | Path) -> list[Mistake]:
    """Return what a job file without other mistakes names and the database does not have, with lines."""
    file, noted = JobFile.read(path), Noted()
    own = file.values.get("fit", [{}])
    for number, job in enumerate(file.jobs()):
        for mistake in name_mistakes(store, job, file.values.get("by")):
            name, at = str(mistake.place[0]), mistake.place[1:]
            given = own[number] if name in own[number] else file.values
            place = (name,) if isinstance(given[name], str) else (name, *at)
            noted.note(("fit", number, *place) if given is own[number] else place, mistake.error)
    return [each.found_in(file.lines) for each in noted.mistakes]


def name_mistakes(store: Store, job: Job, by: str | None = None) -> list[Mistake]:
    """Return a mistake for each relation, filter, key and rule of a job that names what the database does not have.

    Parameters
    ----------
    store, job
        As for `plan`, which stops at the first of them.
    by
        The property that time is cut by, if it is.
    """
    return store.reading(lambda tx: _mistakes(tx, job, by))


def _mistakes(tx: Reader, job: Job, by: str | None) -> list[Mistake]:
    noted = Noted()
    for number, pattern in enumerate(job.patterns):
        noted.attempt(("relation", number), check_names, tx, [pattern], (), {})
    if not noted.mistakes:  # filters and keys are of kinds that relations go through
        for number, each in enumerate(job.filters):
            noted.attempt(("where", number), check_names, tx, job.patterns, [each], {})
        for number, (kind, key) in enumerate(job.keys.items()):
            noted.attempt(("key", number), _check_key, tx, job, kind, key)
        for number, rule in enumerate(job.rules):
            noted.attempt(("constrain", number), _check_rule, tx, job, rule)
        if by is not None:
            noted.attempt(("by",), check_property, tx, *parse_property(by), ())
    return noted.mistakes


def _check_key(tx: Reader, job: Job, kind: str, key: str) -> None:
    relation_keys(job.patterns, {kind: key}, job.rules)
    find_key(tx, kind, key)


def _check_rule(tx: Reader, job: Job, rule: Rule) -> None:
    check_rule_kinds(rule, job.kinds)
    check_rule(tx, rule)
