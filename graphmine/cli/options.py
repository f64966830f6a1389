"""What all commands share: how they are registered, and the options that mean the same everywhere."""

from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import Annotated, TypeVar

import typer

from graphmine.cli.errors import report_errors
from graphmine.cli.flags import command_running

__all__ = ["Db", "Format", "FormatOption", "NamedRun", "Quiet", "RunName", "command", "examples"]

C = TypeVar("C", bound=Callable[..., None])


class Format(str, Enum):  # noqa: UP042  # Typer knows it as a choice by its being text
    """How results are written to stdout."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="The database: a path (embedded) or neo4j://, neo4j+s://, bolt://. Without it GRAPHMINE_DB, then "
        "NEO4J_URI, then graphmine.lbug here. A Neo4j login comes from NEO4J_USERNAME, NEO4J_PASSWORD and "
        "NEO4J_DATABASE.",
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", metavar="table|json|csv", help="How to write the result to stdout.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr; warnings and errors still appear.")]
NamedRun = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's name, the beginning of one, 'last', a property for its last complete run, or area~1 for the one "
        "before that.",
    ),
]
RunName = Annotated[str, typer.Argument(metavar="RUN", help="A run's name, the beginning of one, or 'last'.")]


def command(app: typer.Typer, *lines: str, name: str | None = None) -> Callable[[C], C]:
    """Register a command whose help ends with examples, and whose errors are told as sentences."""

    def register(body: C) -> C:
        @wraps(body)
        def told(*args: object, **kwargs: object) -> None:
            with command_running(body), report_errors():
                body(*args, **kwargs)

        app.command(name, epilog=examples(*lines))(told)
        return body

    return register


def examples(*lines: str) -> str:
    r"""Return an epilog that keeps its line breaks.

    >>> examples("graphmine schema")
    '\x08\nExamples:\n  graphmine schema'
    """
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
