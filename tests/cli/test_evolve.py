"""Evolution from the command line: flags and job files, three forms, flow and unwinding."""

import csv
import io
import re
from pathlib import Path

import pytest

from graphmine.exchange.load import load
from graphmine.gallery import drifting
from graphmine.store import connect
from tests.cli.program import graphmine, snapshot
from tests.snapshots import PUBLISHED, papers

EVOLVE = ["evolve", "--relation", PUBLISHED, "--by", "Paper.year", "-k", "3", "--method", "scm"]
SNAPSHOTS = drifting(3, 60, 12, degree=3, noise=0.1, seed=1)


@pytest.fixture
def years(ladybug_path: Path) -> str:
    """An embedded database with three years of papers."""
    with connect(str(ladybug_path)) as store:
        load(store, papers(SNAPSHOTS))
    return str(ladybug_path)


@pytest.fixture
def both(database: str) -> str:
    """Three years of papers in each sort of database."""
    with connect(database) as store:
        load(store, papers(SNAPSHOTS))
    return database


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_evolve_writes_tells_and_unwinds(both: str) -> None:
    before = snapshot(both)[0]  # type: ignore[index]
    ran = graphmine(*EVOLVE, "--write", "field", "--db", both)
    assert ran.err == ""
    name = re.search(r"field-[0-9a-f]{6}", ran.out)
    assert name
    for word in ("2000", "2001", "2002", "agreement", "largest moves", "field_2001", "memory        0.5"):
        assert word in ran.out
    again = graphmine(*EVOLVE, "--write", "field", "--db", both)
    assert "2000, 2001, 2002: on record already, not fitted again" in again.out
    listed = rows(graphmine("runs", "flow", name[0], "--kind", "Author", "--db", both, "--format", "csv").out)
    assert sum(int(row["nodes"]) for row in listed if row["after"] == "2001" and row["to"]) == 48
    query = "MATCH (a:Author) WHERE a.field_2000 = 0 AND a.field_2001 = 0 RETURN count(*) AS n"
    (counted,) = graphmine("cypher", query, "--db", both, "--format", "json").json
    stayed = [row for row in listed if (row["after"], row["from"], row["to"]) == ("2001", "0", "0")]
    assert counted["n"] == int(stayed[0]["nodes"])
    undone = graphmine("runs", "unwind", "last", "--db", both)
    assert "3 runs undone" in undone.out
    assert snapshot(both)[0] == before  # type: ignore[index]


def test_without_write_nothing_is_written(years: str) -> None:
    before = snapshot(years)
    data = graphmine(*EVOLVE, "--db", years, "--format", "json").json
    assert snapshot(years) == before
    assert data["evolution"] is None
    assert [each["snapshot"] for each in data["snapshots"]] == ["2000", "2001", "2002"]
    assert {each["kind"] for each in data["flows"]} == {"Author", "Venue"}
    assert data["snapshots"][1]["changes"][0]["before"] == "2000"
    listed = rows(graphmine(*EVOLVE, "--db", years, "--format", "csv").out)
    assert [row["snapshot"] for row in listed].count("2001") == 48 + 12
    assert {row["label"] for row in listed} <= set("0123456789")


def test_a_job_file_says_the_same(years: str, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(
        f"relation = '{PUBLISHED}'\nby = 'Paper.year'\nwindow = 2\nmemory = 1\nn_clusters = 3\nmethod = 'scm'\n"
    )
    from_file = graphmine("evolve", str(job), "--db", years, "--format", "json").json
    flags = graphmine(*EVOLVE, "--window", "2", "--memory", "1", "--db", years, "--format", "json").json
    assert from_file == flags
    cumulative = graphmine("evolve", str(job), "--window", "all", "--db", years, "--format", "json").json
    assert cumulative["window"] == "all"
    assert len(cumulative["snapshots"]) == 3


def test_skipped_snapshots_and_left_over_time_are_warned_of(years: str) -> None:
    ran = graphmine(*EVOLVE, "--since", "1999", "--db", years)
    assert "warning: snapshot 1999 was skipped: no Author nodes are linked" in ran.err
    assert "skipped       1999" in ran.out
    ran = graphmine(*EVOLVE, "--since", "1999", "--step", "2", "--until", "2002", "--db", years)
    assert "warning: what is after 2001 is in no snapshot" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--by", "Paper.yer"], 2, "Paper has no property 'yer'.*did you mean 'year'"),
        (["--window", "0"], 2, "window must be a whole number of at least 1, was 0"),
        (["--window", "some"], 2, "window must be a whole number of at least 1, or all, was 'some'"),
        (["--step", "0"], 2, "step must be a whole number of at least 1"),
        (["--window", "5"], 2, "gives no snapshot of window 5"),
        (["--memory", "-1"], 2, "memory must be a number from 0"),
        (["--method", "s-co"], 3, "s-co takes no must-links.*--memory 0"),
        (["--by", "Author.name"], 1, "Author.name holds text, and snapshots are cut by numbers"),
        (["--write", "name", "--by", "year"], 2, "write it as Kind.property"),
        (["nowhere.toml"], 2, "the job nowhere.toml can not be read"),
    ],
)
def test_what_can_not_evolve(years: str, arguments: list[str], code: int, sentence: str) -> None:
    before = snapshot(years)
    said = graphmine(*EVOLVE, *arguments, "--write", "field", "--db", years, code=code).sentence
    assert re.search(sentence, said), said
    assert snapshot(years) == before


def test_a_job_file_with_a_wrong_field(tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{PUBLISHED}'\nbye = 'Paper.year'\nn_clusters = 3\n")
    assert "unknown field 'bye' (did you mean 'by'?)" in graphmine("evolve", str(job), code=2).sentence


def test_evolutions_that_are_not_there(years: str) -> None:
    for command in (["runs", "flow", "last"], ["runs", "unwind", "field"]):
        said = graphmine(*command, "--db", years, code=1).sentence
        assert re.search("there is no evolution( or taxonomy)? '(last|field)'", said)
