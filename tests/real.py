"""Real networks, for experiments: read from the archives in GRAPHMINE_DATA, which are not part of the project."""

import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from scipy.io import loadmat
from scipy.sparse import csr_array

from graphmine.datasets import Edges, Network
from graphmine.model import Nodes, Relation, Star


def _contents(name: str, *files: str) -> Iterator[bytes]:
    """Return files of an archive, or skip the test that asks for them."""
    folder = os.environ.get("GRAPHMINE_DATA")
    path = Path(folder or ".") / f"{name}.tar.xz"
    if not folder or not path.exists():
        pytest.skip(f"no {name}.tar.xz in GRAPHMINE_DATA")
    with tarfile.open(path) as archive:
        for file in files:
            content = archive.extractfile(f"{name}/{file}")
            assert content is not None
            yield content.read()


def _lines(name: str, *files: str) -> Iterator[str]:
    """Return the lines of files of an archive."""
    for content in _contents(name, *files):
        yield from content.decode().splitlines()


def aminer() -> Network:
    """Return authors, papers and venues of AMiner (Zhang et al., KDD 2019), with the field of a part of the authors."""
    wrote = [
        (int(author), int(paper))
        for line in _lines("aminer_hetgnn", "p_a_list_train.txt", "p_a_list_test.txt")
        for paper, authors in [line.split(":")]
        for author in filter(None, authors.split(","))
    ]
    venue = [
        (int(paper), int(number)) for line in _lines("aminer_hetgnn", "p_v.txt") for paper, number in [line.split(",")]
    ]
    field = {
        int(author): int(number)
        for line in _lines("aminer_hetgnn", "a_class_train.txt", "a_class_test.txt")
        for author, number in [line.split(",")]
    }
    authors = sorted({author for author, _ in wrote})
    papers = sorted({paper for _, paper in wrote} | {paper for paper, _ in venue})
    return Network(
        {
            "Author": pa.table({"id": authors, "field": pa.array([field.get(each) for each in authors], pa.int64())}),
            "Paper": pa.table({"id": papers}),
            "Venue": pa.table({"id": sorted({each for _, each in venue})}),
        },
        (
            Edges(
                "Author", "WROTE", "Paper", pa.table({"source": [a for a, _ in wrote], "target": [p for _, p in wrote]})
            ),
            Edges("Paper", "IN", "Venue", pa.table({"source": [p for p, _ in venue], "target": [v for _, v in venue]})),
        ),
    )


def documents(name: str) -> tuple[Star, NDArray[np.int64]]:
    """Return the word counts of documents, of classic3 or cstr as a matrix, and the class of each document."""
    (content,) = _contents(name, f"{name}.mat")
    matrices = loadmat(io.BytesIO(content))  # type: ignore[arg-type]  # it reads open files as well
    counts = csr_array(matrices["A" if "A" in matrices else "fea"], dtype=np.float64)
    classes = np.asarray(matrices["labels" if "labels" in matrices else "gnd"], dtype=np.int64).ravel()
    n_documents, n_words = counts.shape
    kinds = Nodes("Document", range(n_documents)), Nodes("Word", range(n_words))
    return Star((Relation(*kinds, counts),)), classes
