"""What the documents show is what the program prints, on both databases."""

import re
from pathlib import Path

import pytest

from graphmine.datasets.academic import academic
from graphmine.exchange.load import load
from graphmine.store import connect
from tests.console import renewed
from tests.python_reference import reference

TOP = Path(__file__).resolve().parents[1]
NEED_SETS = {"docs/datasets.md"}
"""Their commands load real sets, and take long; tests of the sets run them."""


def with_blocks(language: str) -> list[str]:
    """Return the documents that hold blocks of a language, from the top of the tree."""
    documents = [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]
    begin = re.compile(rf"^```{language}\b", re.MULTILINE)
    return [str(each.relative_to(TOP)) for each in documents if begin.search(each.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", sorted({*with_blocks("console")} - NEED_SETS))
def test_the_outputs_in_a_document_are_what_the_program_prints(
    name: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (TOP / name).read_text(encoding="utf-8")
    monkeypatch.setenv("GRAPHMINE_DB", database)
    monkeypatch.chdir(tmp_path)
    assert renewed(text) == text, f"run: python -m tests.console {name}"


@pytest.mark.filterwarnings("ignore:the cannot-links of:UserWarning")
@pytest.mark.parametrize("name", with_blocks("python"))
def test_the_python_in_a_document_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with connect("graphmine.lbug") as store:
        load(store, academic(authors=100, terms=20))
    blocks = re.findall(r"```python\n(.*?)```", (TOP / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {})


def test_the_python_reference_is_up_to_date() -> None:
    text = (TOP / "docs" / "python.md").read_text(encoding="utf-8")
    assert text == reference(), "run: python -m tests.python_reference > docs/python.md"


def test_every_document_is_there_and_is_named_in_the_readme() -> None:
    named = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", (TOP / "README.md").read_text(encoding="utf-8")))
    assert named == {str(each.relative_to(TOP)) for each in (TOP / "docs").glob("*.md")}
