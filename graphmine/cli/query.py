"""``graphmine query``: analysts' questions, answered in Cypher."""

from typing import Annotated

import typer

from graphmine.cli.database import open_database
from graphmine.cli.options import Db, Format, FormatOption, command
from graphmine.cli.output import show
from graphmine.errors import ParameterError

__all__ = ["app"]

app = typer.Typer()


def _query_names(incomplete: str) -> list[str]:
    from graphmine.questions.catalog import question_names

    return [name for name in question_names() if name.startswith(incomplete)]


Name = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME|FILE.cypher", help="One of `graphmine query --list`, or a file.", autocompletion=_query_names
    ),
]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        "-P",
        metavar="KEY=VALUE",
        help="A parameter of the query; names with odd characters are written as they are. Repeatable.",
    ),
]
ListAll = Annotated[
    bool, typer.Option("--list", help="List the queries and what each answers; with NAME, the parameters of that one.")
]
Show = Annotated[
    bool, typer.Option("--show", help="Print the Cypher instead of running it, complete, to paste elsewhere.")
]
Source = Annotated[
    bool, typer.Option("--source", help="Print the query's file as it stands, to make a file of your own from it.")
]


@command(
    app,
    "graphmine query --list",
    "graphmine query sizes",
    "graphmine query members -P cluster=1 -P limit=10",
    "graphmine query bridges -P kind=Conference --format csv",
    "graphmine query venues -P 'relation=Author-WROTE->Paper-MENTIONS{count}->Term' -P clusters=0",
    "graphmine query ties --show",
)
def query(
    name: Name = None,
    param: Params = None,
    list_: ListAll = False,
    show_: Show = False,
    source: Source = False,
    db: Db = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Answer a question about the clusters in the graph, and print its rows.

    Without other parameters it is about the last complete run: its property, kinds and relation. Users' own Cypher
    files can have parameters too. A query that writes is refused.
    """
    from graphmine.questions.run import query as ask, query_text
    from graphmine.report.pages.questions import answer_page

    params = _read_params(param)
    if list_ or name is None:
        _list(name, form, asked=list_)
    elif source:
        typer.echo(_source(name), nl=False)
    else:
        with open_database(db) as store:
            answer = query_text(store, name, **params) if show_ else ask(store, name, **params)
        if isinstance(answer, str):
            typer.echo(answer, nl=False)
        else:
            show(answer_page(answer), form)


def _list(name: str | None, form: Format, *, asked: bool) -> None:
    from graphmine.questions.catalog import find_question
    from graphmine.questions.run import queries
    from graphmine.report.pages.questions import queries_page, question_page

    if not asked:
        raise ParameterError("the name of the query is missing; `graphmine query --list` shows them all")
    show(queries_page(queries()) if name is None else question_page(find_question(name)), form)


def _source(name: str) -> str:
    from graphmine.questions.catalog import find_question

    return find_question(name).source


def _read_params(given: list[str] | None) -> dict[str, object]:
    params: dict[str, object] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ParameterError(f"-P {text!r} can not be read; write it as key=value")
        if name in params:
            raise ParameterError(f"the parameter {name} is given twice")
        params[name] = value
    return params
