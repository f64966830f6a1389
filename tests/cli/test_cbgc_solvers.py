"""The solvers of CBGC by their flag, and how a program that does not fit ends."""

import pytest

from graphmine.linalg import resources
from tests.cli.program import WOMEN, graphmine

MINE = ["mine", "--relation", WOMEN, "-k", "2", "--seed", "0", "--method", "cbgc", "--format", "json"]


@pytest.fixture
def women(database: str) -> str:
    graphmine("load", "davis", "--db", database)
    return database


@pytest.mark.parametrize("solver", ["sdp", "lowrank"])
def test_the_paper_s_own_problem_is_a_parameter_away(women: str, solver: str) -> None:
    found = graphmine(*MINE, "--param", f"solver={solver}", "--param", "theta=[1, 2]", "--db", women).json
    assert found["converged"]
    assert [cluster["kinds"]["Woman"]["size"] for cluster in found["clusters"]] == [9, 9]  # as Freeman (2003) has them


def test_a_program_that_does_not_fit_is_refused_with_its_own_code(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "available_memory", lambda: 1_000_000)
    ended = graphmine(*MINE, "--param", "solver=sdp", "--db", women, code=4)
    assert "the semidefinite program of 32 nodes would take about" in ended.err
    assert ended.out == ""


def test_bounds_that_no_embedding_keeps_are_refused_before_the_pull(women: str) -> None:
    ended = graphmine(*MINE, "--param", "solver=lowrank", "--param", "theta=[9, 1]", "--db", women, code=2)
    assert ended.sentence.startswith("theta must be two numbers")
