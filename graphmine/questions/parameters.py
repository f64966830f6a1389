"""Reading what a user gives for a parameter of a question, by its sort."""

import re
from collections.abc import Sequence

from graphmine.checks import check_name
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.runs import COUNTS, Run, read_runs, run_of_property, runs_named
from graphmine.model.naming import NAME, bare
from graphmine.model.values import Value, check_values, parse_value
from graphmine.store import Reader

__all__ = ["current_run", "key_of", "read_names", "read_value", "run_before"]

_WANTED = {
    "integer": ("a whole number", (int,)),
    "count": ("a whole number of at least 0", (int,)),
    "float": ("a number", (int, float)),
    "text": ("text", (str,)),
    "boolean": ("true or false", (bool,)),
}
_NAMES = re.compile(rf"\s*{NAME}(\s*,\s*{NAME})*\s*")


def read_value(what: str, sort: str, given: object) -> Value:
    """Return a value of a sort: ``integer``, ``count``, ``float``, ``text``, ``boolean``, ``any``; with an s, a list.

    >>> read_value("limit", "integer", "20"), read_value("clusters", "integers", "1, 2"), read_value("x", "text", "20")
    (20, [1, 2], '20')
    >>> read_value("parameter limit", "integer", "many")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: parameter limit must be a whole number, was 'many'
    """
    if sort.endswith("s"):
        values = _listed(given)
        return [_scalar(what, sort[:-1], each) for each in values]  # type: ignore[misc]
    return _scalar(what, sort, given)


def read_names(what: str, given: object) -> list[str]:
    """Return names, given as a list or as one text with commas between them.

    >>> read_names("kinds", "Author, `odd, kind`"), read_names("kinds", "a b")
    (['Author', 'odd, kind'], ['a b'])
    """
    if isinstance(given, str):
        match = _NAMES.fullmatch(given)
        given = [bare(each) for each in re.findall(NAME, given)] if match else [given]
    if not isinstance(given, Sequence) or not given:
        raise ParameterError(f"{what} must be names, was {given!r}")
    return [check_name(what, each) for each in given]


def _listed(given: object) -> Sequence[object]:
    if isinstance(given, str):
        if given.lstrip().startswith("["):
            read = parse_value(given.strip())
            return read if isinstance(read, list) else [read]
        return [each.strip() for each in given.split(",") if each.strip()]
    return given if isinstance(given, Sequence) else [given]


def _scalar(what: str, sort: str, given: object) -> Value:
    value = given
    if isinstance(given, str) and sort != "text":
        value = parse_value(given.strip())
    if sort == "any":
        if not isinstance(value, list):
            return check_values(what, [value])[0]
        return check_values(what, value) if value else value
    wanted, types = _WANTED[sort]
    fits = isinstance(value, types) and (sort == "boolean" or not isinstance(value, bool))
    if not fits or (sort == "count" and isinstance(value, int) and value < 0):
        raise ParameterError(f"{what} must be {wanted}, was {given!r}")
    (checked,) = check_values(what, [value])
    return float(checked) if sort == "float" else checked


def current_run(tx: Reader, where: str, name: str) -> Run:
    """Return the run of a name, or the last one that is complete (``last``), or say why nobody can ask about it.

    A property's name means its last run, as in `find_named`.

    Parameters
    ----------
    where
        How to name the database to a person.
    """
    runs = read_runs(tx)
    if not name:
        raise ParameterError("the name of the run is empty; `graphmine runs list` shows them all")
    if name == "last":
        found = [run for run in runs if run.state == "complete" and run.method != COUNTS][-1:]
        missing = f"there is no complete run in {where}; `graphmine mine` with `write=` makes one"
    else:
        of_property = run_of_property(name, runs)
        found = runs_named(name, runs) if of_property is None else [of_property]
        missing = f"there is no run {name!r} in {where}; `graphmine runs list` shows them all"
    if not found:
        raise RunError(missing)
    return _in_place(found[0], runs)


def run_before(tx: Reader, later: Run) -> Run:
    """Return the last complete run before another that gave clusters to one of its kinds."""
    runs = read_runs(tx)
    order = [run.id for run in runs]
    earlier = [
        run
        for run in runs[: order.index(later.id)]
        if run.state == "complete" and run.method != COUNTS and set(run.kinds) & set(later.kinds)
    ]
    if not earlier:
        raise RunError(f"there is no complete run before run {later.id} to compare it with")
    stand = [run for run in earlier if not _replaced(run, runs)]
    return stand[-1] if stand else _in_place(earlier[-1], runs)


def key_of(tx: Reader, run: Run, kind: str) -> str | None:
    """Return the property by which a run named the nodes of a kind."""
    rows = tx.query("batch_keys", run=run.id).to_pylist()
    return next((row["key"] for row in rows if row["kind"] == kind), None)


def _in_place(run: Run, runs: Sequence[Run]) -> Run:
    if run.method == COUNTS:
        raise RunError(f"run {run.id} wrote how many links are broken, and no clusters")
    if run.state == "undone":
        raise RunError(f"run {run.id} is undone, so that its clusters are gone; `graphmine runs list` shows the others")
    if run.state == "writing":
        raise RunError(run.unfinished())
    if later := _replaced(run, runs):
        raise RunError(
            f"the clusters of run {run.id} no longer stand in {run.property!r}, as run {later[-1].id} replaced them; "
            f"`graphmine compare {run.id} {later[-1].id}` compares the two from the record"
        )
    return run


def _replaced(run: Run, runs: Sequence[Run]) -> list[Run]:
    """Return the later runs that wrote into the same place."""
    after = [each.id for each in runs].index(run.id) + 1
    return [each for each in runs[after:] if each.state == "complete" and each.overlaps(run)]
