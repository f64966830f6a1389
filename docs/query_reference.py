"""The page of queries, written from their files.

``python -m docs.query_reference docs/queries.md`` renews what stands below the line that says so; what stands
above it is written by hand.
"""

import sys
from pathlib import Path

from graphmine.questions.catalog import Parameter, Question
from graphmine.questions.run import queries
from graphmine.report.pages.questions import default_text

__all__ = ["MARK", "reference"]

MARK = "<!-- from here on written by `python -m docs.query_reference docs/queries.md` -->\n"


def reference(page: str) -> str:
    """Return a page with all that its files say of the queries below the mark."""
    head, mark, _ = page.partition(MARK)
    every = queries()
    listed = "".join(f"- [`{each.name}`](#{each.name}): {each.answers}\n" for each in every)
    return f"{head}{mark or MARK}\n## The queries\n\n{listed}" + "".join(map(_section, every))


def _section(question: Question) -> str:
    rows = "".join(map(_row, question.parameters))
    table = f"| parameter | takes | default | meaning |\n| --- | --- | --- | --- |\n{rows}"
    body = "\n".join(line for line in question.source.splitlines() if not line.startswith("//"))
    return f"\n### {question.name}\n\n{question.answers}\n\n{table}\n```cypher\n{body}\n```\n"


def _row(parameter: Parameter) -> str:
    default = "**required**" if parameter.required else default_text(parameter)
    return f"| `{parameter.name}` | {parameter.sort_text} | {default} | {parameter.meaning} |\n"


def main() -> None:
    """Renew the pages that are named."""
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(reference(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
