"""A loaded embedded database for tests that need one and no other."""

import shutil
from pathlib import Path

import pytest

from tests.cli.program import graphmine


@pytest.fixture(scope="session")
def _women_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("women") / "graph.lbug"
    graphmine("load", "davis", "--db", str(path))
    return path


@pytest.fixture
def women(_women_file: Path, ladybug_path: Path) -> str:
    """An embedded database with the Southern women, ours to spoil."""
    return str(shutil.copy(_women_file, ladybug_path))


@pytest.fixture(scope="session")
def _authors_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("authors") / "graph.lbug"
    graphmine("load", "davis", "--db", str(path))
    graphmine("load", "academic", "--authors", "60", "--terms", "20", "--db", str(path))
    return path


@pytest.fixture
def women_and_authors(_authors_file: Path, ladybug_path: Path) -> str:
    """An embedded database with the Southern women and a small academic network, ours to spoil."""
    return str(shutil.copy(_authors_file, ladybug_path))
