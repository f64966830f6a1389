"""``graphmine query`` as a user meets it."""

from pathlib import Path

import pytest

from graphmine.questions.catalog import question_names
from tests.cli.program import WOMEN, graphmine


@pytest.fixture
def circles(women: str) -> str:
    """The Southern women, mined."""
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women)
    return women


def test_answers_in_every_format(circles: str) -> None:
    ask = ["query", "sizes", "--db", circles]
    rows = graphmine(*ask, "--format", "json").json
    assert sum(row["nodes"] for row in rows) == 18 + 14
    lines = graphmine(*ask, "--format", "csv").out.splitlines()
    assert lines == ["cluster,kind,nodes", *(f"{row['cluster']},{row['kind']},{row['nodes']}" for row in rows)]
    assert graphmine(*ask).out.rstrip().endswith("4 rows")
    shares = graphmine("query", "cohesion", "--db", circles, "--format", "json").json
    assert f"{shares[0]['share']:.4g}" in graphmine("query", "cohesion", "--db", circles).out


def test_lists_and_texts_need_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [each["name"] for each in graphmine("query", "--list", "--format", "json").json] == question_names()
    assert graphmine("query", "--list", "--format", "csv").out.startswith("name,answers,parameters\n")
    (cluster,) = [
        each
        for each in graphmine("query", "members", "--list", "--format", "json").json["parameters"]
        if each["name"] == "cluster"
    ]
    assert cluster["required"]
    source = graphmine("query", "members", "--source").out
    assert source.startswith("// answers: ")
    assert list(tmp_path.iterdir()) == []


def test_a_query_can_be_taken_away(circles: str, tmp_path: Path) -> None:
    found = graphmine("query", "core", "--db", circles, "--format", "json").json
    shown = graphmine("query", "core", "--show", "--db", circles).out
    assert "$" not in shown
    assert graphmine("cypher", shown, "--db", circles, "--format", "json").json == found
    own = tmp_path / "mine.cypher"
    own.write_text(graphmine("query", "core", "--source").out, encoding="utf-8")
    assert graphmine("query", str(own), "--db", circles, "--format", "json").json == found


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["brige"], 2, "there is no query 'brige' (did you mean 'bridges'?)"),
        ([], 2, "the name of the query is missing"),
        (["members"], 2, "query members needs the parameter cluster (the cluster); give it as -P cluster=…"),
        (["members", "-P", "clustr=1"], 2, "query members has no parameter 'clustr' (did you mean 'cluster'?)"),
        (["members", "-P", "cluster"], 2, "-P 'cluster' can not be read; write it as key=value"),
        (["members", "-P", "cluster=1", "-P", "cluster=2"], 2, "the parameter cluster is given twice"),
        (["members", "-P", "cluster=one"], 2, "parameter cluster of query members must be a whole number, was 'one'"),
        (["core", "-P", "kind=Wuman"], 2, "the database has no kind 'Wuman' (did you mean 'Woman'?)"),
        (["core", "-P", "property=circel"], 2, "Woman has no property 'circel' (did you mean 'circle'?)"),
        (["core", "-P", "relation=Woman-ATENDED->Event"], 2, "the database has no relationship type 'ATENDED'"),
        (["core", "-P", "run=nosuch"], 1, "there is no run 'nosuch' in "),
        (["nosuch.cypher"], 2, "the query file nosuch.cypher can not be read: No such file or directory"),
    ],
)
def test_every_mistake_is_one_sentence(circles: str, arguments: list[str], code: int, sentence: str) -> None:
    assert graphmine("query", *arguments, "--db", circles, code=code).sentence.startswith(sentence)


def test_no_run_yet(women: str) -> None:
    said = graphmine("query", "sizes", "--db", women, code=1).sentence
    assert said == f"there is no complete run in {women}; `graphmine mine` with --write makes one"


def test_names_complete() -> None:
    from graphmine.cli.query import _query_names

    assert _query_names("br") == ["bridges", "brokers"]
