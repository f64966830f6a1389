"""Sets by name from the command line: the list, the commands made from the catalog, completion, and what goes wrong."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphmine.dataset_catalog import DATASETS
from tests.cli.program import graphmine
from tests.datasets.made_archives import SMALL, pack


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_the_list_says_what_is_here_and_where_the_rest_can_be_had(folder: Path) -> None:
    path = SMALL["acm_hin"](folder)
    listed = {each["name"]: each for each in graphmine("datasets", "--format", "json").json}
    assert list(listed) == list(DATASETS)
    assert [name for name, each in listed.items() if each["here"]] == ["davis", "karate", "academic", "acm_hin"]
    assert (listed["acm_hin"]["path"], listed["yeast"]["path"]) == (str(path), None)
    assert listed["acm_hin"]["kinds"] == {"Paper": 4019, "Author": 7167, "Subject": 60}
    assert listed["ng20_original"]["options"]["words"]["default"] == 1000
    rows = list(csv.DictReader(io.StringIO(graphmine("datasets", "--format", "csv").out)))
    assert [row["here"] for row in rows] == [str(each["here"]).lower() for each in listed.values()]
    table = graphmine("datasets").out
    assert f"found         1 set in {folder}" in table
    assert f"  yeast: {DATASETS['yeast'].how_to_get}\n" in table
    assert "acm_hin:" not in table


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_is_a_command_with_its_options(name: str) -> None:
    assert f"\n  {name} " in graphmine("load", "--help").out
    help_ = graphmine("load", name, "--help").out
    assert all(f"--{option} " in help_ for option in (*DATASETS[name].options, "db", "format"))


def test_a_set_is_loaded_with_its_options_and_again_without_change(database: str, folder: Path) -> None:
    SMALL["uci"](folder)
    load = ["load", "uci", "--only", "wine", "--only", "pima", "--db", database, "--format", "json"]
    first, second = graphmine(*load).json, graphmine(*load).json
    assert {kind: counts["created"] for kind, counts in first["nodes"].items()} == {"Wine": 30, "Woman": 30}
    assert {counts["unchanged"] for counts in second["nodes"].values()} == {30}


def test_what_is_wrong_is_one_sentence(folder: Path, ladybug_path: Path) -> None:
    to = ["--db", str(ladybug_path)]
    absent = graphmine("load", "acm_hin", *to, code=1).sentence
    assert absent == f"the set acm_hin is not there: {DATASETS['acm_hin'].how_to_get}"
    pack(folder / "acm_hin.tar.xz", {"other": b""})
    assert "holds no file acm_hin/edge.txt" in graphmine("load", "acm_hin", *to, code=1).sentence
    (folder / "acm_hin.tar.xz").write_bytes(b"\x00" * 50)
    assert "can not be read" in graphmine("load", "acm_hin", *to, code=1).sentence
    SMALL["uci"](folder)
    assert "did you mean 'wine'?" in graphmine("load", "uci", "--only", "wines", *to, code=2).sentence
    SMALL["ng20_original"](folder)
    assert "words must be" in graphmine("load", "ng20_original", "--words", "0", *to, code=2).sentence
    assert not ladybug_path.exists()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("graphmine load class", {"classic3", "classic4_raw"}),
        ("graphmine load uci --only w", {"wine", "wdbc"}),
        ("graphmine load ng20_original --groups sci.m", {"sci.med"}),
    ],
)
def test_the_shell_completes_sets_and_their_values(typed: str, completed: set[str]) -> None:
    asked = {"_GRAPHMINE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "graphmine")],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == completed
