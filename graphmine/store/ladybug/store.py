"""LadybugDB: the embedded database, one file, no server, the default."""

import ctypes
import os
import re
import shutil
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import ladybug
import pyarrow as pa

from graphmine.errors import LockedError, ParameterError, StoreError
from graphmine.store.base import Closing
from graphmine.store.tokens import one_statement, without_comments

__all__ = ["MEMORY", "LadybugStore", "Recovered"]

T = TypeVar("T")
MEMORY = ":memory:"

# What the driver says of a log that ends too early, or changes while it is read.
_BROKEN_LOG = re.compile(r"\.wal|WAL file is corrupted|recovery is pending")
_ATTEMPTS = 40
# A reading transaction lets these through, though they leave something behind.
_WRITES_FILES = re.compile(
    r"\s*((PROFILE|EXPLAIN)\s+)?(COPY|EXPORT|IMPORT|INSTALL|UNINSTALL|ATTACH|DETACH|USE|LOAD\s+EXTENSION)\b",
    re.IGNORECASE,
)
_ROOM = 16 * 2**20
"""Bytes that must be free before something is written: the database can not be relied on to survive with none."""

# The database locks its file against other processes only; two writers in one process would harm it.
_open_for_writing: set[str] = set()


class Recovered(UserWarning):
    """The embedded database was damaged by a crash and has been brought back to its last sound state."""


class LadybugStore(Closing):
    """A network in one LadybugDB file, or in memory.

    Parameters
    ----------
    path
        The file, made on first use, or ``:memory:``.
    read_only
        Open beside a process that writes; writing is then refused.
    memory
        How many bytes the database may keep pages in, working with one thread (each has buffers of its own); without
        it most of the machine's memory and all its processors.

    Examples
    --------
    >>> with LadybugStore(":memory:") as store:
    ...     store.reading(lambda tx: tx.read("RETURN 1 AS one")).to_pylist()
    [{'one': 1}]
    """

    dialect = "ladybug"
    writers = 1

    def __init__(self, path: str = MEMORY, *, read_only: bool = False, memory: int | None = None) -> None:
        self.name = path
        self._options = {} if memory is None else {"buffer_pool_size": memory, "max_num_threads": 1}
        self._claim = "" if path == MEMORY or read_only else str(Path(path).resolve())
        if self._claim in _open_for_writing:
            raise LockedError(f"{path} is open already in this process; close that connection first")
        self._read_only = read_only
        self._database = _open(path, read_only=read_only, **self._options)
        self._connection = ladybug.Connection(self._database)
        if self._claim:
            _open_for_writing.add(self._claim)

    def reading(self, work: Callable[["_Transaction"], T], /) -> T:
        """Run ``work`` in one reading transaction."""
        return self._run("BEGIN TRANSACTION READ ONLY", work)

    def writing(self, work: Callable[["_Transaction"], T], /) -> T:
        """Run ``work`` in one writing transaction."""
        if self.name != MEMORY and shutil.disk_usage(Path(self.name).resolve().parent).free < _ROOM:
            raise StoreError(f"the disk that holds {self.name} is full; free some space and run the command again")
        try:
            return self._run("BEGIN TRANSACTION", work)
        finally:
            # The driver keeps every table that a connection was ever handed, for as long as the connection lives.
            self._connection.close()
            self._connection = ladybug.Connection(self._database)

    def rest(self) -> None:
        """Close the file and open it again: what the database gathers in memory while it writes is freed only then."""
        if self.name != MEMORY:
            self._connection.close()
            self._database.close()
            pa.default_memory_pool().release_unused()
            with suppress(OSError, AttributeError):  # glibc alone has it, and alone needs it
                ctypes.CDLL(None).malloc_trim(0)
            self._database = _open(self.name, read_only=self._read_only, **self._options)
            self._connection = ladybug.Connection(self._database)

    def _run(self, begin: str, work: Callable[["_Transaction"], T]) -> T:
        transaction = _Transaction(self.name, self._connection)
        transaction.execute(begin)
        try:
            result = work(transaction)
        except BaseException:
            # A failed statement has already rolled back; anything else (Ctrl-C too) is rolled back here.
            try:
                self._connection.execute("ROLLBACK")
            except RuntimeError as error:
                if "No active transaction" not in str(error):
                    raise _translated(self.name, error) from error
            raise
        transaction.execute("COMMIT")
        return result

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._database.close()
        _open_for_writing.discard(self._claim)


class _Transaction:
    def __init__(self, name: str, connection: Any) -> None:
        self._name, self._connection = name, connection

    def execute(self, query: str, params: dict[str, object] | None = None) -> Any:
        try:
            result = self._connection.execute(query, params or {})
        except RuntimeError as error:
            raise _translated(self._name, error) from error
        return result[-1] if isinstance(result, list) else result

    def read(self, query: str, /, **params: object) -> pa.Table:
        """Return the rows a query gives."""
        if _WRITES_FILES.match(without_comments(query)):
            raise StoreError(f"the query would write files or change settings, and {self._name} was asked to read only")
        if ";" in query and not one_statement(query):  # the driver would run them all, and only the first was looked at
            raise StoreError(f"{self._name} answers one statement at a time, and the query has more than one")
        result = self.execute(query, params)
        try:
            return result.get_as_arrow() if result.get_column_names() else pa.table({})
        except RuntimeError as error:
            raise StoreError(f"{self._name} can not hand over the result: {' '.join(str(error).split())}") from error

    def write(self, query: str, rows: pa.Table | None = None, /, **params: object) -> int:
        """Run a query over rows and return the number it returns, 0 if none."""
        if rows is not None:
            if not rows.num_rows:
                return 0
            params["rows"] = rows
        result = self.execute(query, params)
        if not result.get_column_names() or not result.has_next():
            return 0
        first = result.get_next()[0]
        return first if isinstance(first, int) else 0


