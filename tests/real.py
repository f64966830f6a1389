"""Real networks, for experiments: read from the archives in GRAPHMINE_DATA, which are not part of the project."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from benchmarks import sets
from graphmine.datasets import Edges, Network, found
from graphmine.errors import DataError
from graphmine.model import Star


def there(name: str) -> None:
    """Skip the test that asks for a set which is not there."""
    try:
        found.archive(name)
    except DataError as error:
        pytest.skip(str(error))


def aminer() -> Network:
    """Return authors, papers and venues of AMiner (Zhang et al., KDD 2019), with the field of a part of the authors."""
    there("aminer_hetgnn")
    wrote, venue, field = sets.aminer_pairs()
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


def aminer_years() -> Network:
    """Return the papers of `aminer` with the year of each, counted from 1, to load over them."""
    there("aminer_hetgnn")
    (content,) = found.contents("aminer_hetgnn", "p_time.txt")
    dated = [line.split() for line in content.decode().splitlines()]
    papers = {"id": [int(paper) for paper, _ in dated], "year": [int(year) for _, year in dated]}
    return Network({"Paper": pa.table(papers)}, ())


def documents(name: str) -> tuple[Star, NDArray[np.int64]]:
    """Return the word counts of documents, of classic3 or cstr as a matrix, and the class of each document."""
    there(name)
    star, truth = sets.documents(name)
    return star, truth["Document"]
