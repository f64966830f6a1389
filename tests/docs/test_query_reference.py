"""The page of queries says what their files say."""

from pathlib import Path

from docs.query_reference import reference

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "queries.md"


def test_the_page_of_queries_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == reference(text), "run: python -m docs.query_reference docs/queries.md"
