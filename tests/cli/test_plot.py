"""``graphmine plot``: pictures in files and in the terminal, on both databases."""

import csv
import io
import os
import sys
from pathlib import Path

import pytest

from tests.cli.program import WOMEN, graphmine, graphmine_process


def mined(database: str, *more: str, write: str = "circle") -> None:
    graphmine("mine", "--relation", WOMEN, "-k", "2", "--write", write, *more, "--db", database, "-q")


def test_both_databases_draw_the_same(database: str, tmp_path: Path) -> None:
    graphmine("load", "davis", "--db", database)
    mined(database)
    shown = graphmine("plot", "last", "--db", database).out
    assert shown == (
        "Woman-ATTENDED->Event: 89 pairs of 18 Woman × 14 Event\n\n"
        "          Event\n           0  1\nWoman      8  6\n    0  9  ▓▓ ░░\n    1  9  ░░ ▓▓\n\n"
        "density over its mean: ░ below ½, ▒ up to 1, ▓ up to 2, █ above; blank for no link\n"
    )
    cells = graphmine("plot", "last", "--db", database, "--format", "json").json["relations"][0]["cells"]
    counted = "MATCH (w:Woman)-[:ATTENDED]->(e:Event) RETURN w.circle AS row, e.circle AS col, count(*) AS links"
    expected = graphmine("cypher", counted, "--db", database, "--format", "json").json
    assert sorted((each["row"], each["col"], each["links"]) for each in expected) == [
        (each["row_cluster"], each["col_cluster"], each["links"]) for each in cells
    ]
    rows = list(csv.DictReader(io.StringIO(graphmine("plot", "last", "--db", database, "--format", "csv").out)))
    assert [float(row["density"]) for row in rows] == [each["density"] for each in cells]
    for kind in ("matrix", "network", "sizes"):
        drawn = graphmine("plot", "last", "--kind", kind, "-o", str(tmp_path / f"{kind}.svg"), "--db", database)
        assert f"drawn to {tmp_path / kind}.svg" in drawn.out
        assert "<svg" in (tmp_path / f"{kind}.svg").read_text(encoding="utf-8")
    mined(database, "--seed", "1", write="again")
    first = graphmine("runs", "list", "--db", database, "--format", "json").json[0]["id"]
    graphmine("plot", first, "last", "--kind", "flow", "-o", str(tmp_path / "flow.png"), "--db", database)
    assert (tmp_path / "flow.png").read_bytes()[:4] == b"\x89PNG"
    flow = graphmine("plot", first, "last", "--kind", "flow", "--only", "Woman", "--db", database, "--format", "json")
    assert sum(each["nodes"] for each in flow.json) == 18
    assert {each["before"] for each in flow.json} == {"circle"}


def test_sizes_are_bars(women: str) -> None:
    mined(women)
    assert graphmine("plot", "last", "--kind", "sizes", "--only", "Event", "--db", women).out == (
        f"Event: 14 nodes\n  0  8  {'█' * 50}\n  1  6  {'█' * 37}▌\n"
    )


def test_a_terminal_without_shades_gets_plain_ones(women: str) -> None:
    mined(women)
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    shown = graphmine_process("plot", "last", "--db", women, env=plain).out
    assert "    0  9  ++ ..\n" in shown
    assert shown.isascii()


def test_what_can_not_be_drawn_is_one_sentence(women: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: str, code: int = 2) -> str:
        return graphmine("plot", *arguments, "--db", women, code=code).sentence

    assert refused("last", code=1).startswith("there is no run 'last'")
    mined(women)
    assert "(did you mean 'network'?)" in refused("last", "--kind", "netwerk")
    assert "picture must end in .png or .svg" in refused("last", "-o", "x.pdf")
    assert "its folder does not exist" in refused("last", "-o", str(tmp_path / "no" / "x.png"))
    assert "can not be drawn in a terminal; name a file with -o" in refused("last", "--kind", "network")
    assert "several are drawn with --kind flow" in refused("last", "last")
    assert "is part of no evolution and no taxonomy; name a second run" in refused("last", "--kind", "flow")
    assert "the same run is named twice" in refused("last", "last", "--kind", "flow")
    assert "there is no kind 'Wman' (did you mean 'Woman'?)" in refused("last", "--kind", "sizes", "--only", "Wman")
    assert "there is no run 'nope'" in refused("nope", code=1)
    graphmine("runs", "undo", "last", "--db", women)
    undone = graphmine("runs", "list", "--format", "json", "--db", women).json[0]["id"]
    assert "is undone, and its labels are gone" in refused(undone, code=1)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pictures need matplotlib" in refused("last", "-o", str(tmp_path / "x.png"))


def test_new_and_gone_nodes_are_warnings(women: str, tmp_path: Path) -> None:
    mined(women)
    (tmp_path / "women.csv").write_text("name\nZoë\n", encoding="utf-8")
    graphmine("load", "csv", "--nodes", f"Woman={tmp_path / 'women.csv'}", "--db", women)
    shown = graphmine("plot", "last", "--db", women)
    assert "1 Woman is new and has no cluster" in shown.sentence
    assert "    –  1\n" in shown.out


@pytest.mark.parametrize("by", ["last", "name"])
def test_an_evolution_and_a_taxonomy_are_flows(women_and_authors: str, tmp_path: Path, by: str) -> None:
    venues = ["--relation", "Author-WROTE->Paper-IN->Conference", "--db", women_and_authors, "-q"]
    if by == "last":
        cut = ["--by", "Paper.year", "--since", "2006", "--until", "2025", "--window", "10", "--step", "10"]
        graphmine("evolve", *venues, *cut, "--method", "scm", "-k", "3", "--write", "area")
        names, name = ["2015", "2025"], "last"
    else:
        graphmine("mine", *venues, "--method", "s-co", "-k", "4", "--hierarchy", "--write", "topic")
        names, name = ["1", "2"], "topic"
    found = graphmine("plot", name, "--kind", "flow", "--db", women_and_authors, "--format", "json").json
    assert {each["before"] for each in found} | {each["after"] for each in found} >= set(names)
    run = graphmine("runs", "list", "--db", women_and_authors, "--format", "json").json[0]["id"]
    picture = str(tmp_path / "flow.svg")
    graphmine("plot", run, "--kind", "flow", "-o", picture, "--db", women_and_authors)
    assert "<svg" in Path(picture).read_text(encoding="utf-8")
