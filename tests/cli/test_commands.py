"""Every command on both databases: what it prints, in all three forms, and what it changes."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from graphmine.methods.catalog import CATALOG
from tests.cli.program import VENUES, WOMEN, graphmine, interrupt, load_small, snapshot

MINE_VENUES = ["mine", "--relation", VENUES, "-k", "3", "--seed", "0"]


@pytest.fixture
def loaded(database: str) -> str:
    load_small(database)
    return database


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "job.toml"
    path.write_text(f'relation = "{VENUES}"\nn_clusters = 2\nwrite = "area"\nwhere = ["Paper.year >= 2001"]\n')
    return path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def without_time(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in ("seconds", "run")}


def test_load_counts_what_is_new_and_what_was_there(database: str) -> None:
    first = graphmine("load", "davis", "--db", database, "--format", "json").json
    assert first["nodes"]["Woman"] == {"created": 18, "updated": 0, "unchanged": 0}
    assert first["relationships"]["Woman-ATTENDED->Event"]["created"] == 89
    before = snapshot(database)
    second = rows(graphmine("load", "davis", "--db", database, "--format", "csv").out)
    assert [(row["name"], row["created"], row["unchanged"]) for row in second] == [
        ("Woman", "0", "18"),
        ("Event", "0", "14"),
        ("Woman-ATTENDED->Event", "0", "89"),
    ]
    assert snapshot(database) == before


def test_load_csv(database: str, tmp_path: Path) -> None:
    (tmp_path / "authors.csv").write_text("name,age\nann,41\nbob,\n")
    (tmp_path / "papers.csv").write_text("id\n7\n8\n")
    (tmp_path / "wrote.csv").write_text("who,what,share\nann,7,0.5\nbob,8,1\n")
    files = ["--nodes", f"Author={tmp_path}/authors.csv", "--nodes", f"Paper={tmp_path}/papers.csv"]
    files += ["--relationships", f"Author-WROTE->Paper={tmp_path}/wrote.csv"]
    table = graphmine("load", "csv", *files, "--db", database).out
    assert "Author-WROTE->Paper         2" in table
    found = graphmine("cypher", "MATCH (a:Author) RETURN a.name AS n, a.age AS g ORDER BY n", "--db", database,
                      "--format", "json")  # fmt: skip
    assert found.json == [{"n": "ann", "g": 41}, {"n": "bob", "g": None}]


def test_load_csv_tells_of_rows_given_twice(ladybug_path: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id\n1\n2\n")
    (tmp_path / "r.csv").write_text("one,other\n1,2\n1,2\n2,1\n1,2\n")
    (tmp_path / "s.csv").write_text("one,other\n1,2\n1,2\n")
    (tmp_path / "t.csv").write_text("one,other\n1,2\n")
    files = ["--nodes", f"A={tmp_path}/a.csv"]
    for name in "rst":
        files += ["--relationships", f"A-{name.upper()}->A={tmp_path}/{name}.csv"]
    load = ["load", "csv", *files, "--db", str(ladybug_path), "--format"]
    ran = graphmine(*load, "json")
    hint = "a column with a number would keep the count"
    assert ran.err.splitlines() == [
        f"graphmine: warning: A-R->A: 2 rows stand there twice and are taken once; {hint}",
        f"graphmine: warning: A-S->A: 1 row stands there twice and is taken once; {hint}",
    ]
    assert ran.json["relationships"]["A-R->A"] == {"created": 2, "updated": 0, "unchanged": 0, "duplicates": 2}
    assert "duplicates" not in ran.json["relationships"]["A-T->A"]
    listed = rows(graphmine(*load, "csv").out)
    assert [row["duplicates"] for row in listed] == ["", "2", "1", ""]
    assert "duplicates" in graphmine(*load, "table").out


def test_schema_gives_flags_that_can_be_pasted(loaded: str) -> None:
    table = graphmine("schema", "--db", loaded).out
    assert "--relation 'Woman-ATTENDED->Event'" in table
    data = graphmine("schema", "--db", loaded, "--format", "json").json
    kinds = {kind["name"]: kind for kind in data["kinds"]}
    assert kinds["Author"]["count"] == 60
    assert kinds["Paper"]["key"] == "id"
    assert kinds["Paper"]["properties"]["year"] == "integer"
    assert {"source": "Paper", "type": "IN", "target": "Conference", "count": 120}.items() <= next(
        link for link in data["relationships"] if link["type"] == "IN"
    ).items()
    stars = [view["relations"] for view in data["views"] if view["shape"] == "star"]
    assert max(map(len, stars)) == 4
    for view in data["views"]:
        if view["methods"]:
            flags = [flag for relation in view["relations"] for flag in ("--relation", relation)]
            method = [] if "loom" in view["methods"] else ["--method", view["methods"][-1]]
            assert view["flags"].endswith(" ".join(method))
            graphmine("mine", *flags, *method, "-k", "2", "--db", loaded)
    listed = rows(graphmine("schema", "--db", loaded, "--format", "csv").out)
    assert {row["name"]: row["count"] for row in listed if row["what"] == "kind"}["Woman"] == "18"


def test_schema_of_an_empty_database_helps(neo4j_uri: str) -> None:
    assert "is empty; `graphmine load davis`" in graphmine("schema", "--db", neo4j_uri).out
    assert graphmine("schema", "--db", neo4j_uri, "--format", "json").json["kinds"] == []


def test_methods() -> None:
    assert [each["name"] for each in graphmine("methods", "--format", "json").json] == list(CATALOG)
    assert [row["name"] for row in rows(graphmine("methods", "--format", "csv").out)] == list(CATALOG)
    table = graphmine("methods").out
    assert "Dhillon" in table
    assert "n_clusters" in table


def test_mine_without_write_changes_nothing(loaded: str) -> None:
    before = snapshot(loaded)
    data = graphmine(*MINE_VENUES, "--method", "s-co", "--db", loaded, "--format", "json").json
    assert snapshot(loaded) == before
    assert data["run"] is None
    assert data["n_clusters"] == 3
    assert data["kinds"]["Author"]["nodes"] == 60
    for kind, counts in data["kinds"].items():
        sizes = [cluster["kinds"][kind]["size"] for cluster in data["clusters"]]
        assert sum(sizes) + counts["unplaced"] == counts["nodes"]
        assert counts["balance"] == min(sizes) / max(sizes)
    assert data["cut"] == pytest.approx(data["objective"])
    assert 0 < data["modularity"] < 1
    assert set(data["seconds"]) == {"pull", "fit"}


def test_mine_shows_members_measures_and_the_run(loaded: str) -> None:
    ran = graphmine(*MINE_VENUES, "--db", loaded, "--write", "area", "--top", "1")
    assert ran.err == ""
    for word in ("cluster", "cut", "modularity", "balance", "unplaced", "gone", "changed", "seconds", "push", "run"):
        assert word in ran.out
    run = graphmine("runs", "list", "--db", loaded, "--format", "json").json[0]
    assert run["id"] in ran.out


def test_mine_csv_has_every_node_and_the_database_the_same(loaded: str) -> None:
    listed = rows(graphmine(*MINE_VENUES, "--db", loaded, "--write", "area", "--format", "csv").out)
    assert len(listed) == 68
    labels = {row["key"]: row["label"] for row in listed if row["kind"] == "Author"}
    query = "MATCH (a:Author) RETURN a.name AS name, a.area AS area"
    written = rows(graphmine("cypher", query, "--db", loaded, "--format", "csv").out)
    assert {row["name"]: row["area"] for row in written} == labels


def test_both_databases_give_the_same_answers(ladybug_path: Path, neo4j_uri: str, tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_text(f'relation = "{VENUES}"\nn_clusters = 3\nseed = 7\n')
    answers = []
    for database in (str(ladybug_path), neo4j_uri):
        load_small(database)
        data = without_time(graphmine("mine", str(path), "--db", database, "--format", "json").json)
        labels = graphmine("mine", str(path), "--db", database, "--format", "csv").out
        scores = (
            graphmine("mine", str(path), "--db", database, "--write", "area").out
            and graphmine("score", "last", "--truth", "known_area", "--db", database, "--format", "csv").out
        )
        views = graphmine("schema", "--db", database, "--format", "json").json["views"]
        answers.append((data, labels, scores, sorted(view["flags"] for view in views if view["shape"] == "bipartite")))
    assert answers[0] == answers[1]


def test_flags_replace_the_fields_of_a_job(loaded: str, job: Path) -> None:
    plain = graphmine("mine", str(job), "--db", loaded, "--format", "json").json
    assert (plain["n_clusters"], plain["run"]["property"]) == (2, "area")
    assert plain["filters"] == ["Paper.year >= 2001"]
    flags = ["-k", "3", "--seed", "5", "--write", "field", "--where", "Paper.year >= 2002"]
    changed = graphmine("mine", str(job), *flags, "--db", loaded, "--format", "json").json
    assert (changed["n_clusters"], changed["seed"], changed["run"]["property"]) == (3, 5, "field")
    assert changed["filters"] == ["Paper.year >= 2002"]


def test_a_dry_run_says_all_and_changes_nothing(loaded: str, job: Path) -> None:
    before = snapshot(loaded)
    text = graphmine("mine", str(job), "--dry-run", "--db", loaded).out
    assert "would fit     Loom(n_clusters=2) with seed 0" in text
    assert "would write 'area' to the 60 Author nodes, of which 0 hold a value there now" in text
    data = graphmine("mine", str(job), "--dry-run", "--db", loaded, "--format", "json").json
    assert data["reads"]["nodes"] == {"Author": 60, "Paper": 120, "Conference": 8}
    assert data["writes"] == {kind: {"property": "area", "values_now": 0} for kind in ("Author", "Conference")}
    listed = rows(graphmine("mine", str(job), "--dry-run", "--db", loaded, "--format", "csv").out)
    assert listed[0] == {"what": "nodes", "name": "Author", "count": "60", "property": ""}
    assert snapshot(loaded) == before


def test_a_run_is_listed_shown_scored_and_undone(loaded: str) -> None:
    before = snapshot(loaded)
    run = graphmine(*MINE_VENUES, "--db", loaded, "--write", "area", "--format", "json").json["run"]
    assert run["state"] == "complete"
    listed = rows(graphmine("runs", "list", "--db", loaded, "--format", "csv").out)
    assert [(row["run"], row["state"], row["property"]) for row in listed] == [(run["id"], "complete", "area")]
    shown = graphmine("runs", "show", run["id"][:12], "--db", loaded, "--format", "json").json
    assert shown["counts"] == run["counts"]
    assert shown["versions"]["graphmine"]
    assert rows(graphmine("runs", "show", "last", "--db", loaded, "--format", "csv").out)[0]["field"] == "property"
    assert run["id"] in graphmine("runs", "show", "last", "--db", loaded).out
    scores = graphmine("score", "last", "--truth", "known_area", "--db", loaded, "--format", "json").json
    assert scores["run"] == run["id"]
    assert scores["kinds"]["Conference"]["nmi"] == pytest.approx(1.0)
    assert "accuracy" in graphmine("score", "last", "--truth", "known_area", "--db", loaded).out
    undone = graphmine("runs", "undo", "last", "--db", loaded)
    assert "is undone: what stood there before is back" in undone.out
    after = snapshot(loaded)
    assert after[:2] == before[:2]  # type: ignore[index]


def test_cypher_prints_rows_in_three_forms(loaded: str) -> None:
    query = "MATCH (e:Event) RETURN e.name AS event, size(e.name) AS length ORDER BY event LIMIT 2"
    assert graphmine("cypher", query, "--db", loaded, "--format", "json").json == [
        {"event": "E1", "length": 2},
        {"event": "E10", "length": 3},
    ]
    assert graphmine("cypher", query, "--db", loaded, "--format", "csv").out == "event,length\nE1,2\nE10,3\n"
    assert "2 rows" in graphmine("cypher", query, "--db", loaded).out
    nothing = "MATCH (e:Event) WHERE e.name = 'no' RETURN e.name AS event"
    assert graphmine("cypher", nothing, "--db", loaded, "--format", "csv").out == "event\n"
    assert graphmine("cypher", nothing, "--db", loaded, "--format", "json").json == []


def test_cypher_refuses_to_write(loaded: str) -> None:
    before = snapshot(loaded)
    for query in ("CREATE (:Woman {name: 'x'})", "MATCH (n:Woman) SET n.name = 'y'", "MATCH (n) DETACH DELETE n"):
        assert "would write" in graphmine("cypher", query, "--db", loaded, code=1).sentence
    assert snapshot(loaded) == before


def test_an_interrupted_run_is_named_by_every_command_until_it_is_ended(
    loaded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = interrupt(monkeypatch, loaded)
    (run,) = graphmine("runs", "list", "--db", loaded, "--format", "json").json
    sentence = f"graphmine: warning: run {run['id']} on 'area' was interrupted; end it with `graphmine runs resume"
    assert stopped.err.startswith(sentence)
    assert stopped.err.endswith("graphmine: interrupted\n")
    for command in (
        ["schema"], ["load", "davis"], ["runs", "list"], ["runs", "show", "last"], ["cypher", "RETURN 1 AS one"],
        ["mine", "--relation", WOMEN, "-k", "2"], ["mine", "--relation", WOMEN, "-k", "2", "--dry-run"],
    ):  # fmt: skip
        assert graphmine(*command, "--db", loaded).err.startswith(sentence)
    refused = graphmine(*MINE_VENUES, "--write", "area", "--db", loaded, code=1).err.splitlines()
    assert [line.startswith(sentence) for line in refused] == [True, False]
    assert refused[1] == f"graphmine: run {run['id']} has to end first"
    assert "only a complete run can be scored" in graphmine("score", "last", "--truth", "x", "--db", loaded, code=1).err
    ended = graphmine("runs", "resume", run["id"][:-2], "--db", loaded)
    assert ended.err == ""
    assert "is complete" in ended.out
    assert graphmine("schema", "--db", loaded).err == ""


def test_an_interrupted_run_can_be_undone_while_another_is_named(loaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(loaded)
    interrupt(monkeypatch, loaded, "one")
    assert interrupt(monkeypatch, loaded, "other").err.count("on 'one' was interrupted") == 1
    undone = graphmine("runs", "undo", "last", "--db", loaded)
    assert "on 'one' was interrupted" in undone.err
    assert "on 'other'" not in undone.err
    assert graphmine("runs", "undo", "last", "--db", loaded).err == ""
    assert snapshot(loaded)[:2] == before[:2]  # type: ignore[index]


def test_a_run_that_had_not_begun_is_forgotten(loaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ctrl_c(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push._write_journal", ctrl_c)
        graphmine(*MINE_VENUES, "--write", "area", "--db", loaded, code=130)
    ended = graphmine("runs", "resume", "last", "--db", loaded)
    assert "had not begun to change anything and was forgotten" in ended.out
    assert json.loads(graphmine("runs", "list", "--db", loaded, "--format", "json").out)[0]["state"] == "undone"


@pytest.mark.parametrize("name", ["areas.png", "areas.svg"])
def test_mine_draws_a_picture(ladybug_path: Path, tmp_path: Path, name: str) -> None:
    graphmine("load", "davis", "--db", str(ladybug_path))
    picture = tmp_path / name
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--db", str(ladybug_path), "--picture", str(picture))
    assert picture.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")
