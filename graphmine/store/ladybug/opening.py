"""Opening a LadybugDB file: alone, beside a process that writes it, or after a crash."""

import os
import re
import shutil
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import ladybug

from graphmine.errors import LockedError, ParameterError, StoreError
from graphmine.store.ladybug import MEMORY
from graphmine.store.ladybug.errors import translated

__all__ = ["Recovered", "open_file"]

# What the driver says of a log that ends too early, or changes while it is read.
_BROKEN_LOG = re.compile(r"\.wal|WAL file is corrupted|recovery is pending")
# And of a sound file, while another process moves what it has committed from the log into it.
_CHANGING_FILE = re.compile(
    r"invalid local node offset|duplicated primary key|checkpoint is in progress", re.IGNORECASE
)
_ATTEMPTS = 40
_PAUSE = 0.05
"""Seconds between two attempts to open a file beside a process that writes it."""


class Recovered(UserWarning):
    """The embedded database was damaged by a crash and has been brought back to its last sound state."""


def open_file(path: str, *, read_only: bool, **options: Any) -> Any:
    """Open a file with the driver, or a database in memory."""
    _check_place(path, read_only=read_only)
    return _open_beside(path, **options) if read_only else _open_alone(path, **options)


def _open_alone(path: str, **options: Any) -> Any:
    try:
        return ladybug.Database(path, **options)
    except RuntimeError as error:
        if not _BROKEN_LOG.search(str(error)):
            raise translated(path, error) from error
        return _recover(path, error, **options)  # the lock is ours, so nobody else is writing that log


def _open_beside(path: str, **options: Any) -> Any:
    """Open for reading, again and again for two seconds while another process commits or checkpoints.

    A log that can not be read is either being written at this moment, or broken by a crash.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return ladybug.Database(path, read_only=True, **options)
        except RuntimeError as error:
            broken = _BROKEN_LOG.search(str(error))
            if not broken and not _CHANGING_FILE.search(str(error)):
                raise translated(path, error) from error
            if broken and attempt == _ATTEMPTS // 2:
                with suppress(LockedError):
                    _open_alone(path).close()  # mends what can be mended, unless a writer holds the file
            time.sleep(_PAUSE)
    raise LockedError(
        f"{path} could not be opened beside a process that writes it without pause; try again "
        "(if nothing writes it, the file is damaged)"
    )


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
