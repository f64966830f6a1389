"""The bibliography DBLP, read from ``dblp.xml`` piece by piece.

The file is gigabytes long and one element deep, so it is never held: the parser's events make one record after the
other, and some thousand papers make a network that can be loaded and forgotten.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from graphmine.checks import check_integer
from graphmine.datasets.dblp_records import Record, records
from graphmine.datasets.network import Edges, Network
from graphmine.datasets.texts import words_in
from graphmine.errors import DataError, ParameterError
from graphmine.progress import Progress, silent

__all__ = ["pool_for", "read_dblp"]

PIECE = 2_500
_POOL, _PACKED = 48 * 2**20, 5  # bytes for pages, and how many times as long a packed file is once unpacked


def read_dblp(
    path: str | Path,
    *,
    venues: Collection[str] = (),
    since: int | None = None,
    until: int | None = None,
    terms: bool = True,
    piece: int = PIECE,
    progress: Progress = silent,
) -> Iterator[Network]:
    """Read ``dblp.xml`` or ``dblp.xml.gz`` as networks of some thousand papers each, for `load_parts`.

    Parameters
    ----------
    path
        The file, as https://dblp.org/xml gives it; its DTD is not needed.
    venues
        Names of journals and conferences as the file has them (``KDD``, ``Commun. ACM``); all without any.
    since, until
        The first and the last year; papers without a year are then left out.
    terms
        Whether the words of titles become nodes.
    piece
        How many papers a network holds.

    Notes
    -----
    Papers are the records ``article``, ``inproceedings`` and ``incollection``; proceedings, books, theses and home
    pages (``www``) are left out. Authors are known by their names, with the number that DBLP tells namesakes apart by
    (``Wei Wang 0001``). A venue is the ``journal`` or ``booktitle``. A key that comes twice is one paper, with the
    title and year of the last record and the relationships of both.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> text = "<author>J&ouml;rg Sander</author><title>Mining Graphs.</title><journal>Graphs</journal>"
    >>> text = f"<dblp><article key='journals/x/1'>{text}</article></dblp>"
    >>> with TemporaryDirectory() as folder:
    ...     (file := Path(folder, "dblp.xml")).write_text(text) and None
    ...     (network,) = read_dblp(file)
    >>> network
    Network(Author 1, Paper 1, Venue 1, Term 2; Author-WROTE->Paper 1, Paper-IN->Venue 1, Paper-MENTIONS->Term 2)
    >>> network.nodes["Author"]["name"].to_pylist()
    ['Jörg Sander']
    """
    if isinstance(venues, str):
        raise ParameterError(f"venues must be a list of names, was {venues!r}")
    given = {name: year for name, year in (("since", since), ("until", until)) if year is not None}
    years = [check_integer(name, year, least=0) for name, year in given.items()]
    if years != sorted(years):
        raise ParameterError(f"since is {since}, which is after until, {until}")
    size = check_integer("piece", piece, least=1)
    wanted = _Wanted(frozenset(venues), since, until)
    try:
        Path(path).open("rb").close()
    except OSError as error:
        raise DataError(f"{path} can not be read: {error.strerror}") from None
    return _pieces(Path(path), wanted, terms, size, progress)


def pool_for(path: str | Path) -> int:
    """Return how many bytes of pages an embedded database needs to load a file: 48 MB, and more for gigabytes.

    It writes each relationship type anew in every piece, for which the links of its largest group of nodes, up to
    130,000 of them, have to be held at once: with all terms more than a quarter of the length of the file.
    """
    file = Path(path)
    length = file.stat().st_size if file.is_file() else 0
    return max(_POOL, length * (_PACKED if file.suffix == ".gz" else 1) // 2)


@dataclass(frozen=True)
class _Wanted:
    venues: frozenset[str]
    since: int | None
    until: int | None

    def __contains__(self, record: Record) -> bool:
        if self.venues and record.venue not in self.venues:
            return False
        if self.since is None and self.until is None:
            return True
        year = record.year
        return year is not None and (self.since or year) <= year <= (self.until or year)


def _pieces(path: Path, wanted: _Wanted, terms: bool, size: int, progress: Progress) -> Iterator[Network]:
    piece = _Piece(terms)
    source = records(path, progress)
    while True:
        try:
            record = next(source, None)
        except Exception:
            # What was read before the file broke off is good, and worth having.
            if piece.papers:
                yield piece.network()
            raise
        if record is None:
            break
        if record in wanted:
            piece.add(record)
            if len(piece.papers) == size:
                network, piece = piece.network(), _Piece(terms)  # one of the two is enough in memory
                yield network
    yield piece.network()  # even if empty, so that a database knows the kinds


@dataclass
class _Piece:
    """Papers that will be one network."""

    terms: bool
    papers: dict[str, tuple[str | None, int | None]] = field(default_factory=dict)
    _wrote: dict[tuple[str, str], None] = field(default_factory=dict)
    _venues: dict[tuple[str, str], None] = field(default_factory=dict)
    _mentions: dict[tuple[str, str], None] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        self.papers[record.key] = (record.title, record.year)
        self._wrote.update(dict.fromkeys((author, record.key) for author in record.authors))
        if record.venue:
            self._venues[record.key, record.venue] = None
        if self.terms and record.title:
            self._mentions.update(dict.fromkeys((record.key, word) for word in words_in(record.title)))

    def network(self) -> Network:
        titles, years = zip(*self.papers.values(), strict=True) if self.papers else ((), ())
        paper = pa.table({
            "key": pa.array(list(self.papers), pa.string()),
            "title": pa.array(titles, pa.string()),
            "year": pa.array(years, pa.int64()),
        })
        wrote, published = _ends(self._wrote), _ends(self._venues)
        authors, venues = _named("name", wrote["source"]), _named("name", published["target"])
        nodes = {"Author": authors, "Paper": paper, "Venue": venues}
        links = [Edges("Author", "WROTE", "Paper", wrote), Edges("Paper", "IN", "Venue", published)]
        if self.terms:
            mentions = _ends(self._mentions)
            nodes["Term"] = _named("word", mentions["target"])
            links.append(Edges("Paper", "MENTIONS", "Term", mentions))
        return Network(nodes, tuple(links))


def _ends(pairs: Iterable[tuple[str, str]]) -> pa.Table:
    sources, targets = zip(*pairs, strict=True) if pairs else ((), ())
    return pa.table({"source": pa.array(sources, pa.string()), "target": pa.array(targets, pa.string())})


def _named(key: str, names: pa.ChunkedArray) -> pa.Table:
    return pa.table({key: names.unique()})
