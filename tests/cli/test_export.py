"""``graphmine export``: the command, and loading again what it wrote."""

import shlex
from pathlib import Path

import pytest

from tests.cli.program import WOMEN, graphmine, snapshot

LABELS = "MATCH (n:Woman) RETURN n.{} AS name, n.{} AS label ORDER BY name"


def load_again(told: str, database: str, *more: str) -> None:
    (line,) = (line for line in told.splitlines() if line.startswith("to load it again: graphmine "))
    graphmine(*shlex.split(line.removeprefix("to load it again: graphmine ")), "--db", database, *more)


@pytest.mark.parametrize("flags", [["out"], ["out", "--as", "parquet"], ["out.graphml"]])
def test_what_is_exported_can_be_loaded_and_mined_again(
    women: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women, "-q")
    other = str(tmp_path / "other.lbug")
    load_again(graphmine("export", "circle", "-o", *flags, "--db", women).out, other)
    first = graphmine("cypher", LABELS.format("name", "circle"), "--db", women, "--format", "json").json
    assert graphmine("cypher", LABELS.format("name", "cluster"), "--db", other, "--format", "json").json == first
    graphmine(
        "mine", "--relation", "Woman-ATTENDED{weight}->Event", "-k", "2", "--write", "circle", "--db", other, "-q"
    )
    assert graphmine("cypher", LABELS.format("name", "circle"), "--db", other, "--format", "json").json == first


@pytest.mark.parametrize("flags", [["out"], ["out", "--as", "parquet"], ["out.graphml"]])
def test_odd_names_and_values_come_back_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = 'the id:string,x:int:int,a `b` $c,half\n007,1,"two\nlines, ""q"" & <b>",0.5\n010,2,,\n+4,,naïve,2\n'
    (tmp_path / "people.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "rooms.csv").write_text("the id:string,kind\nr1,k\nr2,\n", encoding="utf-8")
    (tmp_path / "in.csv").write_text("who:string,where,weight\n007,r1,2\n010,r1,1.5\n010,r2,1\n", encoding="utf-8")
    files = ["--nodes", "`na``ï$v=e`=people.csv", "--nodes", "a room=rooms.csv"]
    relation = "`na``ï$v=e`-`is in`->`a room`"
    graphmine("load", "csv", *files, "--relationships", f"{relation}=in.csv", "--db", "one.lbug")
    weighted = "`na``ï$v=e`-`is in`{weight}->`a room`"
    graphmine("mine", "--relation", weighted, "-k", "1", "--write", "cluster", "--db", "one.lbug", "-q")
    load_again(graphmine("export", "last", "-o", *flags, "--db", "one.lbug").out, "two.lbug")
    names = "n.`x:int` AS x, n.`a ``b`` $c` AS y, n.half AS half, n.cluster AS label"
    nodes = f"MATCH (n:`na``ï$v=e`) RETURN n.`the id` AS i, {names} ORDER BY i"
    links = "MATCH (a)-[r:`is in`]->(b) RETURN a.`the id` AS i, b.`the id` AS j, r.weight AS weight ORDER BY i, j"
    for query in (nodes, links):
        first, second = (
            graphmine("cypher", query, "--db", f"{db}.lbug", "--format", "json").json for db in ("one", "two")
        )
        assert first == second
        assert len(first) == 3


def test_graphml_goes_back_into_the_database_it_came_from(women: str, tmp_path: Path) -> None:
    file, flags = str(tmp_path / "x.graphml"), ["--db", women, "--format", "json"]
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women, "-q")
    graphmine("export", "circle", "-o", file, "--db", women)
    loaded = graphmine("load", "graphml", file, "--nodes-only", *flags).json
    assert loaded["nodes"]["Woman"] == {"created": 0, "updated": 18, "unchanged": 0}
    assert loaded["relationships"] == {}
    written, exported = (
        graphmine("cypher", LABELS.format("name", name), *flags).json for name in ("circle", "cluster")
    )
    assert written == exported
    before = snapshot(women)
    again = graphmine("load", "graphml", file, "--nodes-only", *flags).json
    assert again["nodes"]["Event"] == {"created": 0, "updated": 0, "unchanged": 14}
    assert snapshot(women) == before
    linked = [graphmine("load", "graphml", file, *flags).json["relationships"][WOMEN] for _ in range(2)]
    assert [each["created"] for each in linked] == [89, 0]  # those of the database have no weight
    called = graphmine("load", "graphml", file, "--key", "title", *flags, code=1).sentence
    assert called == "the key of Woman is 'name' in the database, but 'title' in the data"


def test_what_can_not_be_exported_is_one_sentence(women: str, tmp_path: Path) -> None:
    file = str(tmp_path / "x.json")
    assert "there is no run 'last'" in graphmine("export", "last", "-o", file, "--db", women, code=1).sentence
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", women, "-q")
    done = graphmine("export", "last", "-o", file, "--db", women, "--format", "json").json
    assert done["links"] == {WOMEN: 89}
    refused = graphmine("export", "last", "-o", file, "--db", women, code=2).sentence
    assert refused.endswith("is there already; say --overwrite to replace it, or name another")
    graphmine("export", "last", "-o", file, "--overwrite", "--db", women)
    over = graphmine("export", "last", "-o", "-", "--db", women, code=2).sentence
    assert over == "an export can not go to stdout; name a file or a folder"
    assert "did you mean 'json'" in graphmine("export", "last", "-o", "x.jsn", "--db", women, code=2).sentence
    assert "was 'xml'" in graphmine("export", "last", "-o", "x", "--as", "xml", "--db", women, code=2).sentence


def test_the_database_is_not_replaced_by_its_export(tmp_path: Path) -> None:
    file = str(tmp_path / "women.lbug")
    graphmine("load", "davis", "--db", file)
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", "circle", "--db", file, "-q")
    told = graphmine("export", "last", "-o", file, "--as", "json", "--overwrite", "--db", file, code=2).sentence
    assert told == f"output {file!r} is the database itself; name another"
    assert len(graphmine("runs", "list", "--db", file, "--format", "json").json) == 1
