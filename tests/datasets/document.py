"""The table in docs/datasets.md, written from the catalog: ``python -m tests.datasets.document`` renews it."""

import re
from pathlib import Path

from graphmine.dataset_catalog import DATASETS
from graphmine.report.pages.datasets import datasets_table

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"
_TABLE = re.compile(r"(?<=<!-- sets -->\n).*?(?=<!-- /sets -->)", re.DOTALL)


def renewed_table(text: str) -> str:
    """Return the document with the table as the catalog has it."""
    renewed, count = _TABLE.subn(lambda _: f"\n{datasets_table(DATASETS.values())}\n\n", text)
    assert count == 1
    return renewed


if __name__ == "__main__":
    DOCUMENT.write_text(renewed_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
