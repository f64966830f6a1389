"""Real data sets that are not part of graphmine: where they are looked for, and where they can be had."""

import lzma
import os
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from graphmine.checks import check_choice
from graphmine.errors import DataError

__all__ = ["SOURCES", "archive", "contents", "folders", "members"]

SOURCES: Mapping[str, str] = {
    "acm_hin": "papers, authors and subjects of the ACM library, as published with HAN (github.com/Jhy1993/HAN)",
    "aminer_hetgnn": "papers, authors and venues of AMiner, with HetGNN (github.com/chuxuzhang/KDD2019_HetGNN)",
    "classic3": "the matrix of the SMART collections MED, CISI and CRAN, as published with coclust",
    "classic4_raw": "the SMART collections MED, CISI, CRAN and CACM as text (ftp.cs.cornell.edu/pub/smart)",
    "cstr": "the matrix of technical reports of Rochester, as published with coclust",
    "imdb5000": "the IMDB 5000 movie data set (kaggle.com/datasets/carolzhangdc/imdb-5000-movie-dataset)",
    "ng20_original": "the 19,997 messages of 20 Newsgroups (archive.ics.uci.edu/dataset/113, 20_newsgroups.tar.gz)",
    "reuters21578": "Reuters-21578 as SGML (archive.ics.uci.edu/dataset/137)",
    "uci": "wine, glass, ionosphere, hepatitis, pima and wdbc (archive.ics.uci.edu)",
    "yeast": "the time courses of yeast of Tavazoie, Spellman and Prelić",
}
"""The sets that experiments read, and where each can be had."""

_SUFFIXES = (".tar.xz", ".tar.gz", ".tgz")


def folders() -> list[Path]:
    """Return the folders where archives are looked for: ``$GRAPHMINE_DATA`` if it is set, then the user's cache."""
    given = os.environ.get("GRAPHMINE_DATA")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphmine"
    return [Path(given), cache] if given else [cache]


def archive(name: str) -> Path:
    """Return the path of a set's archive: ``NAME.tar.xz`` or ``NAME.tar.gz``.

    >>> archive("classic5")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: set must be one of acm_hin, ..., was 'classic5' (did you mean 'classic3'?)
    """
    check_choice("set", name, SOURCES)
    for folder in folders():
        for suffix in _SUFFIXES:
            path = folder / f"{name}{suffix}"
            if path.is_file():
                return path
    looked = " or ".join(map(str, folders()))
    raise DataError(
        f"the set {name} is not there: get {SOURCES[name]} and put it as {name}.tar.xz or {name}.tar.gz into {looked}"
    )


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
