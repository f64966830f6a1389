"""The library names parameters, the command line prints flags."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphmine
from graphmine.cli.compare import compare
from graphmine.cli.evolve import evolve
from graphmine.cli.export import export
from graphmine.cli.flags import command_running, flags_of, in_flags
from graphmine.cli.mine import mine
from graphmine.cli.query import query

PACKAGE = Path(graphmine.__file__).parent
FLAG = re.compile(r"(?<![\w<-])(--[a-z][\w-]*|-[a-zA-Z](?= \S|$))")
FOR_THE_COMMAND_LINE = ("cli", "report", "dataset_catalog", "job/draft.py")
"""What is printed by commands alone: their pages, their help, and the job file that one of them writes."""


@pytest.mark.parametrize(
    ("command", "sentence", "printed"),
    [
        (mine, "or say `overwrite=True`", "or say --overwrite"),
        (mine, "with `where=`, or `on_conflict=`", "with --where, or --on-conflict"),
        (mine, "take `n_clusters=5` or more", "take -k 5 or more"),
        (mine, "as in `key='Odd kind.name'`", "as in --key Odd kind.name"),
        (mine, "as by `memory=`", "as by --memory"),  # no option of its own
        (evolve, "say `memory=0`", "say --memory 0"),
        (compare, "leave `kind=` out", "leave --kind out"),
        (export, "what it is with `form=`", "what it is with --as"),
        (query, "give it as `query(…, kind=…)`", "give it as -P kind=…"),
        (query, "`queries()` shows them all", "`graphmine query --list` shows them all"),
        (query, "`graphmine mine … write=PROPERTY` makes one", "`graphmine mine … --write PROPERTY` makes one"),
        (query, "`graphmine runs list` shows `d`e` = 3", "`graphmine runs list` shows `d`e` = 3"),
    ],
)
def test_parameters_are_printed_as_flags(command: object, sentence: str, printed: str) -> None:
    assert callable(command)
    assert in_flags(sentence) == sentence
    with command_running(command):
        assert in_flags(sentence) == printed


def test_flags_are_those_that_a_command_declares() -> None:
    flags = flags_of(mine)
    assert (flags["n_clusters"], flags["overwrite"], flags["quiet"]) == ("-k", "--overwrite", "-q")


def test_no_text_of_the_library_holds_a_flag() -> None:
    paths = {str(path.relative_to(PACKAGE)): path for path in PACKAGE.rglob("*.py")}
    library = {name: path for name, path in paths.items() if not name.startswith(FOR_THE_COMMAND_LINE)}
    assert len(library) > 200
    assert [(name, text) for name, path in library.items() for text in texts(path) if FLAG.search(text)] == []


def texts(path: Path) -> Iterator[str]:
    """Give every text in a module but its docstrings, which may show what a command takes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value
