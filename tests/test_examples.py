"""The worked analyses print what their page says."""

import runpy
import sys
from pathlib import Path

import pytest

from tests.examples import PAGE, SETS, TOP, printed, script, shown
from tests.real import there

REAL = [name for name in SETS if name != "davis"]


def test_the_page_has_every_example() -> None:
    assert list(shown()) == list(SETS)
    assert sorted(each.stem for each in (TOP / "examples").glob("*.py")) == sorted(SETS)
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"(../examples/{name}.py)" in page for name in SETS)


def test_davis_prints_what_the_page_says(database: str) -> None:
    assert printed("davis", database) == shown()["davis"], "run: python -m tests.examples davis"


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_an_example_of_a_real_set_prints_what_the_page_says(name: str, database: str) -> None:
    there(SETS[name])
    assert printed(name, database) == shown()[name], f"run: python -m tests.examples {name}"


@pytest.mark.parametrize("name", REAL)
def test_a_set_that_is_absent_is_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMINE_DATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(script(name))])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script(name)), run_name="__main__")
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"graphmine: the set {SETS[name]} is not there: ")
    assert said.err.count("\n") == 1
