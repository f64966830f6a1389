"""The benchmarks run; how fast anything is, is not asserted here."""

import json
import math
from pathlib import Path

import pytest

from benchmarks import pull_push
from benchmarks.measure import Comparison, race_prepared
from benchmarks.table import as_markdown, as_text, replace_table

ROW = Comparison("Neo4j", "pull", "a scan", 2.0, 4.0, 1.5)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    file = tmp_path_factory.mktemp("bench") / "results.json"
    code = pull_push.main(["--relationships", "2000", "--repeats", "1", "--only", "ladybug", "--json", str(file)])
    assert code in (0, 1)
    loaded: dict[str, object] = json.loads(file.read_text())
    return loaded


def test_a_tiny_run_measures_everything(results: dict[str, object]) -> None:
    rows = results["rows"]
    assert isinstance(rows, list)
    assert [row["unit"] for row in rows] == ["s", "s", "s", "MB", "MB"]
    assert all(math.isfinite(row["ratio"]) and row["ratio"] > 0 for row in rows)
    assert all(len(row["rounds"]) == 1 for row in rows if row["unit"] == "s")


def test_the_table_goes_between_the_marks(results: dict[str, object], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(pull_push.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):
        replace_table(page, as_markdown(results))
    text = page.read_text(encoding="utf-8")
    assert text.count("| LadybugDB |") == 5
    assert text.startswith("# Benchmarks")


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="no place"):
        replace_table(page, "table")
    assert page.read_text(encoding="utf-8") == "nothing"


def test_a_ratio_is_held_against_its_target() -> None:
    assert (ROW.ratio, ROW.met) == (0.5, True)
    assert Comparison("Neo4j", "pull", "records", 1.0, 2.0, 1 / 15).met is False
    assert Comparison("Neo4j", "push", "pairs", 1.0, 2.0).met is None
    assert as_text(ROW) == "Neo4j      pull / a scan: 2 s / 4 s = 0.5, target ≤ 1.5: yes"
    assert "≤ 1/15: no" in as_text(Comparison("Neo4j", "pull", "records", 1.0, 2.0, 1 / 15))


def test_contestants_take_turns_and_the_first_round_does_not_count() -> None:
    turns: list[str] = []
    times = race_prepared({name: lambda name=name: lambda: turns.append(name) for name in "ab"}, 2)  # type: ignore[misc]
    assert turns == ["a", "b"] * 3
    assert [len(times.seconds[name]) for name in "ab"] == [2, 2]


@pytest.mark.parametrize("arguments", [["--only", "oracle"], ["--relationships", "0"], ["--labels", "1,x"]])
def test_wrong_options_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        pull_push.main(arguments)
    assert stopped.value.code == 2
