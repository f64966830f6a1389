"""ACM: papers of five conferences, their authors and their subjects, and which of three fields each paper is of."""

from collections.abc import Mapping

import pyarrow as pa

from graphmine.datasets import archives
from graphmine.datasets.network import Edges, Network
from graphmine.errors import DataError

__all__ = ["NAME", "acm", "classes", "relation_pairs"]

NAME = "acm_hin"
"""What the archive is called, see `graphmine.datasets.archives`."""

_Pairs = list[tuple[int, int]]


def acm() -> Network:
    """Return papers with their authors, their one subject each, and their class.

    Notes
    -----
    ``Paper(id, known_class)``, ``Author(id)``, ``Subject(id)``; ``WROTE`` (Author to Paper) and ``ABOUT`` (Paper to
    Subject). Papers of KDD, SIGMOD, SIGCOMM, MobiCOMM and VLDB, as numbers without names. ``known_class`` is 0, 1 or 2:
    by the description of the set databases, wireless communication and data mining, which it does not number.
    """
    written, about, known = relation_pairs("p-a"), relation_pairs("p-s"), classes()
    papers = sorted(set(known) | {paper for paper, _ in (*written, *about)})
    return Network(
        {
            "Paper": pa.table({"id": papers, "known_class": pa.array(map(known.get, papers), pa.int64())}),
            "Author": pa.table({"id": pa.array(sorted({author for _, author in written}), pa.int64())}),
            "Subject": pa.table({"id": pa.array(sorted({subject for _, subject in about}), pa.int64())}),
        },
        (
            _edges("Author", "WROTE", "Paper", [(author, paper) for paper, author in written]),
            _edges("Paper", "ABOUT", "Subject", about),
        ),
    )


def classes() -> Mapping[int, int]:
    """Return the class of each paper."""
    return {_number(paper.removeprefix("p")): _number(number) for paper, number in _rows("label.txt", 2)}


def relation_pairs(relation: str) -> _Pairs:
    """Return the pairs of a relation, ``p-a`` for papers and authors or ``p-s`` for papers and subjects."""
    rows = _rows("edge.txt", 4)
    return [(_number(one), _number(other)) for one, other, which, _ in rows if which == relation]


def _rows(file: str, cells: int) -> list[list[str]]:
    (content,) = archives.contents(NAME, file)
    rows = [line.split() for line in content.decode("utf-8", errors="replace").splitlines()]
    for row in rows:
        if len(row) != cells:
            raise DataError(f"the archive {NAME} is not the set meant: {file} has the line {' '.join(row)[:60]!r}")
    return rows


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DataError(f"the archive {NAME} is not the set meant: {text[:60]!r} is no number") from None


def _edges(source: str, type: str, target: str, pairs: _Pairs) -> Edges:
    sources, targets = zip(*pairs, strict=True) if pairs else ((), ())
    table = {"source": pa.array(sources, pa.int64()), "target": pa.array(targets, pa.int64())}
    return Edges(source, type, target, pa.table(table))
