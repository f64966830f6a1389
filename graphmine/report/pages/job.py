"""What is wrong with job files."""

from collections.abc import Mapping, Sequence

from graphmine.job import Mistake
from graphmine.report.page import Page, Sheet, counted

__all__ = ["mistakes_page"]


def mistakes_page(found: Mapping[str, Sequence[Mistake]]) -> Page:
    """Return the mistakes of each file: a line for each, that editors know how to jump to.

    >>> mistakes_page({"job.toml": []}).parts
    ('job.toml: no mistakes',)
    """
    rows = [(file, each.line, each.field, each.sentence) for file, mistakes in found.items() for each in mistakes]
    parts = []
    for file, mistakes in found.items():
        parts += [_line(file, each) for each in mistakes]
        parts.append(f"{file}: {counted(len(mistakes), 'mistake') if mistakes else 'no mistakes'}")
    columns = ("file", "line", "field", "mistake")
    data = {"files": list(found), "mistakes": [dict(zip(columns, row, strict=True)) for row in rows]}
    return Page(data, tuple(parts), Sheet(columns, rows))


def _line(file: str, mistake: Mistake) -> str:
    where = f"{file}:{mistake.line}" if mistake.line else file
    return f"{where}: {mistake.field}: {mistake.sentence}" if mistake.field else f"{where}: {mistake.sentence}"
