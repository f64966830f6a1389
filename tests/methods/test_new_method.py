"""A method made by the five steps of CONTRIBUTING keeps the contract, and every command takes it."""

from pathlib import Path

import numpy as np
import pytest

from graphmine.methods.catalog import CATALOG
from tests.cli.program import WOMEN, graphmine
from tests.methods.spherical import Spherical, directions
from tests.methods.test_contract import *  # noqa: F403  # its checks run over the METHODS below

METHODS = {"spherical": Spherical}


@pytest.fixture(autouse=True)
def _in_the_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what a line of the catalog does."""
    monkeypatch.setitem(CATALOG, "spherical", Spherical)


@pytest.fixture
def women(ladybug_path: Path) -> str:
    graphmine("load", "davis", "--db", str(ladybug_path))
    return str(ladybug_path)


@pytest.mark.parametrize("seed", range(5))
def test_points_have_length_one_and_keep_their_directions(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(20, 3))
    found = directions(points)
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.allclose(np.cross(found, points), 0)


def test_it_is_mined_with_written_recorded_and_taken_back(women: str) -> None:
    asked = ("mine", "--relation", WOMEN, "-k", "2", "--seed", "0", "--method", "spherical", "--db", women)
    data = graphmine(*asked, "--write", "circle", "--format", "json").json
    assert data["n_clusters"] == 2
    assert "circle" in graphmine("cypher", "MATCH (w:Woman) RETURN w.circle AS circle", "--db", women).out
    (run,) = graphmine("runs", "list", "--db", women, "--format", "json").json
    assert run["method"] == "spherical"
    graphmine("runs", "undo", "last", "--db", women)


@pytest.mark.parametrize(
    "arguments",
    [
        ("mine", "-k", "2", "--dry-run"),
        ("mine", "-k", "auto"),
        ("mine", "-k", "3", "--hierarchy"),
        ("estimate", "-k", "2"),
    ],
)
def test_it_is_planned_chosen_for_split_by_and_estimated(women: str, arguments: tuple[str, ...]) -> None:
    graphmine(*arguments, "--relation", WOMEN, "--method", "spherical", "--db", women)


def test_what_lists_methods_lists_it(women: str) -> None:
    assert "Ng, M. I. Jordan" in graphmine("methods").out
    assert "spherical" in graphmine("schema", "--db", women, "--format", "json").json["views"][0]["methods"]
    assert "spherical" in graphmine("job", "schema").out
    assert "spherical" in graphmine("job", "init", "--db", women).out


def test_it_takes_no_links_and_says_so(women: str) -> None:
    asked = ("mine", "--relation", WOMEN, "-k", "2", "--method", "spherical", "--db", women)
    said = graphmine(*asked, "--constrain", "must same Woman.name", code=3).sentence
    assert said.endswith("spherical takes no constraints; name a method that does, such as loom")
