"""The parameters that a sentence of the library names, as the flags of the command line.

The library names a parameter as Python spells it, between backticks: ``overwrite=True``, ``where=``, ``n_clusters=8``.
What a command prints has its flag there: the one that the command declares for it, or else its name with dashes.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import get_args, get_type_hints

from typer.models import OptionInfo

__all__ = ["command_running", "flags_of", "in_flags"]

_CODE = re.compile(r"`([^`]+)`")
_NAMED = re.compile(r"(?P<name>[a-z_]+)=(?P<value>.*)")
_NAMED_IN_COMMAND = re.compile(r"(?P<name>[a-z_]+)=(?P<value>\S*)")
_ASKED = re.compile(r"query\(…, (.+)\)")
_LISTED = {"queries()": "graphmine query --list"}

_running: ContextVar[Callable[..., None] | None] = ContextVar("_running", default=None)


@contextmanager
def command_running(body: Callable[..., None]) -> Iterator[None]:
    """Have sentences printed inside name the flags of this command."""
    token = _running.set(body)
    try:
        yield
    finally:
        _running.reset(token)


def in_flags(sentence: str) -> str:
    """Return a sentence with flags for the parameters that it names; as it is where no command runs.

    >>> def mine(where: str) -> None: ...
    >>> with command_running(mine):
    ...     in_flags("say `force=True`, or take a smaller part with `where=`; `graphmine runs list` shows them")
    'say --force, or take a smaller part with --where; `graphmine runs list` shows them'
    """
    body = _running.get()
    if body is None or "`" not in sentence:
        return sentence
    flags = flags_of(body)
    return _CODE.sub(lambda code: _spelled(code[1], flags), sentence)


def flags_of(body: Callable[..., None]) -> dict[str, str]:
    """Return the flag of each option of a command by the name of its parameter: the shortest, as people write it."""
    found = {}
    for name, hint in get_type_hints(body, include_extras=True).items():
        for option in (each for each in get_args(hint) if isinstance(each, OptionInfo)):
            declared = (option.default, *(option.param_decls or ()))  # Typer has the first one in place of a default
            flags = [each.partition("/")[0] for each in declared if isinstance(each, str) and each.startswith("-")]
            found[name] = min(flags, key=len, default=_long(name))
    return found


def _spelled(code: str, flags: Mapping[str, str]) -> str:
    """Return what stands between backticks as the command line has it."""
    if code in _LISTED:
        return f"`{_LISTED[code]}`"
    if asked := _ASKED.fullmatch(code):
        return f"-P {asked[1]}"
    if code.startswith("graphmine "):
        return f"`{_NAMED_IN_COMMAND.sub(lambda named: _flag(named, flags), code)}`"
    if named := _NAMED.fullmatch(code):
        return _flag(named, flags)
    return f"`{code}`"


def _flag(named: re.Match[str], flags: Mapping[str, str]) -> str:
    """Return the flag of a parameter, with the value that it is to have."""
    name, value = named["name"], named["value"].strip("'\"")
    flag = flags.get(name, _long(name))
    return flag if value in ("", "True") else f"{flag} {value}"


def _long(name: str) -> str:
    return f"--{name.replace('_', '-')}"
