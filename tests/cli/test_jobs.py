"""Job files from the command line: begun, checked, described, and run with several fits."""

import csv
import io
import json
import os
import tomllib
from pathlib import Path

import pytest

from graphmine.job.schema import job_schema
from graphmine.store import connect
from tests.cli.program import VENUES, WOMEN, graphmine, load_small, snapshot
from tests.job.test_mistakes import FIVE

FITS = f"""\
relation = "{VENUES}"
n_clusters = 3
method = "s-co"

[[fit]]

[[fit]]
name = "told"
method = "scm"
constrain = "known Author.known_area; fraction 0.2"
write = "area"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "job.toml"


def test_init_writes_what_check_and_mine_take(women: str, file: Path) -> None:
    out = graphmine("job", "init", "--db", women).out
    assert tomllib.loads(out) == {"relation": WOMEN, "n_clusters": "auto", "db": women}
    assert graphmine("job", "init", "-", "--db", women).out == out
    said = graphmine("job", "init", str(file), "--db", women)
    assert file.read_text(encoding="utf-8") == out
    assert (said.out, said.err) == (f"{file} is written; `graphmine mine {file}` runs it\n", "")
    assert graphmine("job", "check", str(file), "--db", women).out == f"{file}: no mistakes\n"
    assert graphmine("mine", str(file), "--format", "json").json["relations"][0]["pattern"] == WOMEN


def test_init_replaces_no_file(women: str, file: Path, tmp_path: Path) -> None:
    file.write_text("mine")
    said = graphmine("job", "init", str(file), "--db", women, code=2).sentence
    assert said == f"{file} is there already; name another file, or say --overwrite"
    assert file.read_text() == "mine"
    graphmine("job", "init", str(file), "--overwrite", "--db", women)
    assert file.read_text().startswith("# A job for graphmine")
    assert "No such file" in graphmine("job", "init", str(tmp_path / "no" / "a.toml"), "--db", women, code=1).sentence


def test_init_of_an_empty_database_is_one_sentence(ladybug_path: Path, file: Path) -> None:
    with connect(ladybug_path):
        pass
    said = graphmine("job", "init", str(file), "--db", str(ladybug_path), code=1).sentence
    assert said.startswith("there is nothing to mine yet, as the database holds no nodes; `graphmine load`")
    assert not file.exists()


def test_five_mistakes_at_once(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file.write_text(FIVE)
    lines = graphmine("job", "check", "job.toml", code=2).out.splitlines()
    assert [line.split(": ")[:2] for line in lines[:-1]] == [
        ["job.toml:3", "relation[1]"],
        ["job.toml:5", "n_clusters"],
        ["job.toml:6", "where"],
        ["job.toml:7", "seeds"],
        ["job.toml:8", "method"],
    ]
    assert lines[-1] == "job.toml: 5 mistakes"
    data = graphmine("job", "check", "job.toml", "--format", "json", code=2).json
    assert [each["line"] for each in data["mistakes"]] == [3, 5, 6, 7, 8]
    assert data["mistakes"][3] == {
        "file": "job.toml", "line": 7, "field": "seeds", "mistake": "unknown field 'seeds' (did you mean 'seed'?)",
    }  # fmt: skip
    for command in ("mine", "evolve"):
        head, *told = graphmine(command, "job.toml", "--db", "never.lbug", code=2).err.splitlines()
        sentences = [line.split(": ", 1)[1] for line in told]
        if command == "evolve":
            assert head == "graphmine: the job job.toml has 6 mistakes:"
            assert sentences.pop(0) == "it needs a field 'by', such as Paper.year"
        assert sentences == [each["mistake"] for each in data["mistakes"]]
    assert os.listdir(tmp_path) == ["job.toml"]


def test_several_files_and_their_forms(file: Path, tmp_path: Path) -> None:
    good, missing = tmp_path / "good.toml", tmp_path / "missing.toml"
    good.write_text(f"relation = '{WOMEN}'\nn_clusters = 2\n")
    file.write_text(f"relation = '{WOMEN}'\nn_clusters = 2\nseed = \n")
    out = graphmine("job", "check", str(good), str(file), str(missing), "--format", "csv", code=2).out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["file"], row["line"], row["field"]) for row in rows] == [(str(file), "3", ""), (str(missing), "", "")]
    assert "(at line 3, column 8)" in rows[0]["mistake"]
    assert graphmine("job", "check", str(good), "--format", "json").json["mistakes"] == []


def test_check_looks_for_names_in_a_database(database: str, file: Path) -> None:
    load_small(database)
    file.write_text(
        f"relation = '{VENUES}'\nwhere = ['Paper.year > 2000', 'Paper.yaer > 2000']\nkey = 'Author.nam'\n"
        "n_clusters = 2\n[[fit]]\nconstrain = ['must same Author.town', 'must same Woman.name']\n[[fit]]\n"
    )
    assert graphmine("job", "check", str(file)).out.endswith("no mistakes\n")
    data = graphmine("job", "check", str(file), "--db", database, "--format", "json", code=2).json["mistakes"]
    assert [(each["line"], each["field"]) for each in data] == [
        (2, "where[1]"),
        (3, "key"),
        (6, "fit[0].constrain[0]"),
        (6, "fit[0].constrain[1]"),
    ]
    assert "did you mean 'year'" in data[0]["mistake"]
    file.write_text("relation = ['Author-WROTE->Pepper', 'Author-ROTE->Paper']\nn_clusters = 2\nby = 'Paper.yaer'\n")
    data = graphmine("job", "check", str(file), "--db", database, "--format", "json", code=2).json["mistakes"]
    assert [each["field"] for each in data] == ["relation[0]", "relation[1]"]


def test_schema_is_what_editors_take() -> None:
    assert json.loads(graphmine("job", "schema").out) == job_schema()


def test_fits_are_compared(database: str, file: Path) -> None:
    load_small(database)
    file.write_text(FITS)
    arguments = ["mine", str(file), "--db", database, "--truth", "known_area"]
    data = graphmine(*arguments, "--format", "json").json
    assert [(each["fit"], each["method"], each["n_clusters"]) for each in data["fits"]] == [
        ("s-co", "s-co", 3),
        ("told", "scm", 3),
    ]
    assert [each["property"] for each in data["fits"]] == [None, "area"]
    assert {each["kind"] for each in data["agreement"]} == {"Author", "Conference"}
    assert {(each["fit"], each["unconstrained"]) for each in data["scores"] if each["kind"] == "Author"} == {
        ("s-co", False), ("s-co", True), ("told", False), ("told", True),
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(graphmine(*arguments, "--format", "csv").out)))
    cuts = [float(row["value"]) for row in rows if row["measure"] == "cut"]
    assert cuts == pytest.approx([each["cut"] for each in data["fits"]])
    table = graphmine(*arguments).out
    assert "how far they agree with known_area" in table
    assert "labels of told in 'area'" in table
    run = data["fits"][1]["run"]
    by_score = graphmine("score", run, "--truth", "known_area", "--db", database, "--format", "json").json
    told = next(each for each in data["scores"] if each["fit"] == "told" and each["unconstrained"])
    assert told["scores"] == pytest.approx(by_score["unconstrained"]["Author"])


def test_a_dry_run_of_fits_changes_nothing(women_and_authors: str, file: Path) -> None:
    file.write_text(FITS.replace("n_clusters = 3", "n_clusters = 2"))
    before = snapshot(women_and_authors)
    out = graphmine("mine", str(file), "--dry-run", "--db", women_and_authors).out
    assert "fit           told" in out
    assert "would write 'area'" in out
    data = graphmine("mine", str(file), "--dry-run", "--db", women_and_authors, "--format", "json").json
    assert [each["fit"] for each in data] == ["s-co", "told"]
    assert snapshot(women_and_authors) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--truth", "known_are"], "none of Author, Conference has a property 'known_are' to compare with"),
        (["--picture", "a.png"], "--picture and --curves draw one fit, and the job holds several"),
        (["--write", "x"], "two fits write to 'x'; give each its own"),
        (["--relation", "Author-WROTE->Paper-INN->Conference"], "no relationship type 'INN'"),
    ],
)
def test_what_can_not_be_compared(women_and_authors: str, file: Path, arguments: list[str], sentence: str) -> None:
    file.write_text(FITS)
    before = snapshot(women_and_authors)
    assert sentence in graphmine("mine", str(file), *arguments, "--db", women_and_authors, code=2).sentence
    assert snapshot(women_and_authors) == before


def test_one_fit_has_no_truth_to_be_compared_by(women: str) -> None:
    said = graphmine("mine", "--relation", WOMEN, "-k", "2", "--truth", "x", "--db", women, code=2).sentence
    assert said.startswith("--truth compares several fits")
