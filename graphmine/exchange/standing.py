"""Runs whose labels stand in the graph: those that a question in Cypher can be about."""

from collections.abc import Sequence

from graphmine.errors import ParameterError, RunError
from graphmine.exchange.runs import COUNTS, Run, read_runs, run_of_property, runs_named
from graphmine.store import Reader, query

__all__ = ["key_of", "run_before", "standing_run"]


def standing_run(tx: Reader, dialect: str, where: str, name: str) -> Run:
    """Return the run of a name, or the last one that is complete (``last``), or say why nobody can ask about it.

    A property's name means its last run, as in `find_named`.

    Parameters
    ----------
    where
        How to name the database to a person.
    """
    runs = read_runs(tx, dialect)
    if not name:
        raise ParameterError("the name of the run is empty; `graphmine runs list` shows them all")
    if name == "last":
        found = [run for run in runs if run.state == "complete" and run.method != COUNTS][-1:]
        missing = f"there is no complete run in {where}; `graphmine mine` with --write makes one"
    else:
        of_property = run_of_property(name, runs)
        found = runs_named(name, runs) if of_property is None else [of_property]
        missing = f"there is no run {name!r} in {where}; `graphmine runs list` shows them all"
    if not found:
        raise RunError(missing)
    return _standing(found[0], runs)


def run_before(tx: Reader, dialect: str, later: Run) -> Run:
    """Return the last complete run before another that gave clusters to one of its kinds."""
    runs = read_runs(tx, dialect)
    order = [run.id for run in runs]
    earlier = [
        run
        for run in runs[: order.index(later.id)]
        if run.state == "complete" and run.method != COUNTS and set(run.kinds) & set(later.kinds)
    ]
    if not earlier:
        raise RunError(f"there is no complete run before run {later.id} to compare it with")
    stand = [run for run in earlier if not _replaced(run, runs)]
    return stand[-1] if stand else _standing(earlier[-1], runs)


def key_of(tx: Reader, dialect: str, run: Run, kind: str) -> str | None:
    """Return the property by which a run named the nodes of a kind."""
    rows = tx.read(query(dialect, "batch_keys"), run=run.id).to_pylist()
    return next((row["key"] for row in rows if row["kind"] == kind), None)


def _standing(run: Run, runs: Sequence[Run]) -> Run:
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
