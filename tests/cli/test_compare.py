"""``graphmine compare`` and ``mine --align``, as a user runs them, on both databases."""

import csv
import io
from pathlib import Path

import pytest

from graphmine.exchange.runs import list_runs
from graphmine.store import connect
from tests.cli.program import WOMEN, graphmine


def mined(database: str, *more: str) -> str:
    return graphmine("mine", "--relation", WOMEN, "--method", "scm", "--db", database, "--quiet", *more).out


def test_runs_are_compared_in_all_forms(database: str) -> None:
    graphmine("load", "davis", "--db", database)
    for k in ("2", "3"):
        mined(database, "-k", k, "--write", "circle")
    with connect(database, create=False) as store:
        first, second = (run.id for run in list_runs(store))
    table = graphmine("compare", "circle~1", "circle", "--db", database)
    assert table.err == ""
    assert f"1  {first}, 2 clusters in 'circle'\n2  {second}, 3 clusters in 'circle'" in table.out
    assert "largest moves" in table.out
    assert "largest moves" not in graphmine("compare", first, second, "--moves", "0", "--db", database).out
    data = graphmine("compare", first, "last", "--kind", "Woman", "--format", "json", "--db", database).json
    assert [run["id"] for run in data["runs"]] == [first, second]
    assert [each["kind"] for each in data["agreements"]] == ["Woman"]
    (change,) = data["changes"]
    assert change["stayed"] + change["moved"] == 18
    assert change["moved"] == sum(move["nodes"] for move in data["moves"]) > 0
    out = graphmine("compare", "circle", first, second, "--format", "csv", "--db", database).out
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["kind", "key", second, first, second]
    assert len(rows) == 32
    assert all(row[2] == row[4] for row in rows)
    matrix = graphmine("compare", "circle", first, second, "--db", database).out
    assert matrix.count("AMI above, ARI below") == 2
    assert "against 1" in matrix


def test_mistakes_are_one_sentence_each(women: str) -> None:
    mined(women, "-k", "2", "--write", "a b")
    for arguments, sentence, code in (
        (["a b"], "there is nothing to compare with one run; name two or more", 2),
        (["a b", "c"], f"there is no run 'c' in {women}; `graphmine runs list` shows them all", 1),
        (
            ["a b", "a b", "--kind", "Wman"],
            "the runs have no kind 'Wman', only Woman, Event (did you mean 'Woman'?)",
            2,
        ),
    ):
        assert graphmine("compare", *arguments, "--db", women, code=code).sentence == sentence
    assert "Missing argument" in graphmine("compare", "--db", women, code=2).err


def test_an_interrupted_run_has_to_end_first(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mined(women, "-k", "2", "--write", "circle")

    def ctrl_c(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", ctrl_c)
        graphmine("mine", "--relation", WOMEN, "-k", "2", "--method", "scm", "--write", "x", "--db", women, code=130)
    told = graphmine("compare", "circle", "last", "--db", women, code=1).err.splitlines()
    assert [line.count(" was interrupted") for line in told] == [1, 0]
    assert told[1].endswith("has to end first")
    assert graphmine("compare", "circle", "circle", "--db", women).out  # the others can still be compared


def test_numbers_follow_and_the_report_says_so(database: str, tmp_path: Path) -> None:
    graphmine("load", "davis", "--db", database)
    assert "numbers  " not in mined(database, "-k", "2", "--write", "circle")
    with connect(database, create=False) as store:
        (first,) = (run.id for run in list_runs(store))
    job = tmp_path / "job.toml"
    job.write_text(f"relation = '{WOMEN}'\nn_clusters = 2\nmethod = 'scm'\nwrite = 'circle'\nalign = '{first[:-2]}'\n")
    told = f"would follow  the cluster numbers of run {first}"
    assert told in graphmine("mine", str(job), "--dry-run", "--db", database).out
    assert "would follow" not in graphmine("mine", str(job), "--align", "none", "--dry-run", "--db", database).out
    out = graphmine("mine", str(job), "--db", database, "--quiet").out
    assert f"numbers       follow run {first}: 2 of 2 clusters, 32 of 32 nodes keep theirs" in out
    assert f"aligned_to {first}" in graphmine("runs", "show", "last", "--db", database).out
    assert "numbers  " not in mined(database, "-k", "2", "--write", "circle", "--align", "none")
    sentence = graphmine("mine", str(job), "--align", "nothing", "--db", database, "--quiet", code=1).sentence
    assert sentence.startswith("there is no run 'nothing' in ")
