"""Running commands as a user does, in this process or in one of its own."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from graphmine.cli.app import app
from graphmine.exchange.runs import list_runs
from graphmine.store import Store, connect
from tests.databases import all_values


@dataclass(frozen=True)
class Ran:
    """What a command wrote."""

    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The one line on stderr, without the program's name."""
        (line,) = self.err.splitlines()
        assert line.startswith("graphmine: ")
        return line.removeprefix("graphmine: ")


def graphmine(*arguments: str, code: int = 0) -> Ran:
    """Run a command in this process."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    assert "Traceback" not in result.stderr
    assert isinstance(result.exception, SystemExit | None)
    return Ran(result.stdout, result.stderr)


def graphmine_process(*arguments: str, code: int = 0, **options: Any) -> Ran:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "graphmine", *arguments]
    options = {"stdout": subprocess.PIPE} | options
    done = subprocess.run(command, check=False, text=True, stderr=subprocess.PIPE, **options)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return Ran(done.stdout or "", done.stderr)


def load_small(database: str) -> None:
    """Load both networks that come with graphmine."""
    graphmine("load", "davis", "--db", database)
    sizes = ["--authors", "60", "--conferences", "8", "--terms", "30", "--areas", "3", "--noise", "0.02"]
    graphmine("load", "academic", *sizes, "--db", database)


def interrupt(monkeypatch: pytest.MonkeyPatch, database: str, write: str = "area") -> Ran:
    """Mine, with somebody pressing Ctrl-C when the journal is written and no node changed yet."""

    def ctrl_c(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("graphmine.exchange.push.apply", ctrl_c)
        return graphmine("mine", "--relation", VENUES, "-k", "3", "--write", write, "--db", database, code=130)


def snapshot(database: str) -> object:
    """Everything a database holds: values, how many relationships, runs."""
    with connect(database, create=False, read_only="://" not in database) as store:
        return all_values(store), _counts(store), list_runs(store)


def _counts(store: Store) -> list[tuple[str, int]]:
    from graphmine.exchange.schema import schema

    return sorted((link.type, link.count) for link in schema(store).links)


VENUES = "Author-WROTE->Paper-IN->Conference"
WOMEN = "Woman-ATTENDED->Event"
