"""Opening a database for a command, and naming the runs that were interrupted in it."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from graphmine.cli.errors import warn
from graphmine.cli.interrupts import was_interrupted
from graphmine.errors import RunError

if TYPE_CHECKING:  # drivers are imported when a command opens a database, not when it shows its help
    from graphmine.exchange.runs import Run
    from graphmine.store import Store

__all__ = ["open_database"]


@contextmanager
def open_database(
    db: str | None,
    *,
    write: bool = False,
    create: bool = False,
    ending: str | None = None,
    unwinding: str | None = None,
    memory: int | None = None,
) -> Iterator["Store"]:
    """Open a database, for reading unless told otherwise, and say which runs in it need to be ended.

    Parameters
    ----------
    db
        As given by ``--db``.
    write, create
        Whether the command changes the database, and whether it may make one. A command that only reads works beside
        a process that writes.
    ending, unwinding
        The run that the command is about to end, or the sequence of runs, which needs no mention.
    memory
        How many bytes an embedded database may keep pages in, if not most of the machine's.
    """
    from graphmine.store import connect, database_url

    in_memory = database_url(db) == ":memory:"  # empty, and so of little use, but no error
    with connect(db, create=create, read_only=not write and not in_memory, memory=memory) as store, store.snapshot():
        known = _named(store, ending) | _unwound(store, unwinding)
        said = _name_unfinished(store, db, known)
        try:
            yield store
        except (Exception, KeyboardInterrupt) as error:
            if was_interrupted(error):
                with suppress(Exception):  # the database may be what was interrupted
                    _name_unfinished(store, db, known)
            for run in said:
                if str(error) == run.unfinished():
                    raise RunError(f"run {run.id} has to end first") from error
            raise


def _named(store: "Store", run: str | None) -> set[str]:
    from graphmine.exchange.runs import find_run

    if run is not None:
        with suppress(RunError):  # the command itself will say so
            return {find_run(store, run).id}
    return set()


def _unwound(store: "Store", sequence: str | None) -> set[str]:
    if sequence is not None:
        from graphmine.verbs.sequences import members_of

        with suppress(RunError):  # the command itself will say so
            return {run.id for run in members_of(store, sequence, unfinished=True)}
    return set()


def _name_unfinished(store: "Store", db: str | None, known: set[str]) -> list["Run"]:
    """Name the interrupted runs that are not known yet, take them for known, and return them."""
    from graphmine.exchange.runs import unfinished_runs

    there = f" --db {shlex.quote(db)}" if db else ""
    new = [run for run in unfinished_runs(store) if run.id not in known]
    for run in new:
        known.add(run.id)
        warn(run.unfinished(there))
    return new
