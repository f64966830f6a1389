"""How commands end when something goes wrong that is nobody's input: memory, disk, pipes, bugs, warnings."""

import os
import pty
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphmine.cli.app import app
from graphmine.errors import ConstraintError
from graphmine.store.ladybug import Recovered
from tests.cli.running import WOMEN, graphmine, graphmine_process

MINE = ["mine", "--relation", WOMEN, "-k", "2"]


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (MemoryError(), 4, "this does not fit in memory"),
        (ConstraintError("a must and a cannot on the same pair"), 3, "a must and a cannot on the same pair"),
        (OSError(28, "No space left on device", "x.lbug"), 1, "No space left on device: x.lbug"),
        (KeyError("surprise"), 1, "this should not happen (KeyError: 'surprise')"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_every_error_is_a_sentence(
    women: str, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, sentence: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("graphmine.verbs.pull", fail)
    assert graphmine(*MINE, "--db", women, code=code).sentence.startswith(sentence)


def test_debugging_shows_the_error_itself(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DEBUG", "1")
    assert isinstance(CliRunner().invoke(app, ["schema", "--db", "http://x"]).exception, ValueError)


def test_warnings_are_one_line(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphmine.store import connect

    def recovering(*arguments: object, **options: object) -> object:
        warnings.warn("it was damaged\nand is back", Recovered, stacklevel=2)
        return connect(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("graphmine.store.connect", recovering)
    assert graphmine("schema", "--db", women).sentence == "warning: it was damaged and is back"


def test_a_fit_that_stops_early_is_told(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from graphmine.methods import CATALOG

    fit = CATALOG["s-co"].fit
    monkeypatch.setattr(CATALOG["s-co"], "fit", lambda *a, **b: replace(fit(*a, **b), converged=False))
    ran = graphmine(*MINE, "--db", women, "--format", "json")
    assert ran.sentence == "warning: s-co stopped before it converged; take the labels with care"
    assert ran.json["converged"] is False


def test_a_full_disk_and_a_closed_pipe(women: str) -> None:
    with open("/dev/full", "w") as full:
        said = graphmine_process("schema", "--db", women, code=1, stdout=full).sentence
    assert said == "No space left on device"
    reader, writer = os.pipe()
    os.close(reader)
    for form in ("table", "csv"):
        assert graphmine_process(*MINE, "--db", women, "--format", form, code=1, stdout=writer).err == ""
    os.close(writer)


@pytest.mark.parametrize("quiet", [False, True])
def test_bars_are_drawn_on_a_terminal_unless_quiet(tmp_path: Path, quiet: bool) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "graphmine", "load", "davis", "--db", str(tmp_path / "g.lbug")]
    command += ["--quiet"] if quiet else []
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    try:
        drawn = os.read(ours, 100_000)
    except OSError:  # nothing was written
        drawn = b""
    os.close(ours)
    assert "Woman" in done.stdout
    assert (b"load" in drawn) != quiet
    assert not quiet or not drawn


def test_odd_keys_are_shown_whole_and_harmlessly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    long = "x" * 200
    Path("a.csv").write_text(f'id\n"[red]bold[/red]"\n"\x1b[31mred"\n{long}\n')
    graphmine("load", "csv", "--nodes", "A=a.csv")
    table = graphmine("cypher", "MATCH (a:A) RETURN a.id AS id").out
    assert "[red]bold[/red]" in table
    assert "\x1b" not in table
    assert "".join(table.split()).count("x") == 200
    assert graphmine("cypher", "MATCH (a:A) RETURN a.id AS id", "--format", "json").json[1] == {"id": "\x1b[31mred"}
