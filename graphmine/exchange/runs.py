"""Runs: what was written into a database, by which method, from what, and how far it got.

A run is ``writing`` from before its first change until after its last, then ``complete``; undoing it makes it
``writing`` again and in the end ``undone``. So a run that is found ``writing`` was interrupted, whichever way it was
going, and both `resume` and `undo` can take it to an end.
"""

import json
import os
import re
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal

import pyarrow as pa

from graphmine.errors import ParameterError, RunError
from graphmine.exchange.schema import all_kinds, find_properties
from graphmine.model import Quality
from graphmine.store import NO_NAMES, Names, Raw, Reader, Store, Transaction

__all__ = [
    "COUNTS", "LATER", "RUN_KIND", "TRUST_KIND", "Run", "find_complete", "find_named", "find_run", "list_runs",
    "new_run", "run_of_property", "runs_named", "unfinished_runs",
]  # fmt: skip

RUN_KIND, BATCH_KIND, TRUST_KIND = "GraphmineRun", "GraphmineBatch", "GraphmineTrust"
COUNTS = "broken links"
"""The method of a run that wrote how many links of each node are broken, and no clusters."""
RunState = Literal["writing", "complete", "undone"]

_TEXTS = pa.list_(pa.string())
_COLUMNS: Mapping[str, pa.DataType] = {
    "id": pa.string(), "state": pa.string(), "property": pa.string(), "kinds": _TEXTS, "method": pa.string(),
    "parameters": pa.string(), "seed": pa.int64(), "relations": _TEXTS, "filters": _TEXTS, "objective": pa.float64(),
    "converged": pa.bool_(), "n_clusters": pa.int64(), "counts": pa.string(), "seconds": pa.string(),
    "versions": pa.string(), "created": pa.string(), "finished": pa.string(), "batches": pa.int64(), "added": _TEXTS,
    "process": pa.string(), "constraints": pa.string(), "quality": pa.string(),
}  # fmt: skip
_EARLIER = re.compile(r".+~[0-9]{1,6}")
_JSON = ("parameters", "counts", "seconds", "versions", "constraints", "quality")
LATER = ("constraints", "quality")
"""What runs were once recorded without."""


@dataclass(frozen=True)
class Run:
    """One mining run, as the ``GraphmineRun`` node records it.

    Parameters
    ----------
    property
        The node property the labels stand in.
    method, parameters, seed
        How they were made.
    relations, filters
        What was pulled.
    objective, converged, n_clusters
        How well it went.
    seconds
        How long each movement took.
    versions
        Of Python, graphmine and the packages that shape the result.
    id, state, created, finished
        Filled in by `push`.
    kinds, counts
        Which kinds were written, and for each: nodes, written, unplaced, gone, changed.
    batches
        How many batches its journal has when it is whole.
    added
        The kinds whose property did not exist before.
    process
        Who changed its state last, as ``host/process id``.
    constraints
        The rules, what was done where they contradicted each other, and how far the labels meet them.
    quality
        How good the clustering is by its star alone; None where it is not on record.
    """

    property: str
    method: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    relations: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    objective: float | None = None
    converged: bool = True
    n_clusters: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    state: RunState = "writing"
    created: str = ""
    finished: str | None = None
    kinds: tuple[str, ...] = ()
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    batches: int = 0
    added: tuple[str, ...] = ()
    process: str = ""
    constraints: Mapping[str, Any] = field(default_factory=dict)
    quality: Quality | None = None

    def overlaps(self, other: "Run") -> bool:
        """Whether both write the same property of a kind."""
        return self.property == other.property and bool(set(self.kinds) & set(other.kinds))

    def writer(self) -> int | None:
        """Return the other process of this machine that is writing the run at this moment, if there is one."""
        host, _, number = self.process.rpartition("/")
        if self.state != "writing" or host != socket.gethostname() or int(number) == os.getpid():
            return None
        return int(number) if _is_alive(int(number)) else None

    def unfinished(self, options: str = "") -> str:
        """Say that the run is not finished, and how to end it; ``options`` go into the commands."""
        if self.writer() is not None:
            return f"run {self.id} on {self.property!r} is being written by process {self.writer()}; wait for it to end"
        host = self.process.rpartition("/")[0]
        elsewhere = "" if host == socket.gethostname() else f" (unless it is still being written from {host})"
        return (
            f"run {self.id} on {self.property!r} was interrupted{elsewhere}; end it with "
            f"`graphmine runs resume {self.id}{options}` or `graphmine runs undo {self.id}{options}`"
        )


