"""Real data sets that are not part of graphmine: where they are looked for, and where they can be had."""

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
"""The sets that are read from archives, and where each can be had."""


def archive(name: str) -> Path:
    """Return the path of a set's archive: ``NAME.tar.xz`` or ``NAME.tar.gz``.

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
    """Give files of a set, in the order asked for; each is named from the folder that the archive is of."""
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
    """Give every file below a folder of a set, wherever the archive has it, as its path from there and its content.

    The archive is read once, from its beginning to its end.
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
    """Open an archive; whatever is wrong with it, then or later, is told in a sentence."""
    try:
        with tarfile.open(path) as opened:
            yield opened
    except (OSError, EOFError, lzma.LZMAError, zlib.error, tarfile.TarError) as error:
        why = str(error).partition("\n")[0].rstrip(":")  # the rest lists what was tried
        raise DataError(f"the archive {path} can not be read: {why}; get it anew") from error
