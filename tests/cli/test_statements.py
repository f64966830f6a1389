"""How often a command asks a database: for its schema and for its runs once, not wherever they matter."""

import pytest

from tests.cli.program import VENUES, graphmine
from tests.statements import statements

ABOUT_NAMES = ("CALL db.", "CALL show_tables", "CALL table_info", "SHOW CONSTRAINTS")
RULE = "must Author-WROTE->Paper<-WROTE-Author >= 3"


@pytest.fixture
def loaded(database: str) -> str:
    """A database of each sort with a small academic network."""
    graphmine("load", "academic", "--authors", "120", "--terms", "20", "--db", database)
    return database


def asked(*arguments: str) -> list[str]:
    """Return the statements that a command sends."""
    with statements() as sent:
        graphmine(*arguments)
    return sent


def test_mining_with_a_rule_and_undoing_ask_little(loaded: str) -> None:
    mine = ["mine", "--relation", VENUES, "-k", "4", "--constrain", RULE, "--write", "area", "--db", loaded]
    assert len(asked(*mine)) <= 26
    assert len(asked(*mine)) <= 28  # it also reads the runs, and the journal of the first
    assert len(asked(*mine, "--seed", "1", "--format", "json")) <= 28
    for _ in range(3):
        assert len(asked("runs", "undo", "last", "--db", loaded)) <= 22


def test_mining_again_reads_the_journal_of_the_first_run_once(loaded: str) -> None:
    mine = ["mine", "--relation", VENUES, "-k", "4", "--write", "area", "--db", loaded]
    graphmine(*mine)
    assert len([each for each in asked(*mine) if "(b:GraphmineBatch" in each and "RETURN" in each]) == 1


def test_everything_is_counted_in_one_statement(loaded: str) -> None:
    for command in (["estimate", "--relation", VENUES, "-k", "4"], ["schema"]):
        assert len([each for each in asked(*command, "--db", loaded) if "count(*)" in each and "UNION" in each]) == 1


def test_the_schema_and_the_runs_are_asked_for_once(loaded: str) -> None:
    mine = ["mine", "--relation", VENUES, "-k", "4", "--constrain", RULE, "--db", loaded]
    graphmine(*mine, "--write", "area")
    look = ["constraints", "--relation", VENUES, "--constrain", RULE, "--db", loaded]
    for command in (mine, [*mine, "--dry-run"], look, ["estimate", *mine[1:]]):
        about = [each for each in asked(*command) if each.startswith(ABOUT_NAMES) or "(r:GraphmineRun)" in each]
        assert len(set(about)) == len(about)
    undo = asked("runs", "undo", "last", "--db", loaded)
    assert len([each for each in undo if each.startswith("MATCH (r:GraphmineRun)\nRETURN")]) == 1
