"""Classic4: the abstracts of MED, CISI, CRAN and CACM, from the texts of the SMART collection."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphmine.datasets import archives
from graphmine.datasets.network import Network
from graphmine.datasets.texts import worded

__all__ = ["FILES", "NAME", "Abstract", "abstracts", "classic4"]

NAME = "classic4_raw"
"""What the archive is called, see `graphmine.datasets.archives`."""

FILES: Mapping[str, tuple[str, str]] = {
    "CISI.ALL": ("cisi", "TW"),
    "MED.ALL": ("medline", "W"),
    "cacm.all": ("cacm", "TW"),
    "cran.all.1400": ("cranfield", "W"),
}
"""The files, the class of each, and the fields of its documents that are text; that of CRAN repeats its title."""

_NUMBER = re.compile(r"^\.I +(\d+) *$", re.MULTILINE)
_FIELD = re.compile(r"^\.([A-Z]) *$", re.MULTILINE)


class Abstract(NamedTuple):
    """A document: the file it stands in, its number there, its title and its text, either of which may be empty."""

    file: str
    number: int
    title: str
    text: str


def classic4(least: int = 5, words: int | None = None) -> Network:
    """Return documents with their words and their collection.

    Parameters
    ----------
    least
        In how many documents a word must be, at least.
    words
        So many words, those in the most documents; all of them if not given.

    Notes
    -----
    ``Document(id, known_class, title)``, ``Term(word)`` and ``HAS`` (Document to Term, ``count``). ``id`` is the
    collection and the number in it: ``cranfield/471``, which is one of two without text. Words are counted in title and
    abstract as `graphmine.datasets.texts.counted_words` does; of half of CACM there is a title only, of MED none.
    """
    every = list(abstracts())
    classes = [FILES[each.file][0] for each in every]
    return worded(
        [f"{known}/{each.number}" for known, each in zip(classes, every, strict=True)],
        [each.text for each in every],
        {"known_class": classes, "title": [each.title or None for each in every]},
        least=least,
        words=words,
    )


def abstracts() -> Iterator[Abstract]:
    """Give all documents, file by file; those without text, too."""
    for (file, (_, fields)), content in zip(FILES.items(), archives.contents(NAME, *FILES), strict=True):
        yield from _read(file, fields, content.decode("latin-1").replace("\r", ""))


def _read(file: str, fields: str, content: str) -> Iterator[Abstract]:
    r"""Give the documents of one file.

    >>> list(_read("x", "TW", ".I 7\n.T\nOn\nwings\n.A\nAnn\n.W\nLift.\n"))
    [Abstract(file='x', number=7, title='On wings', text='\nOn\nwings\n\n\nLift.\n')]
    """
    _, *documents = _NUMBER.split(content)
    for number, document in zip(documents[::2], documents[1::2], strict=True):
        _, *parts = _FIELD.split(document)
        named = list(zip(parts[::2], parts[1::2], strict=True))
        text = "\n".join(part for field, part in named if field in fields)
        yield Abstract(file, int(number), " ".join(dict(named).get("T", "").split()), text)