def new_run(draft: Run, kinds: Sequence[str]) -> Run:
    """Give a run its name and its time; names sort by time."""
    now = datetime.now(UTC)
    name = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    created = now.isoformat(timespec="microseconds")
    return replace(draft, id=name, created=created, kinds=tuple(kinds), state="writing", process=_this_process())


def list_runs(store: Store) -> list[Run]:
    """Return every run on record, the oldest first."""
    return store.reading(read_runs)


def unfinished_runs(store: Store) -> list[Run]:
    """Return the runs that were interrupted."""
    return [run for run in list_runs(store) if run.state == "writing"]


def find_run(store: Store, name: str | Run, *, clusters: bool = False) -> Run:
    """Return the run of that name, or of the only name that begins so, or the last one (``last``), as it is now.

    With ``clusters`` a run is meant that wrote clusters, and not one that counted broken links.
    """
    name = name.id if isinstance(name, Run) else name
    if not name:
        raise ParameterError("the name of the run is empty; `graphmine runs list` shows them all")
    runs = list_runs(store)
    if name == "last":
        found = [run for run in runs if run.state != "undone" and not (clusters and run.method == COUNTS)][-1:]
    else:
        found = runs_named(name, runs)
    if not found:
        raise RunError(f"there is no run {name!r} in {store.name}; `graphmine runs list` shows them all")
    if clusters and found[0].method == COUNTS:
        raise RunError(f"run {found[0].id} wrote how many links are broken, and no clusters")
    return found[0]


def find_named(store: Store, name: str | Run, *, clusters: bool = False) -> Run:
    """Return the run that a name means to somebody who only looks at it, in whatever state it is.

    Besides what `find_run` knows, the name of a property means the last complete run that wrote it, and ``area~1`` the
    one before that.
    """
    name = name.id if isinstance(name, Run) else name
    return run_of_property(name, list_runs(store), clusters=clusters) or find_run(store, name, clusters=clusters)


def find_complete(store: Store, name: str | Run) -> Run:
    """Return the complete run that a name means; its labels are on record, whatever stands in its property now.

    The name of a property means the last complete run that wrote clusters to it, as in `find_named`.
    """
    run = find_named(store, name, clusters=True)
    if run.state == "undone":
        raise RunError(f"run {run.id} is undone, and its labels are gone; `graphmine runs list` shows the others")
    if run.state != "complete":
        raise RunError(run.unfinished())
    return run


def run_of_property(name: str, runs: Sequence[Run], *, clusters: bool = True) -> Run | None:
    """Return the last complete run of a property, or with ``~1`` at the end of its name the one before that, and so on.

    None, if the name is a run's or ``last``, or that of no property that a complete run wrote.
    """
    if name == "last" or name in [run.id for run in runs]:
        return None
    property_, _, back = name.rpartition("~") if _EARLIER.fullmatch(name) else (name, "", "0")
    complete = [run for run in runs if run.state == "complete" and not (clusters and run.method == COUNTS)]
    for each, steps in ((name, 0), (property_, int(back))):  # a property may have such a name itself
        found = [run for run in complete if run.property == each]
        if steps < len(found):
            return found[-1 - steps]
        if found:
            are = "is only one complete run" if len(found) == 1 else f"are only {len(found)} complete runs"
            raise RunError(f"there {are} of {each!r}, and so no {name!r}; `graphmine runs list` shows them all")
    return None


