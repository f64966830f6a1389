"""LadybugDB: the embedded database, one file, no server, the default."""

import ctypes
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import ladybug
import pyarrow as pa

from graphmine.errors import LockedError, StoreError
from graphmine.store.base import Answers, Closing
from graphmine.store.database import Database
from graphmine.store.ladybug import MEMORY
from graphmine.store.ladybug.database import LADYBUG
from graphmine.store.ladybug.errors import translated
from graphmine.store.ladybug.opening import open_file
from graphmine.store.ladybug.transaction import LadybugTransaction

__all__ = ["LadybugStore"]

T = TypeVar("T")

_ROOM = 16 * 2**20
"""Bytes that must be free before something is written: the database can not be relied on to survive with none."""

# The database locks its file against other processes only; two writers in one process would harm it.
_open_for_writing: set[str] = set()


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

    database: Database = LADYBUG
    writers = 1

    def __init__(self, path: str = MEMORY, *, read_only: bool = False, memory: int | None = None) -> None:
        self.name = path
        self._options = {} if memory is None else {"buffer_pool_size": memory, "max_num_threads": 1}
        self._claim = "" if path == MEMORY or read_only else str(Path(path).resolve())
        if self._claim in _open_for_writing:
            raise LockedError(f"{path} is open already in this process; close that connection first")
        self._read_only = read_only
        self._driver = open_file(path, read_only=read_only, **self._options)
        self._connection = ladybug.Connection(self._driver)
        if self._claim:
            _open_for_writing.add(self._claim)

    def reading(self, work: Callable[[LadybugTransaction], T], /) -> T:
        """Run ``work`` in one reading transaction."""
        return self._run("BEGIN TRANSACTION READ ONLY", work, self.known())

    def writing(self, work: Callable[[LadybugTransaction], T], /) -> T:
        """Run ``work`` in one writing transaction."""
        if self.name != MEMORY and shutil.disk_usage(Path(self.name).resolve().parent).free < _ROOM:
            raise StoreError(f"the disk that holds {self.name} is full; free some space and run the command again")
        try:
            return self._run("BEGIN TRANSACTION", work, {})
        finally:
            self.forget()
            # The driver keeps every table that a connection was ever handed, for as long as the connection lives.
            self._connection.close()
            self._connection = ladybug.Connection(self._driver)

    def rest(self) -> None:
        """Close the file and open it again: what the database gathers in memory while it writes is freed only then."""
        if self.name != MEMORY:
            self._connection.close()
            self._driver.close()
            pa.default_memory_pool().release_unused()
            with suppress(OSError, AttributeError):  # glibc alone has it, and alone needs it
                ctypes.CDLL(None).malloc_trim(0)
            self._driver = open_file(self.name, read_only=self._read_only, **self._options)
            self._connection = ladybug.Connection(self._driver)

    def _run(self, begin: str, work: Callable[[LadybugTransaction], T], known: Answers) -> T:
        transaction = LadybugTransaction(self.database, self.name, self._connection, known)
        transaction.execute(begin)
        try:
            result = work(transaction)
        except BaseException:
            # A failed statement has already rolled back; anything else (Ctrl-C too) is rolled back here.
            try:
                self._connection.execute("ROLLBACK")
            except RuntimeError as error:
                if "No active transaction" not in str(error):
                    raise translated(self.name, error) from error
            raise
        transaction.execute("COMMIT")
        return result

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._driver.close()
        _open_for_writing.discard(self._claim)
