"""Real networks, for experiments: read from the archives in GRAPHMINE_DATA, which are not part of the project."""

import pytest

from benchmarks import sets
from graphmine.arrays import Ints
from graphmine.datasets import archives
from graphmine.datasets.by_name import dataset
from graphmine.datasets.network import Network
from graphmine.errors import DataError
from graphmine.model import Star


def there(name: str) -> None:
    """Skip the test that asks for a set which is not there."""
    try:
        archives.archive(name)
    except DataError as error:
        pytest.skip(str(error))


def aminer() -> Network:
    """Return authors, papers and venues of AMiner, with the field of a part of the authors."""
    there("aminer_hetgnn")
    return dataset("aminer_hetgnn")


def documents(name: str) -> tuple[Star, Ints]:
    """Return the word counts of documents, of classic3 or cstr as a matrix, and the class of each document."""
    there(name)
    star, truth = sets.documents(name)
    return star, truth["Document"]
