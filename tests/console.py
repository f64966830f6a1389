"""Documents whose commands are run, and whose outputs are checked or renewed.

A ``console`` block holds commands after ``$`` and what they print; a block with a file name beside its language is that
file. ``python -m tests.console docs/constraints.md`` runs everything in a new folder, on LadybugDB, and writes down
what is printed; tests run it on both databases and compare.
"""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from typer.testing import CliRunner

from graphmine.cli.app import app

_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIES = (
    (re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{6}\b"), "20260101-120000-abcdef"),  # the name of a run
    (re.compile(r"^(seconds|objective|versions|created|finished|process) +.*\n", re.MULTILINE), ""),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
)


def renewed(document: str) -> str:
    """Return a document with what its commands print here and now, in the order in which they stand."""

    def renew(block: re.Match[str]) -> str:
        if block["file"]:
            Path(block["file"]).write_text(block["text"], encoding="utf-8")
        if block["language"] != "console":
            return block[0]
        return "```console\n" + "".join(map(_session, _commands(block["text"]))) + "```"

    return _BLOCK.sub(renew, document)


def _commands(text: str) -> Iterator[str]:
    yield from re.findall(r"^\$ ((?:.*\\\n)*.*)$", text, re.MULTILINE)


def _session(line: str) -> str:
    program, *arguments = shlex.split(line.replace("\\\n", " "))
    if program == "cat":
        printed = Path(arguments[0]).read_text(encoding="utf-8")
    else:
        assert program == "graphmine", line
        result = CliRunner().invoke(app, arguments)
        code = f"(exit code {result.exit_code})\n" if result.exit_code else ""
        printed = result.stderr + result.stdout + code
    for varying, fixed in _VARIES:
        printed = varying.sub(fixed, printed)
    return f"$ {line}\n{printed.strip(chr(10))}\n" if printed.strip() else f"$ {line}\n"


def main() -> None:
    """Renew the documents that are named."""
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            os.environ["GRAPHMINE_DB"] = "graphmine.lbug"
            text = renewed(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
