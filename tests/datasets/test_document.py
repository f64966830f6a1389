"""docs/datasets.md says what the catalog says, and shows what the program prints."""

from pathlib import Path

import pytest

from tests.console import renewed
from tests.datasets.document import DOCUMENT, renewed_table
from tests.real import there


def test_the_table_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert renewed_table(text) == text, "run: python -m tests.datasets.document"


@pytest.mark.slow
def test_the_figures_are_what_the_program_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("classic3", "aminer_hetgnn", "acm_hin", "uci"):
        there(name)
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text(encoding="utf-8")
    assert renewed(text) == text, "run: python -m tests.console docs/datasets.md"