def _open(path: str, *, read_only: bool, **options: Any) -> Any:
    _check_place(path, read_only=read_only)
    return _open_beside(path, **options) if read_only else _open_alone(path, **options)


def _open_alone(path: str, **options: Any) -> Any:
    try:
        return ladybug.Database(path, **options)
    except RuntimeError as error:
        if not _BROKEN_LOG.search(str(error)):
            raise _translated(path, error) from error
        return _recover(path, error, **options)  # the lock is ours, so nobody else is writing that log


def _open_beside(path: str, **options: Any) -> Any:
    """Open for reading. A log that can not be read is either being written at this moment, or broken by a crash."""
    for attempt in range(_ATTEMPTS):
        try:
            return ladybug.Database(path, read_only=True, **options)
        except RuntimeError as error:
            if not _BROKEN_LOG.search(str(error)):
                raise _translated(path, error) from error
            if attempt == _ATTEMPTS // 2:
                with suppress(LockedError):
                    _open_alone(path).close()  # mends what can be mended, unless a writer holds the file
            time.sleep(0.05)
    raise LockedError(f"{path} is being written without pause by another process; try again")


def _check_place(path: str, *, read_only: bool) -> None:
    if path == MEMORY:
        return
    file = Path(path)
    if file.is_dir():
        raise ParameterError(f"{path} is a folder; give the path of a database file, for example {path}/graph.lbug")
    if not file.exists() and read_only:
        raise StoreError(f"there is no database at {path}; `graphmine load` makes one")
    if not file.parent.is_dir():
        raise StoreError(f"the folder of {path} does not exist; make it first")
    # A log is written beside the file, so the folder must be writable too.
    if not read_only and not all(os.access(place, os.W_OK) for place in (file.parent, file) if place.exists()):
        raise StoreError(f"{path} can not be written: its folder or file is read-only for this user")


def _recover(path: str, error: RuntimeError, **options: Any) -> Any:
    """Reopen a database whose log was cut short by a crash inside a commit, in the state before that commit.

    Skipping the broken end of the log could hide other damage, so the files are set aside first and the user is told.
    """
    aside = Path(f"{path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    aside.mkdir(exist_ok=True)
    for file in Path(path).resolve().parent.glob(f"{Path(path).name}*"):
        if file.is_file():
            shutil.copy2(file, aside)
    try:
        database = ladybug.Database(path, throw_on_wal_replay_failure=False, **options)
    except RuntimeError as second:
        raise StoreError(f"{path} is damaged and could not be recovered; a copy is in {aside} ({second})") from error
    warnings.warn(
        f"{path} was damaged by a crash while it was being written; it is back in its last sound state, "
        f"and a copy of the damaged files is in {aside}",
        Recovered,
        stacklevel=2,
    )
    return database


_MEANINGS: tuple[tuple[str, type[StoreError], str], ...] = (
    (r"Could not set lock on file.*?\(Lock is held by PID (?P<what>\d+)\)", LockedError,
     "{name} is in use by process {what}; wait for it to end, or stop it"),
    (r"Could not set lock on file", LockedError, "{name} is in use by another process; wait for it to end, or stop it"),
    (r"Only one write transaction", LockedError, "{name} is being written by another connection; try again"),
    (r"not a valid Lbug database|Reading past the end of the file", StoreError,
     "{name} is not a LadybugDB database; give another path"),
    (r"in(?:side)? a read-only (?:database|transaction)", StoreError,
     "the query would write, and {name} is open for reading"),
    (r"Table (?P<what>.+?) does not exist", StoreError, "{name} has no kind or relationship type {what}"),
    (r"Cannot find property (?P<what>.+?) for", StoreError, "{name} has no property {what} where it was asked for"),
    (r"buffer pool is full", StoreError,
     "the work needs more memory than {name} may use; if it was given some, as by `memory=`, give it more"),
    (r"No space left|disk is full|post-commit checkpoint failed", StoreError,
     "the disk that holds {name} is full; free some space and run the command again, the database then mends itself"),
)  # fmt: skip


def _translated(name: str, error: RuntimeError) -> StoreError:
    """Turn what the driver says into one of our sentences; what has no sentence of its own keeps the driver's words."""
    text = str(error)
    for pattern, kind, sentence in _MEANINGS:
        match = re.search(pattern, text)
        if match:
            return kind(sentence.format(name=name, what=match.groupdict().get("what", "")))
    return StoreError(f"{name}: {' '.join(text.split())}")
