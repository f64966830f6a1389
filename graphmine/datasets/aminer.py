"""AMiner: authors, papers, venues and citations of computer science, with the field of a part of the authors."""

from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError

__all__ = ["NAME", "aminer", "pairs"]

NAME = "aminer_hetgnn"
"""What the archive is called, see `graphmine.datasets.archives`."""

_Pairs = list[tuple[int, int]]


def aminer() -> Network:
    """Return authors, papers and venues, who wrote what, what is in which venue, and what cites what.

    Notes
    -----
    ``Author(id, known_class)``, ``Paper(id, year)``, ``Venue(id)``; ``WROTE`` (Author to Paper), ``IN`` (Paper to
    Venue), ``CITES`` (Paper to Paper). The set was published with HetGNN (Zhang et al., KDD 2019), as numbers without
    names. ``known_class`` is one of four fields, 0 to 3, null for the authors, more than half, whose field nobody
    knows; ``year`` counts from 1, the first of ten. What the set keeps apart as training and test is taken together;
    three lines name an author of a paper twice.
    """
    wrote, venue, fields = pairs()
    cites = list(_listed("p_p_citation_list.txt"))
    years = dict(_numbers("p_time.txt", separator=None))
    authors = sorted({author for author, _ in wrote})
    papers = sorted({paper for _, paper in wrote} | {paper for paper, _ in venue} | set(years))
    return Network(
        {
            "Author": pa.table({"id": authors, "known_class": pa.array(map(fields.get, authors), pa.int64())}),
            "Paper": pa.table({"id": papers, "year": pa.array(map(years.get, papers), pa.int64())}),
            "Venue": pa.table({"id": sorted({each for _, each in venue})}),
        },
        (
            _edges("Author", "WROTE", "Paper", wrote),
            _edges("Paper", "IN", "Venue", venue),
            _edges("Paper", "CITES", "Paper", cites),
        ),
    )


def pairs() -> tuple[_Pairs, _Pairs, dict[int, int]]:
    """Return which author wrote which paper, which paper is in which venue, and the field of a part of the authors.

    They come in the order of the archive, an author named twice for a paper twice.
    """
    wrote = [(author, paper) for paper, author in _listed("p_a_list_train.txt", "p_a_list_test.txt")]
    fields = _numbers("a_class_train.txt", "a_class_test.txt", separator=",")
    return wrote, list(_numbers("p_v.txt", separator=",")), dict(fields)


def _listed(*files: str) -> Iterator[tuple[int, int]]:
    """Give lines such as ``7:1,2`` as pairs, (7, 1) and (7, 2)."""
    for line in _lines(*files):
        first, _, others = line.partition(":")
        yield from ((_number(line, first), _number(line, each)) for each in others.split(",") if each)


def _numbers(*files: str, separator: str | None) -> Iterator[tuple[int, int]]:
    """Give lines of two numbers as pairs."""
    for line in _lines(*files):
        first, *second = map(partial(_number, line), line.split(separator))
        if len(second) != 1:
            raise _wrong(line)
        yield first, second[0]


def _lines(*files: str) -> Iterator[str]:
    for content in archives.contents(NAME, *files):
        yield from content.decode("utf-8", errors="replace").splitlines()


def _number(line: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _wrong(line) from None


def _wrong(line: str) -> DataError:
    return DataError(f"the archive {NAME} is not the set meant: it has the line {line[:60]!r}")


def _edges(source: str, type: str, target: str, links: _Pairs) -> Edges:
    sources, targets = zip(*dict.fromkeys(links), strict=True) if links else ((), ())
    table = {"source": pa.array(sources, pa.int64()), "target": pa.array(targets, pa.int64())}
    return Edges(source, type, target, pa.table(table))
