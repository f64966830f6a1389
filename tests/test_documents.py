"""What the documents show is what the program prints, on both databases."""

from pathlib import Path

import pytest

from tests.console import renewed

DOCUMENTS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("name", ["constraints.md"])
def test_the_outputs_in_a_document_are_what_the_program_prints(
    name: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCUMENTS / name).read_text(encoding="utf-8")
    monkeypatch.setenv("GRAPHMINE_DB", database)
    monkeypatch.chdir(tmp_path)
    assert renewed(text) == text, f"run: python -m tests.console docs/{name}"
