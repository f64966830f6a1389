"""Runs named by their properties, through every command that looks at a run, on both databases."""

import pytest

from tests.cli.program import VENUES, graphmine, interrupt, load_small

RULE = "must Author-WROTE->Paper<-WROTE-Author"


def mined(database: str, k: int, write: str) -> str:
    flags = ["-k", str(k), "--write", write, "--constrain", RULE, "--db", database, "-q", "--format", "json"]
    run: str = graphmine("mine", "--relation", VENUES, *flags).json["run"]["id"]
    return run


def test_a_property_means_its_last_complete_run(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load_small(database)
    older, newer, other = mined(database, 2, "area"), mined(database, 3, "area"), mined(database, 2, "field")

    def shown(name: str) -> tuple[str, str]:
        run = graphmine("runs", "show", name, "--db", database, "--format", "json").json
        return run["id"], run["state"]

    def scored(name: str) -> str:
        run: str = graphmine("score", name, "--truth", "known_area", "--db", database, "--format", "json").json["run"]
        return run

    named = {"area": newer, "area~1": older, "field": other, "last": other, newer[:-1]: newer, older: older}
    assert {name: shown(name)[0] for name in named} == named
    assert {name: scored(name) for name in named} == named

    def sizes(*params: str) -> str:
        return graphmine("query", "sizes", *params, "--db", database, "--format", "csv").out

    assert sizes("-P", "run=area") == sizes("-P", f"run={newer}") != sizes("-P", "run=field") == sizes()
    gone = graphmine("query", "sizes", "-P", "run=area~1", "--db", database, code=1).sentence
    assert gone.startswith(f"the clusters of run {older} no longer stand in 'area', as run {newer} replaced them")
    for command in ("broken", "links"):
        told = graphmine("runs", command, "area", "--db", database, "--format", "csv").out
        assert told == graphmine("runs", command, newer, "--db", database, "--format", "csv").out
    for looking in (["runs", "show"], ["score", "--truth", "known_area"]):
        assert graphmine(*looking, "area~2", "--db", database, code=1).sentence == (
            "there are only 2 complete runs of 'area', and so no 'area~2'; `graphmine runs list` shows them all"
        )
    graphmine("runs", "broken", "area", "--write", "area_broken", "--db", database)
    counted = shown("last")[0]
    assert shown("area_broken") == (counted, "complete")  # it wrote no clusters, and has a record all the same
    refused = graphmine("score", "area_broken", "--truth", "known_area", "--db", database, code=1).sentence
    assert refused.startswith("there is no run 'area_broken' in ")
    assert "there is no run 'area'" in graphmine("runs", "undo", "area", "--db", database, code=1).sentence

    graphmine("runs", "undo", counted, "--db", database)
    graphmine("runs", "undo", newer, "--db", database)
    assert (shown("area"), shown(newer), scored("area")) == ((older, "complete"), (newer, "undone"), older)
    interrupt(monkeypatch, database)
    assert (shown("area"), shown("last")[1]) == ((older, "complete"), "writing")
    assert shown(shown("last")[0]) == shown("last")