def runs_named(name: str, runs: Sequence[Run]) -> list[Run]:
    """Return the run of that name, or the only one whose name begins with it; none if there is none."""
    found = [run for run in runs if run.id == name] or [run for run in runs if run.id.startswith(name)]
    if len(found) > 1:
        raise RunError(
            f"several runs begin with {name!r}: {', '.join(run.id for run in found)}; write more of the name"
        )
    return found


def read_runs(tx: Reader, *, now: bool = False) -> list[Run]:
    """Return every run on record, inside a transaction.

    Parameters
    ----------
    now
        Whether the list must not be older than the transaction, see `Store.snapshot`.
    """
    if RUN_KIND not in all_kinds(tx):
        return []
    missing = _missing_columns(tx)
    if now:
        return stored_runs(tx, missing)
    return [_from_row(row) for row in tx.query("run_list", _later(missing)).to_pylist()]


def stored_runs(tx: Reader, missing: Sequence[str] = ()) -> list[Run]:
    """Return every run on record as the transaction itself sees them; the database has room for runs.

    Parameters
    ----------
    missing
        What it has no place for, of what runs were once recorded without.
    """
    found = tx.read(tx.database.text("run_list", _later(missing)))
    return [_from_row(row) for row in found.to_pylist()]


def missing_tables(tx: Reader) -> list[tuple[str, Names]]:
    """Return the queries that create missing tables for runs, journals and trust, with the names to fill in.

    Each does nothing where its table or column exists already.
    """
    if not tx.database.declares_properties:
        return []
    kinds = all_kinds(tx)
    tables = {RUN_KIND: "run_table", BATCH_KIND: "batch_table", TRUST_KIND: "trust_table"}
    found: list[tuple[str, Names]] = [(name, NO_NAMES) for kind, name in tables.items() if kind not in kinds]
    if RUN_KIND in kinds:
        found += [("run_upgrade", {"column": name}) for name in _missing_columns(tx)]
    return found


def _later(missing: Sequence[str]) -> Names:
    """Return what to fill in for what runs were once recorded without."""
    return {name: Raw("NULL" if name in missing else f"r.{name}") for name in LATER}


def _missing_columns(tx: Reader) -> list[str]:
    """Return the columns that a database lacks because its runs were recorded without them."""
    if not tx.database.declares_properties:
        return []
    known = find_properties(tx, RUN_KIND)
    return [name for name in LATER if name not in known]


def record(tx: Transaction, run: Run) -> None:
    """Write a new run."""
    values = asdict(run)
    values |= {name: json.dumps(values[name], ensure_ascii=False) for name in _JSON}
    row = {name: pa.array([values[name]], type=kind) for name, kind in _COLUMNS.items()}
    tx.change("run_create", NO_NAMES, pa.table(row))


def set_state(tx: Transaction, run: Run, state: RunState) -> Run:
    """Move a run to another state, with its present counts."""
    finished = None if state == "writing" else datetime.now(UTC).isoformat(timespec="microseconds")
    run = replace(run, state=state, finished=finished, process=_this_process())
    values = {"run": run.id, "state": state, "counts": json.dumps(run.counts), "finished": finished}
    tx.change("run_state", **values, process=run.process)
    return run


def _this_process() -> str:
    return f"{socket.gethostname()}/{os.getpid()}"


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # elsewhere asking would end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _from_row(row: Mapping[str, Any]) -> Run:
    values = {name: json.loads(value or "{}") if name in _JSON else value for name, value in row.items()}
    for each in fields(Run):
        if _COLUMNS[each.name] == _TEXTS:
            values[each.name] = tuple(values[each.name] or ())
    values["quality"] = Quality(**values["quality"]) if values["quality"] else None
    return Run(**values)
