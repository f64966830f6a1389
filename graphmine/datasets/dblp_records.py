"""The records of a file in DBLP's format, one at a time.

The entities of ``dblp.dtd`` are HTML's, so that the DTD itself is never looked for, here or on the net. Entities that
a file declares for itself are refused: their expansion can be made to fill any memory.
"""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import name2codepoint
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from graphmine.errors import DataError
from graphmine.progress import Progress

__all__ = ["Record", "records"]

_PAPERS = {"article", "inproceedings", "incollection"}
_FIELDS = {"author", "title", "year", "journal", "booktitle"}
_ROOT, _RECORD, _FIELD = 1, 2, 3  # how deep each stands
_CHUNK = 1 << 16
_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_ENCODINGS = {
    expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
    expat.errors.codes[expat.errors.XML_ERROR_INCORRECT_ENCODING],
}


@dataclass(frozen=True)
class Record:
    """A paper as the file has it."""

    key: str
    title: str | None
    year: int | None
    venue: str | None
    authors: tuple[str, ...]


def records(path: Path, progress: Progress) -> Iterator[Record]:
    """Yield the papers of a file, in its order; what is wrong with the file is said with line and column."""
    try:
        size = path.stat().st_size
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if packed else raw as file:
                parser = _Parser(path)
                for chunk in _chunks(path, file):
                    yield from parser.feed(chunk)
                    progress(f"load {path.name}", raw.tell(), size)
                yield from parser.feed(b"", last=True)
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror or error}") from None


def _chunks(path: Path, file: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    while True:
        try:
            chunk = file.read(_CHUNK)
        except EOFError:
            raise DataError(f"{path} ends too early; it was not copied or downloaded to its end") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"{path} is damaged and can not be unpacked: {error}") from None
        if not chunk:
            return
        yield chunk


class _Parser:
    """Expat, with as much memory as one record."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.UseForeignDTD(True)  # an entity that the file does not declare is handed to us, no error
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.SkippedEntityHandler = self._entity
        self._expat.EntityDeclHandler = self._declared
        self._depth, self._fed = 0, 0
        self._key, self._paper, self._name = "", False, ""
        self._pieces: list[str] | None = None
        self._fields: dict[str, list[str]] = {}
        self._ready: list[Record] = []

    def feed(self, chunk: bytes, *, last: bool = False) -> Iterator[Record]:
        """Take in a piece of the file and yield the papers that end in it, also those before a mistake."""
        mistake, self._ready = None, []
        try:
            self._expat.Parse(chunk, last)
        except expat.ExpatError as error:
            mistake = self._mistake(error, chunk)
        except DataError as error:
            mistake = error
        except (LookupError, ValueError) as error:  # Python's own words for an encoding
            mistake = DataError(f"{self._path} declares an encoding that can not be read: {error}")
        self._fed += len(chunk)
        yield from self._ready
        if mistake is not None:
            raise mistake from None

    def _mistake(self, error: expat.ExpatError, chunk: bytes) -> DataError:
        where = f"{self._path}, line {error.lineno}, column {error.offset + 1}"
        at = self._expat.ErrorByteIndex - self._fed
        if error.code in _ENCODINGS:
            return DataError(f"{where}: the file declares an encoding that can not be read or that it does not have")
        if error.code == _TOKEN and 0 <= at < len(chunk) and chunk[at] >= 0x80:
            return DataError(f"{where}: the byte 0x{chunk[at]:02X} is none of the encoding that the file declares")
        return DataError(f"{where}: the XML is not well formed ({expat.ErrorString(error.code)})")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == _ROOT and name != "dblp":
            raise DataError(f"{self._path} is not a file of DBLP: it begins with <{name}>, not with <dblp>")
        if self._depth == _RECORD:
            self._paper, self._key, self._fields = name in _PAPERS, attributes.get("key", "").strip(), {}
            if self._paper and not self._key:
                raise DataError(f"{self._path}, line {self._expat.CurrentLineNumber}: a record <{name}> has no key")
        elif self._depth == _FIELD and self._paper and name in _FIELDS:
            self._name, self._pieces = name, []

    def _text(self, text: str) -> None:
        if self._pieces is not None:  # of <i> and <sub> in a title the text is taken
            self._pieces.append(text)

    def _entity(self, name: str, is_parameter: bool) -> None:
        if is_parameter:
            return
        if name not in name2codepoint:
            line, column = self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1
            raise DataError(f"{self._path}, line {line}, column {column}: nobody knows the entity &{name};")
        self._text(chr(name2codepoint[name]))

    def _declared(self, name: str, *_: object) -> None:
        line = self._expat.CurrentLineNumber
        raise DataError(f"{self._path}, line {line}: the file declares the entity {name!r}, which is refused as unsafe")

    def _end(self, _: str) -> None:
        if self._depth == _FIELD and self._pieces is not None:
            if text := " ".join("".join(self._pieces).split()):
                self._fields.setdefault(self._name, []).append(text)
            self._pieces = None
        elif self._depth == _RECORD and self._paper:
            self._ready.append(self._record())
        self._depth -= 1

    def _record(self) -> Record:
        first = {name: texts[0] for name, texts in self._fields.items()}
        year = first.get("year", "")
        return Record(
            self._key,
            first.get("title"),
            int(year) if year.isascii() and year.isdigit() and len(year) <= 9 else None,
            first.get("journal") or first.get("booktitle"),
            tuple(self._fields.get("author", ())),
        )
