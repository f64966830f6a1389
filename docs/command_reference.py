"""The command reference, written from what the program says of itself.

``python -m docs.command_reference > docs/commands.md`` renews it. How Typer lays out its help changes from release to
release, so the page has a layout of its own.
"""

from collections.abc import Iterator
from inspect import cleandoc
from textwrap import dedent
from typing import Any

import typer

from graphmine.cli.app import app

__all__ = ["every_command", "reference"]

_HEAD = """\
# Commands

Written from the program's own help by `python -m docs.command_reference > docs/commands.md`.

Results go to stdout (`--format table`, `json` or `csv`), progress, warnings and errors to stderr. A command that opens
a database first names the runs in it that were interrupted, and how to end them. Commands that only read never create
or change a database, and work beside a process that writes an embedded one.

Exit codes: 0 well done; 1 failed; 2 asked for in a wrong way; 3 constraints contradict each other, or the method can
not take them; 4 would not fit in memory; 130 interrupted. Every error is one sentence; with `GRAPHMINE_DEBUG=1` it
comes with its traceback.

`graphmine --install-completion` teaches the shell to complete commands, options and methods.

## What the numbers of `mine` mean

- **top members**: the nodes of a kind with the most weight inside their cluster, that is, the sum of a node's links to
  nodes of the same cluster; ties in the order of the keys.
- **cut**: the normalised cut, the sum over clusters of the weight that leaves the cluster over the weight of all its
  nodes' links. 0 is perfect, and it grows with the number of clusters.
- **modularity**: Barber's bipartite modularity: the share of weight inside clusters, less what chance would put there.
- **balance**: for each kind, the size of its smallest cluster over that of its largest: 1 is even, 0 an empty one.
- **unplaced**: nodes that the method could not give a cluster, mostly because they have no link; written as no value.
- **gone, changed**: nodes that were deleted between pull and push, or whose property somebody changed; left alone.
- **seconds**: how long pull, fit and push took.

For a star, cut and modularity are those of the centre against the columns of all arms, side by side.
"""


def reference() -> str:
    """Return the whole reference as Markdown."""
    return _HEAD + "".join(f"\n## {path}\n\n{_section(path, command)}" for path, command in every_command())


def every_command() -> Iterator[tuple[str, Any]]:
    """Yield the full name of the program, of every group and of every command, each with what Typer made of it."""
    yield from _below("graphmine", typer.main.get_command(app))


def _below(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from _below(f"{path} {name}", each)


def _section(path: str, command: Any) -> str:
    """Return one command: what it is for, how it is called, what it takes, examples."""
    options = [each for each in command.params if each.param_type_name == "option" and "completion" not in each.name]
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    below = getattr(command, "commands", {})
    usage = [path, *map(_argument, arguments), "COMMAND" if below else "[OPTIONS]"]
    parts = [
        cleandoc(command.help),
        f"```text\n{' '.join(usage)}\n```",
        "\n".join(f"- `{path} {name}`: {cleandoc(each.help).splitlines()[0]}" for name, each in below.items()),
        "\n".join(f"- `{each.metavar}`: {each.help}" for each in arguments),
        "\n".join(f"- `{_flags(each)}`: {each.help}{_default(each)}" for each in options),
        "```sh\n" + dedent(command.epilog.partition("Examples:\n")[2]) + "\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _argument(argument: Any) -> str:
    return str(argument.metavar if argument.required else f"[{argument.metavar}]")


def _flags(option: Any) -> str:
    flags = " / ".join([", ".join(option.opts), *option.secondary_opts])
    return f"{flags} {option.metavar}" if option.metavar else flags


def _default(option: Any) -> str:
    if option.required:
        return " Required."
    value = getattr(option.default, "value", option.default)
    return f" Default: {value}." if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


if __name__ == "__main__":
    typer.echo(reference(), nl=False)
