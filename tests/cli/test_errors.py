"""How commands end when something goes wrong that is nobody's input: memory, disk, pipes, bugs, warnings."""

import json
import os
import pty
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graphmine.cli.app import app
from graphmine.errors import ConstraintError
from graphmine.store import connect
from graphmine.store.ladybug.opening import Recovered
from tests.cli.program import WOMEN, graphmine, graphmine_process
from tests.databases import write

MINE = ["mine", "--relation", WOMEN, "-k", "2"]
FORMS = ("table", "json", "csv")


def interrupted_import() -> ImportError:
    """What a compiled package may raise if Ctrl-C comes while it is imported."""
    error = ImportError("initialization failed")
    error.__context__ = KeyboardInterrupt()
    return error


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (MemoryError(), 4, "this does not fit in memory"),
        (ConstraintError("a must and a cannot on the same pair"), 3, "a must and a cannot on the same pair"),
        (OSError(28, "No space left on device", "x.lbug"), 1, "No space left on device: x.lbug"),
        (KeyError("surprise"), 1, "this should not happen (KeyError: 'surprise')"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (interrupted_import(), 130, "interrupted"),
    ],
)
def test_every_error_is_a_sentence(
    women: str, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, sentence: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("graphmine.verbs.mine.pull", fail)
    assert graphmine(*MINE, "--db", women, code=code).sentence.startswith(sentence)


def test_debugging_shows_the_error_itself(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMINE_DEBUG", "1")
    assert isinstance(CliRunner().invoke(app, ["schema", "--db", "http://x"]).exception, ValueError)


def test_warnings_are_one_line_and_told_once(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def recovering(*arguments: object, **options: object) -> object:
        for _ in range(3):
            warnings.warn("it was damaged\nand is back", Recovered, stacklevel=2)
            with warnings.catch_warnings():  # makes Python forget what it has shown
                warnings.simplefilter("ignore")
        return connect(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("graphmine.store.connect", recovering)
    assert graphmine("schema", "--db", women).sentence == "warning: it was damaged and is back"


def test_a_fit_that_stops_early_is_told(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from graphmine.methods.catalog import CATALOG

    fit = CATALOG["loom"].fit
    monkeypatch.setattr(CATALOG["loom"], "fit", lambda *a, **b: replace(fit(*a, **b), converged=False))
    ran = graphmine(*MINE, "--db", women, "--format", "json")
    assert ran.sentence == "warning: loom stopped before it converged; take the labels with care"
    assert ran.json["converged"] is False


def test_a_full_disk_and_a_closed_pipe(women: str) -> None:
    with open("/dev/full", "w") as full:
        said = graphmine_process("schema", "--db", women, code=1, stdout=full).sentence
    assert said == "the result can not be shown: No space left on device"
    reader, writer = os.pipe()
    os.close(reader)
    for form in ("table", "csv"):
        assert graphmine_process(*MINE, "--db", women, "--format", form, code=1, stdout=writer).err == ""
    os.close(writer)


def last_run(database: str) -> str:
    run: dict[str, str] = graphmine("runs", "list", "--db", database, "--format", "json").json[-1]
    assert run["state"] == "complete"
    return run["id"]


def close_stdout() -> None:
    os.close(1)


def close_stderr() -> None:
    os.close(2)


@pytest.mark.parametrize("form", FORMS)
def test_a_run_is_named_if_its_result_can_not_be_shown(women: str, form: str) -> None:
    mining = [*MINE, "--write", "circle", "--db", women, "--format", form]
    with open("/dev/full", "w") as full:
        said = graphmine_process(*mining, code=1, stdout=full).sentence
    done = f"run {last_run(women)} has written the labels to 'circle' all the same"
    assert said == f"the result can not be shown: No space left on device; {done}"


def test_a_run_is_named_if_nobody_takes_its_result(women: str) -> None:
    mining = [*MINE, "--write", "circle", "--db", women]
    said = graphmine_process(*mining, code=1, preexec_fn=close_stdout).sentence
    done = f"run {last_run(women)} has written the labels to 'circle' all the same"
    assert said == f"the result can not be shown: stdout is closed; {done}"
    reader, writer = os.pipe()
    os.close(reader)
    assert graphmine_process(*mining, code=1, stdout=writer).err == ""
    os.close(writer)


def test_what_was_done_is_told_if_it_can_not_be_shown(women: str) -> None:
    load = ["load", "davis", "--db", women]
    assert "loaded all the same" in graphmine_process(*load, code=1, preexec_fn=close_stdout).sentence
    graphmine(*MINE, "--write", "circle", "--db", women)
    said = graphmine_process("runs", "undo", "last", "--db", women, code=1, preexec_fn=close_stdout).sentence
    assert said.endswith("is undone all the same")


def test_a_picture_is_drawn_even_if_nobody_reads_the_result(women: str, tmp_path: Path) -> None:
    picture = tmp_path / "women.png"
    graphmine_process(*MINE, "--db", women, "--picture", str(picture), code=1, preexec_fn=close_stdout)
    assert picture.stat().st_size


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["mine", "--help"]])
def test_help_on_a_full_disk(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        assert graphmine_process(*arguments, code=1, stdout=full).sentence == "No space left on device"


def test_nobody_listens_on_stderr(women: str) -> None:
    loaded = graphmine_process("load", "davis", "--db", women, "--format", "json", preexec_fn=close_stderr)
    assert loaded.json["nodes"]["Woman"]["unchanged"] == 18
    graphmine_process("schema", "--db", "http://x", code=2, preexec_fn=close_stderr)
    command = [sys.executable, "-m", "graphmine", "schema", "--db", "http://x"]
    with open("/dev/full", "w") as full:
        assert subprocess.run(command, check=False, stderr=full).returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists open files in /proc")
def test_a_database_never_takes_the_place_of_a_closed_stream(women: str) -> None:
    code = """
import json, os, sys
import graphmine.cli.app as app

def look():
    print(json.dumps([os.readlink(f"/proc/self/fd/{number}") for number in range(3)]), file=open(sys.argv[1], "w"))

app.app = lambda **_: look()
app.main()
"""
    out = Path(women).with_name("streams.json")
    command = 'exec "$0" -c "$1" "$2" <&- >&- 2>&-'
    subprocess.run(["sh", "-c", command, sys.executable, code, str(out)], check=True)
    assert json.loads(out.read_text()) == ["/dev/null"] * 3


@pytest.mark.parametrize(
    "raised", ["KeyboardInterrupt", "ImportError('initialization failed') from KeyboardInterrupt()"]
)
@pytest.mark.parametrize("package", ["typer", "graphmine.cli.app", "pyarrow", "rich.console"])
def test_ctrl_c_during_an_import(women: str, package: str, raised: str) -> None:
    code = f"""
import sys

class Finder:
    def find_spec(self, name, *_):
        if name == {package!r}:
            raise {raised}

sys.meta_path.insert(0, Finder())
from graphmine.__main__ import main
sys.argv = ["graphmine", "schema", "--db", {women!r}]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "graphmine: interrupted\n")


def meddled(monkeypatch: pytest.MonkeyPatch, name: str, query: str, *, after: bool = False) -> None:
    """Have somebody else change the database just before or after a step."""
    module, _, attribute = name.rpartition(".")
    step: Callable[..., Any] = getattr(import_module(module), attribute)

    def meddling(store: Any, *arguments: object, **options: object) -> Any:
        if not after:
            write(store, query)
        result = step(store, *arguments, **options)
        if after:
            write(store, query)
        return result

    monkeypatch.setattr(name, meddling)


def test_nodes_that_somebody_changes_meanwhile_are_warned_of(women: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = "MATCH (w:Woman {name: 'Olivia Carleton'}) DETACH DELETE w"
    meddled(monkeypatch, "graphmine.verbs.mine.pull", gone, after=True)
    meddled(monkeypatch, "graphmine.exchange.push.apply", "MATCH (e:Event) WHERE e.name <= 'E10' SET e.circle = 77")
    ran = graphmine(*MINE, "--write", "circle", "--db", women, "--format", "json")
    assert ran.err.splitlines() == [
        "graphmine: warning: 1 Woman node has gone meanwhile",
        "graphmine: warning: 2 Event nodes were changed by somebody else meanwhile and left alone",
    ]
    assert ran.json["run"]["counts"]["Event"]["changed"] == 2


def test_undo_says_where_it_could_not(women: str) -> None:
    graphmine(*MINE, "--write", "circle", "--db", women)
    with connect(women) as store:
        write(store, "MATCH (e:Event) WHERE e.name <= 'E10' SET e.circle = 77")
        write(store, "MATCH (w:Woman {name: 'Olivia Carleton'}) DETACH DELETE w")
    said = graphmine("runs", "undo", "last", "--db", women).out.splitlines()[0]
    assert said.endswith(
        "is undone: what stood there before is back, except on 2 nodes that somebody has changed since "
        "and on 1 node that has gone"
    )


def test_fewer_clusters_than_asked_for_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("id\n1\n2\n")
    Path("r.csv").write_text("one,other\n1,1\n1,2\n2,1\n2,2\n")
    graphmine("load", "csv", "--nodes", "A=a.csv", "--nodes", "B=a.csv", "--relationships", "A-R->B=r.csv")
    ran = graphmine("mine", "--relation", "A-R->B", "-k", "2", "--format", "json")
    assert ran.sentence == "warning: found 1 cluster, not 2: the relation has no more structure than that"
    assert ran.json["n_clusters"] == 1


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


def test_a_picture_for_a_closed_stdout_is_a_sentence(women: str) -> None:
    graphmine(*MINE, "--write", "circle", "--db", women, "-q")
    said = graphmine_process("plot", "circle", "--db", women, code=1, preexec_fn=close_stdout).sentence
    assert said == "the result can not be shown: stdout is closed"
