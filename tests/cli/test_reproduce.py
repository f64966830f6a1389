"""``graphmine reproduce``: what there is, what is missing, and an experiment from its beginning to its end."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphmine.experiments import Task, TaskResult, reproduce
from tests.cli.program import graphmine
from tests.datasets.made_archives import small_newsgroups


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder where data are looked for, and no cache."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("GRAPHMINE_DATA", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def test_without_a_name_experiments_are_listed() -> None:
    assert [each["name"] for each in graphmine("reproduce", "--format", "json").json] == ["scm", "cbgc", "l1"]


def test_an_unknown_experiment_is_refused() -> None:
    assert "did you mean 'scm'" in graphmine("reproduce", "scn", code=2).sentence


@pytest.mark.usefixtures("data")
def test_missing_data_are_one_sentence() -> None:
    sentence = graphmine("reproduce", "scm", "--quick", code=1).sentence
    assert sentence.startswith("the set ng20_original is not there: get the 19,997 messages of 20 Newsgroups")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("folder", ["", "gone"])
def test_a_folder_that_is_not_there_is_refused_before_the_work(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sentence = graphmine("reproduce", "scm", "--save", folder, code=2).sentence
    assert sentence.startswith("save must be a folder that exists, was ")


def test_an_experiment_is_done_and_saved(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_newsgroups(data)
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_DOCUMENTS", 20)
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_WORDS", 40)
    out = graphmine("reproduce", "scm", "--quick", "--save", str(tmp_path)).out
    assert "what the paper claims" in out
    assert "loom (ours)" in out
    saved = json.loads((tmp_path / "scm-quick.json").read_text(encoding="utf-8"))
    assert saved["complete"]
    assert (saved["quick"], saved["draws"], len(saved["tasks"]), len(saved["claims"])) == (True, 2, 7, 7)
    assert saved["tasks"][0]["sizes"]["Document"] == 40
    # The made-up messages are told apart by their words, so that whoever looks at them rightly finds the topics.
    assert min(saved["tasks"][0]["methods"]["scm"]["nmi"]) > 0.8
    assert (tmp_path / "scm-quick.png").read_bytes()[:4] == b"\x89PNG"
    assert {each.name for each in tmp_path.glob("scm*")} == {"scm-quick.json", "scm-quick.png"}


def test_what_is_done_is_kept_when_it_is_interrupted(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_newsgroups(data)
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_DOCUMENTS", 20)
    monkeypatch.setattr("graphmine.experiments.scm._QUICK_WORDS", 40)
    result = reproduce._result

    def interrupted(task: Task, *rest: Any) -> TaskResult:
        if task.name.startswith("2"):
            raise KeyboardInterrupt
        return result(task, *rest)

    monkeypatch.setattr(reproduce, "_result", interrupted)
    earlier = [tmp_path / "scm-quick.json", tmp_path / "scm-quick.png"]
    for path in earlier:
        path.write_text("an earlier result", encoding="utf-8")
    said = graphmine("reproduce", "scm", "--quick", "--save", str(tmp_path), code=130).err
    part = tmp_path / "scm-quick.part.json"
    assert said.endswith(f"interrupted; what is done of it is in {part}\n")
    assert [path.read_text(encoding="utf-8") for path in earlier] == ["an earlier result"] * 2
    saved = json.loads(part.read_text(encoding="utf-8"))
    assert [task["name"] for task in saved["tasks"]] == ["1 Comp vs. Rec"]
    assert not saved["complete"]
