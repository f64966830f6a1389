"""Archives of real data sets that are not part of graphmine: finding them and reading their files."""

import lzma
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from graphmine.checks import check_choice
from graphmine.dataset_catalog import DATASETS, folders
from graphmine.errors import DataError

__all__ = ["SOURCES", "archive", "contents", "folders", "members"]

SOURCES: Mapping[str, str] = {each.name: each.source for each in DATASETS.values() if not each.built_in}
"""The data sets that are read from archives, and the source of each."""


def archive(name: str) -> Path:
    """Return the path of the archive of a data set, ``NAME.tar.xz`` or ``NAME.tar.gz``.

    >>> archive("classic5")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: set must be one of aminer_hetgnn, ..., was 'classic5' (did you mean 'classic3'?)
    """
    described = DATASETS[check_choice("set", name, SOURCES)]
    path = described.path
    if path is None:
        raise DataError(f"the set {name} is not there: {described.how_to_get}")
    return path


def contents(name: str, *files: str) -> Iterator[bytes]:
    """Yield the contents of files of a data set in the given order; names are relative to its folder in the archive."""
    path = archive(name)
    with _opened(path) as opened:
        for file in files:
            try:
                content = opened.extractfile(f"{name}/{file}")
            except KeyError:
                content = None
            if content is None:
                raise DataError(f"the archive {path} holds no file {name}/{file}; it is not the set meant")
            yield content.read()


def members(name: str, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield every file below a folder of a data set, as its path relative to the folder and its content.

    The archive is read once, from beginning to end.
    """
    path, inside = archive(name), f"/{folder}/"
    with _opened(path) as opened:
        for member in opened:
            _, found, below = f"/{member.name}".partition(inside)
            if member.isfile() and found:
                content = opened.extractfile(member)
                assert content is not None  # it is a file
                yield below, content.read()


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    """Open an archive; any error, now or while reading, becomes a `DataError`."""
    try:
        with tarfile.open(path) as opened:
            yield opened
    except (OSError, EOFError, lzma.LZMAError, zlib.error, tarfile.TarError) as error:
        why = str(error).partition("\n")[0].rstrip(":")  # the rest lists what was tried
        raise DataError(f"the archive {path} can not be read: {why}; get it anew") from error
