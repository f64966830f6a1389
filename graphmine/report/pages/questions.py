"""The questions that can be asked, and what they answered."""

import pyarrow as pa

from graphmine.errors import ParameterError
from graphmine.questions.catalog import Parameter, Question
from graphmine.report.page import Page, Sheet, counted, number

__all__ = ["answer_page", "default_text", "queries_page", "question_page", "rows_page"]

_WORDS = {
    "property": "the property of the run",
    "kind": "the first kind of the run",
    "kinds": "the kinds of the run",
    "relation": "the relation of the run",
    "step": "the first step of the run's relation",
    "shared": "the first step of the run's relation, there and back",
    "previous": "the complete run before it",
    "start": "where the relation begins",
    "end": "where the relation ends",
}
"""What the words of a default mean; a dot and one of them comes after the name of a parameter."""


def answer_page(table: pa.Table) -> Page:
    """Return the rows of an answer; in a table, shares and the like with four digits."""
    page = rows_page(table)
    rounded = [[number(each) if isinstance(each, float) else each for each in row] for row in page.sheet.rows]
    shown = Sheet(page.sheet.columns, rounded, right=page.sheet.right)
    return Page(page.data, (shown, counted(table.num_rows, "row")), page.sheet)


def rows_page(table: pa.Table) -> Page:
    """Return the rows a query gave."""
    names = tuple(table.column_names)
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"two columns are called {name!r}; name them apart with AS")
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    right = frozenset(each.name for each in table.schema if any(test(each.type) for test in numeric))
    columns = [column.to_pylist() for column in table.columns]
    sheet = Sheet(names, list(zip(*columns, strict=True)), right=right)
    parts: tuple[Sheet | str, ...] = (sheet,) if names else ()
    return Page(table.to_pylist(), (*parts, counted(table.num_rows, "row")), sheet)


def queries_page(questions: list[Question]) -> Page:
    """Return every question and what it takes."""
    data = [_record(each) for each in questions]
    columns = ("name", "answers", "parameters")
    rows = [(each.name, each.answers, ", ".join(map(_short, each.parameters))) for each in questions]
    sheet = Sheet(columns, rows)
    return Page(data, (sheet,), sheet)


def question_page(question: Question) -> Page:
    """Return one question: what it answers, and every parameter with its meaning and default."""
    rows = [
        (each.name, each.sort_text, "required" if each.required else default_text(each), each.meaning)
        for each in question.parameters
    ]
    sheet = Sheet(("parameter", "takes", "default", "meaning"), rows)
    return Page(_record(question), (question.answers or question.name, sheet), sheet)


def default_text(parameter: Parameter) -> str:
    """Return the default of a parameter as a person reads it."""
    if parameter.default is None:
        return "what names its nodes" if parameter.sort == "key" else ""
    if parameter.default == "[]":
        return "none"
    _, dot, word = parameter.default.partition(".")
    return _WORDS.get(word, parameter.default) if dot else parameter.default


def _record(question: Question) -> dict[str, object]:
    return {
        "name": question.name,
        "answers": question.answers,
        "parameters": [
            {
                "name": each.name,
                "takes": each.sort_text,
                "required": each.required,
                "default": each.default,
                "meaning": each.meaning,
            }
            for each in question.parameters
        ],
    }


def _short(parameter: Parameter) -> str:
    return f"{parameter.name} (required)" if parameter.required else parameter.name
