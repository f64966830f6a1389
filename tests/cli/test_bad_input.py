"""Bad input: one clear sentence, the right exit code, no traceback, nothing changed."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmine.store import connect
from tests.cli.program import VENUES, WOMEN, graphmine, graphmine_process, load_small, snapshot
from tests.databases import write

WOMEN_BY_TWO = ["mine", "--relation", WOMEN, "-k", "2"]


@pytest.mark.parametrize(
    ("url", "code", "sentence"),
    [
        ("http://localhost:7687", 2, "the database address begins with http://; give a path"),
        ("bolt://ann:secret@localhost", 2, "a user or password does not belong in a database address"),
        ("bolt://", 2, "names no host"),
        ("bolt://127.0.0.1:1", 1, "no Neo4j server answers at bolt://127.0.0.1:1"),
        ("nowhere.lbug", 1, "there is no database at nowhere.lbug; `graphmine load` makes one"),
        (".", 2, "is a folder"),
    ],
)
@pytest.mark.parametrize("command", [["schema"], [*WOMEN_BY_TWO, "--write", "circle"], ["runs", "undo", "last"]])
def test_wrong_databases(
    command: list[str], url: str, code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = graphmine(*command, "--db", url, code=code).sentence
    assert sentence in said
    assert "secret" not in said
    assert os.listdir(tmp_path) == []


def test_a_wrong_password(neo4j_uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "wrong horse")
    said = graphmine("schema", "--db", neo4j_uri, code=1).sentence
    assert "refused the login; check NEO4J_USERNAME and NEO4J_PASSWORD" in said
    assert "wrong horse" not in said


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes\n" * 1000)
    for command in (["schema"], ["load", "davis"]):
        assert "is not a LadybugDB database" in graphmine(*command, "--db", str(path), code=1).sentence
    assert path.read_text() == "these are notes\n" * 1000


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--relation", "Womn-ATTENDED->Event", "-k", "2"], 2, "no kind 'Womn'.*did you mean 'Woman'"),
        (["--relation", "Woman-ATENDED->Event", "-k", "2"], 2, "no relationship type 'ATENDED'.*mean 'ATTENDED'"),
        (["--relation", "Woman->Event", "-k", "2"], 2, "can not be read at '->Event'"),
        (["--relation", WOMEN], 2, "n_clusters is missing; say -k NUMBER or -k auto"),
        (["--relation", WOMEN, "-k", "two"], 2, "n_clusters must be a whole number, auto, or Kind=number"),
        (["--relation", WOMEN, "-k", "2", "-k", "auto"], 2, "must be one number, auto, or Kind=number"),
        (["--relation", WOMEN, "-k", "auto", "-k", "Woman=2"], 2, "must be one number, auto, or Kind=number"),
        (["--relation", WOMEN, "-k", "Woman=2"], 2, "n_clusters has no number for Event"),
        (["--relation", WOMEN, "-k", "Woman=2", "-k", "Evnt=2"], 2, "given for 'Evnt'.*did you mean 'Event'"),
        (["--relation", WOMEN, "--method", "scm", "-k", "Woman=2", "-k", "Event=15"], 2, "of Event must be at most 14"),
        (["--relation", WOMEN, "-k", "Woman=2", "-k", "Event=2"], 2, "loom takes one number"),
        (["--relation", WOMEN, "-k", "auto", "--where", "Event.name = none"], 1, "no Woman is linked to anything"),
        (["-k", "2"], 2, "relation is missing"),
        (["--relation", WOMEN, "-k", "0"], 2, "n_clusters must be a whole number of at least 1, was 0"),
        (["--relation", WOMEN, "-k", "15"], 2, "n_clusters must be at most 14"),
        (["--relation", WOMEN, "-k", "2", "--seed", "-1"], 2, "seed must be"),
        (["--relation", WOMEN, "-k", "2", "--method", "sco"], 2, "did you mean 's-co'"),
        (["--relation", WOMEN, "-k", "2", "--param", "depth=3"], 2, "loom has no parameter 'depth'"),
        (["--relation", WOMEN, "-k", "2", "--param", "depth"], 2, "write it as name=value"),
        (["--relation", WOMEN, "-k", "2", "--key", "name"], 2, "write it as Kind.property"),
        (["--relation", WOMEN, "-k", "2", "--key", "Woman.nam"], 2, "no property 'nam'.*did you mean 'name'"),
        (["--relation", WOMEN, "-k", "2", "--where", "Event.day > 3"], 2, "Event has no such property"),
        (["--relation", WOMEN, "-k", "2", "--where", "Event.name = none"], 1, "no Woman is linked to any Event"),
        (["--relation", WOMEN, "-k", "2", "--write", "name"], 2, "'name' is the key of Woman"),
        (["--relation", WOMEN, "-k", "2", "--write", ""], 2, "write must be a name"),
        (["--relation", WOMEN, "-k", "2", "--picture", "women.pdf"], 2, "picture must end in .png or .svg"),
        (["--relation", WOMEN, "-k", "2", "--picture", "no/women.png"], 2, "its folder does not exist"),
        (["--relation", "Woman-[no.cypher]->Event", "-k", "2"], 2, "the query file no.cypher can not be read"),
        (["--relation", WOMEN, "--relation", WOMEN, "-k", "2", "--method", "scm"], 2, "scm takes 1 relation"),
        (["nowhere.toml"], 2, "the job nowhere.toml can not be read: No such file"),
        (["Woman-ATTENDED->Event", "-k", "2"], 2, "No such file or directory; a relation stands after --relation"),
    ],
)  # fmt: skip
def test_what_can_not_be_mined(
    women: str, arguments: list[str], code: int, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    before = snapshot(women)
    writing = [] if "--write" in arguments else ["--write", "circle"]
    said = graphmine("mine", *arguments, *writing, "--db", women, code=code).sentence
    assert re.search(sentence, said), said
    assert snapshot(women) == before


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("relations = 'A-B->C'\nn_clusters = 2", "unknown field 'relations' (did you mean 'relation'?)"),
        ("relation = 7\nn_clusters = 2", "relation must be text or a list of texts, was 7"),
        (
            "relation = 'A-B->C'\nn_clusters = '2'",
            "n_clusters must be a whole number of at least 1, or 'auto', was '2'",
        ),
        ("relation = 'A-B->C'", "needs a field 'n_clusters'"),
        ("relation = 'A-B->C'\nn_clusters = 2\noverwrite = 'yes'", "overwrite must be true or false"),
        ("relation: A-B->C", "is no TOML"),
        ("\x00", "is no TOML"),
    ],
)
def test_wrong_jobs(tmp_path: Path, text: str, sentence: str) -> None:
    job = tmp_path / "job.toml"
    job.write_text(text)
    assert sentence in graphmine("mine", str(job), "--db", str(tmp_path / "never.lbug"), code=2).sentence
    assert os.listdir(tmp_path) == ["job.toml"]


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_two_columns_of_one_name(women: str, form: str) -> None:
    said = graphmine("cypher", "RETURN 1 AS x, 2 AS y, 3 AS x", "--db", women, "--format", form, code=2).sentence
    assert said == "two columns are called 'x'; name them apart with AS"


@pytest.mark.parametrize("text", ["", " ;", "// RETURN 1 AS x"])
def test_an_empty_query(women: str, text: str) -> None:
    said = graphmine("cypher", text, "--db", women, code=2).sentence
    assert said.startswith("the query is empty; write one that reads, such as ")


def test_a_dry_run_refuses_a_picture_that_can_not_be_drawn(women: str) -> None:
    said = graphmine(*WOMEN_BY_TWO, "--dry-run", "--picture", "women.pdf", "--db", women, code=2).sentence
    assert "picture must end in .png or .svg" in said


def test_usage_errors(women: str) -> None:
    for arguments in (["frobnicate"], ["mine", "--frob"], ["mine", "--seed", "two"], ["schema", "--format", "xml"],
                      ["score", "last"], ["runs", "show"], ["cypher"], ["load", "csv"]):  # fmt: skip
        ran = graphmine(*arguments, code=2)
        assert ran.out == ""
        assert "Error: " in ran.err


@pytest.mark.parametrize(
    ("files", "code", "sentence"),
    [
        (["--nodes", "authors.csv"], 2, "write it as NAME=FILE"),
        (["--nodes", "A=a.csv", "--nodes", "A=b.csv"], 2, "names A twice"),
        (["--nodes", "A=no.csv"], 1, "no.csv can not be read: No such file"),
        (["--nodes", "A=a.csv", "--relationships", "A-B->C=b.csv"], 2, "needs a file of C nodes"),
        (["--nodes", "A=a.csv", "--relationships", "A-B->A=b.csv"], 1, "b.csv, line 3: no A has the key '9'"),
    ],
)
def test_wrong_files(
    files: list[str], code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("id\n1\n2\n")
    Path("b.csv").write_text("one,other\n1,2\n1,9\n")
    assert sentence in graphmine("load", "csv", *files, code=code).err
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b.csv"]


def test_weights_that_mean_nothing(database: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id\n1\n2\n")
    (tmp_path / "b.csv").write_text("id\n1\n2\n")
    (tmp_path / "r.csv").write_text("a,b,bad:float,gap:float\n1,1,1.5,\n2,2,-0.5,2\n")
    graphmine("load", "csv", "--nodes", f"A={tmp_path}/a.csv", "--nodes", f"B={tmp_path}/b.csv",
              "--relationships", f"A-R->B={tmp_path}/r.csv", "--db", database)  # fmt: skip
    before = snapshot(database)
    for weight, sentence in (
        ("bad", "the weight between A 2 and B 2 is -0.5; weights must be finite and not negative"),
        ("gap", "1 of 2 R relationships have no number in 'gap'"),
    ):
        mining = ["mine", "--relation", f"A-R{{{weight}}}->B", "-k", "2", "--write", "label", "--db", database]
        assert sentence in graphmine(*mining, code=1).sentence
    assert snapshot(database) == before
    with connect(database) as store:
        write(store, "MATCH (:A)-[r:R]->(:B) SET r.gap = 0.0 / 0.0")
    mining = ["mine", "--relation", "A-R{gap}->B", "-k", "2", "--write", "label", "--db", database]
    assert "2 of 2 R relationships have no number in 'gap'" in graphmine(*mining, code=1).sentence


def test_a_property_that_graphmine_did_not_write(database: str) -> None:
    load_small(database)
    before = snapshot(database)
    mining = ["mine", "--relation", "Author-WROTE->Paper", "-k", "3", "--write", "year", "--db", database]
    assert "Paper.year holds 120 values that graphmine did not write" in graphmine(*mining, code=1).sentence
    assert snapshot(database) == before
    graphmine(*mining, "--overwrite")
    assert snapshot(database) != before
    graphmine("runs", "undo", "last", "--db", database)
    assert snapshot(database)[:2] == before[:2]  # type: ignore[index]


def test_unknown_runs(database: str) -> None:
    load_small(database)
    before = snapshot(database)
    for command in (["runs", "show"], ["runs", "undo"], ["runs", "resume"], ["score", "--truth", "known_area"]):
        said = graphmine(command[0], *command[1:], "2031", "--db", database, code=1).sentence
        assert "there is no run '2031'" in said
    assert snapshot(database) == before


def test_what_a_run_can_not_do(database: str) -> None:
    load_small(database)
    graphmine("mine", "--relation", VENUES, "-k", "3", "--write", "area", "--db", database)
    before = snapshot(database)
    assert "there is nothing to resume" in graphmine("runs", "resume", "last", "--db", database, code=1).sentence
    said = graphmine("score", "last", "--truth", "no_such", "--db", database, code=2).sentence
    assert "none of Author, Conference has a property 'no_such'" in said
    assert snapshot(database) == before


@pytest.fixture
def held(women: str) -> Iterator[str]:
    """A database that another process is writing."""
    code = f"from graphmine.store import connect\nstore = connect({women!r})\nprint(flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        yield women
        process.stdin.close()
        process.wait(timeout=30)


def test_a_database_that_another_process_writes_can_be_read_only(held: str) -> None:
    for command in (["load", "davis"], [*WOMEN_BY_TWO, "--write", "circle"], ["runs", "undo", "last"]):
        assert "is in use by process" in graphmine(*command, "--db", held, code=1).sentence
    assert graphmine("schema", "--db", held, "--format", "json").json["kinds"]
    assert graphmine(*WOMEN_BY_TWO, "--db", held, "--format", "json").json["n_clusters"] == 2


def give_up_power() -> None:
    """Leave root nothing but its name: without these two capabilities it is refused what others are refused."""
    drop_from_bounding_set, override_access, read_anything = 24, 1, 2
    for capability in (override_access, read_anything):
        assert ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its power by a call of Linux")
def test_a_read_only_folder(women: str, tmp_path: Path) -> None:
    powerless: dict[str, Any] = {"preexec_fn": give_up_power} if os.geteuid() == 0 else {}
    before = Path(women).read_bytes()
    folder = tmp_path.joinpath("read-only")
    folder.mkdir()
    file = Path(shutil.copy(women, folder))
    file.chmod(0o444)
    folder.chmod(0o555)
    try:
        read = graphmine_process("schema", "--db", str(file), "--format", "json", **powerless)
        assert read.json["kinds"]
        mining = [*WOMEN_BY_TWO, "--write", "circle", "--db", str(file)]
        refused = graphmine_process(*mining, code=1, **powerless).sentence
        assert "can not be written: its folder or file is read-only" in refused
        new = graphmine_process("load", "davis", "--db", str(folder / "new.lbug"), code=1, **powerless).sentence
        assert "can not be written: its folder or file is read-only" in new
        assert os.listdir(folder) == [file.name]
        assert file.read_bytes() == before
    finally:
        folder.chmod(0o755)
