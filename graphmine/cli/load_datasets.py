"""The commands that load a data set by its name, made from the entries of the catalog."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmine.cli.options import Db, Format, FormatOption, Quiet, command
from graphmine.dataset_catalog import Dataset, Option

if TYPE_CHECKING:
    from graphmine.datasets.network import Network

__all__ = ["add_dataset_command"]

Load = Callable[["Network", str | None, Format, bool], None]


def add_dataset_command(app: typer.Typer, described: Dataset, load: Load) -> None:
    """Register the command that loads a set: its options, then those of every command that loads."""

    def body(**given: Any) -> None:
        from graphmine.datasets.by_name import dataset

        rest = given.pop("db"), given.pop("form"), given.pop("quiet")
        load(dataset(described.name, **{name: value for name, value in given.items() if value is not None}), *rest)

    body.__doc__ = f"Load {described.title}\n\n{described.about}"
    body.__signature__ = Signature([  # type: ignore[attr-defined]  # this is where Typer looks
        *(_parameter(name, *_flag(option)) for name, option in described.options.items()),
        _parameter("db", Db, None),
        _parameter("form", FormatOption, Format.TABLE),
        _parameter("quiet", Quiet, False),
    ])
    command(app, *described.examples, name=described.name)(body)


def _parameter(name: str, annotation: Any, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _flag(option: Option) -> tuple[Any, object]:
    """Return an option as Typer takes it, and its default."""
    value: Any = list[option.takes] if option.several else option.takes  # type: ignore[name-defined]
    described = typer.Option(
        metavar=option.metavar,
        help=option.help,
        autocompletion=_completion(option.choices) if option.choices else None,
    )
    return Annotated[value if option.default is not None else value | None, described], option.default


def _completion(choices: tuple[str, ...]) -> Callable[[str], list[str]]:
    def begun(incomplete: str) -> list[str]:
        return [each for each in choices if each.startswith(incomplete)]

    return begun
