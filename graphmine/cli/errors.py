"""How a command ends: every error is one sentence on stderr and an exit code, never a traceback.

::

    0     well done
    1     it failed: the database, the data, the disk
    2     it was asked for in a wrong way
    3     constraints contradict each other, or the method can not take them
    4     it would not fit in memory
    130   interrupted

With GRAPHMINE_DEBUG set, errors come with their traceback.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer

from graphmine.cli.flags import in_flags
from graphmine.cli.interrupts import INTERRUPTED, was_interrupted
from graphmine.errors import GraphmineError

__all__ = ["done_already", "harmless", "note", "release_output", "report_errors", "warn"]

_SHOWN = (UserWarning, RuntimeWarning)


def note(sentence: str) -> None:
    """Say a sentence on stderr, with the flags of the command that runs, if somebody listens."""
    with suppress(OSError):
        typer.echo(f"graphmine: {harmless(in_flags(sentence))}", err=True)


def warn(sentence: str) -> None:
    """Say on stderr that something needs attention."""
    note(f"warning: {sentence}")


def harmless(text: str) -> str:
    r"""Return text without characters that would move the cursor or colour a terminal.

    >>> harmless("\x1b[31mred")
    '·[31mred'
    """
    return "".join(character if character.isprintable() or character == "\n" else "·" for character in text)


@contextmanager
def done_already(what: str) -> Iterator[None]:
    """Have an error inside say what was done before it and stays done."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        error.add_note(what)
        raise


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn what is raised inside into a sentence and an exit code, and warnings into one line each, told once."""
    told: set[str] = set()  # Python forgets what it has shown whenever filters change, as within many fits

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        sentence = " ".join(str(message).split())
        if sentence not in told:
            told.add(sentence)
            warn(sentence)

    with warnings.catch_warnings():
        for category in _SHOWN:
            warnings.simplefilter("default", category)
        warnings.showwarning = show
        try:
            yield
        except typer.Exit:
            raise
        except (Exception, KeyboardInterrupt) as error:
            if os.environ.get("GRAPHMINE_DEBUG"):
                raise
            sentence, code = _meaning(error)
            if sentence:
                note("; ".join([sentence, *getattr(error, "__notes__", ())]))
            raise typer.Exit(code) from None


def _meaning(error: BaseException) -> tuple[str, int]:
    if was_interrupted(error):
        return "interrupted", INTERRUPTED
    match error:
        case GraphmineError():
            return str(error), error.exit_code
        case MemoryError():
            return "this does not fit in memory; mine a smaller part of the network, with --where", 4
        case BrokenPipeError():
            return "", 1
        case OSError():
            where = f": {error.filename}" if error.filename else ""
            return f"{error.strerror or error}{where}", 1
        case _:
            what = f"{type(error).__name__}: {' '.join(str(error).split())}"
            return f"this should not happen ({what}); set GRAPHMINE_DEBUG=1 to see where, and report it", 1


def release_output() -> None:
    """Give up on an output that nobody reads any more, or whose disk is full, so that Python does not complain."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
