"""What is particular to the embedded database: one file, one writer, and a log that a crash may cut short."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graphmine.errors import LockedError, ParameterError, StoreError
from graphmine.store import connect
from graphmine.store.ladybug.opening import Recovered, open_file
from graphmine.store.ladybug.store import LadybugStore
from tests.databases import read, write

HOLD = "import sys, graphmine as gm; store = gm.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def test_what_is_written_is_there_after_closing(ladybug_path: Path) -> None:
    with connect(str(ladybug_path)) as store:
        write(store, "CREATE NODE TABLE A(id INT64 PRIMARY KEY)")
        write(store, "CREATE (:A {id: 1})")
    with connect(str(ladybug_path)) as store:
        assert read(store, "MATCH (a:A) RETURN a.id AS id")["id"].to_pylist() == [1]


def test_a_second_connection_in_the_process_is_refused_until_the_first_is_closed(ladybug_path: Path) -> None:
    with connect(str(ladybug_path)), pytest.raises(LockedError, match="open already in this process"):
        connect(str(ladybug_path))
    connect(str(ladybug_path)).close()


def test_another_process_is_named(ladybug_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(ladybug_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(LockedError, match=f"in use by process {holder.pid}"):
            connect(str(ladybug_path))
        with connect(str(ladybug_path), read_only=True) as beside:
            assert read(beside, "RETURN 1 AS x")["x"].to_pylist() == [1]
            with pytest.raises(StoreError, match="would write"):
                write(beside, "CREATE NODE TABLE A(id INT64 PRIMARY KEY)")


def test_a_log_that_was_cut_short_is_recovered_with_a_copy_and_a_word(ladybug_path: Path) -> None:
    script = (
        "import os, sys, graphmine as gm; store = gm.connect(sys.argv[1])\n"
        "for text in ('CREATE NODE TABLE A(id INT64 PRIMARY KEY)', 'CREATE (:A {id: 1})', 'CREATE (:A {id: 2})'):\n"
        "    store.writing(lambda tx: tx.write(text))\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(ladybug_path)], check=False)
    log = Path(f"{ladybug_path}.wal")
    os.truncate(log, log.stat().st_size - 7)
    with pytest.warns(Recovered, match="last sound state"):
        store = connect(str(ladybug_path))
    with store:
        assert read(store, "MATCH (a:A) RETURN a.id AS id")["id"].to_pylist() == [1]
        write(store, "CREATE (:A {id: 3})")
    (aside,) = ladybug_path.parent.glob("*.damaged-*")
    assert (aside / log.name).stat().st_size > 0


@pytest.mark.parametrize("name", ["sub/graph.lbug", "text.lbug", "short.lbug", "."])
def test_places_where_no_database_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.lbug").write_text("this is not a database, and it is long enough to be looked at\n" * 200)
    (tmp_path / "short.lbug").write_text("no database")
    with pytest.raises((StoreError, ParameterError)) as caught:
        connect(str(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_nothing_is_made_where_nothing_was_asked_for(ladybug_path: Path) -> None:
    for create, read_only in ((False, False), (True, True)):
        with pytest.raises(StoreError, match="no database at"):
            connect(str(ladybug_path), create=create, read_only=read_only)
    assert not ladybug_path.exists()


def test_every_driver_error_becomes_ours() -> None:
    with LadybugStore() as store:
        for text in ("nonsense", "MATCH (n:Nowhere) RETURN n", "RETURN 1/0", "MATCH (n) RETURN n.x"):
            with pytest.raises(StoreError):
                read(store, text)


class Refusing:
    """A driver that can not open a file so many times, for a reason of its own."""

    def __init__(self, reason: str, times: int) -> None:
        self.reason, self.left, self.pauses = reason, times, list[float]()

    def open(self, *_: object, **__: object) -> object:
        self.left -= 1
        if self.left >= 0:
            raise RuntimeError(self.reason)
        return self


CHANGING = [
    "Primary-key index contains an invalid local node offset. Please drop and rebuild the _PK index.",
    "Runtime exception: Found duplicated primary key value 7, which violates the uniqueness constraint.",
    "Runtime exception: Cannot open the database while a checkpoint is in progress.",
    "Runtime exception: Cannot open database in read-only mode while checkpoint recovery is pending.",
    "Storage exception: Checksum verification failed, the WAL file is corrupted.",
]


@pytest.fixture
def refusing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Refusing:
    driver = Refusing(*request.param)
    monkeypatch.setattr("graphmine.store.ladybug.opening.ladybug.Database", driver.open)
    monkeypatch.setattr("graphmine.store.ladybug.opening.time.sleep", driver.pauses.append)
    return driver


@pytest.mark.parametrize("refusing", [(reason, 3) for reason in CHANGING], indirect=True)
def test_a_file_that_changes_is_opened_a_moment_later(tmp_path: Path, refusing: Refusing) -> None:
    (tmp_path / "graph.lbug").touch()
    assert open_file(str(tmp_path / "graph.lbug"), read_only=True) is refusing
    assert len(refusing.pauses) == 3


@pytest.mark.parametrize("refusing", [(reason, 1000) for reason in CHANGING[:3]], indirect=True)
def test_a_file_that_never_rests_is_given_up_in_one_sentence(tmp_path: Path, refusing: Refusing) -> None:
    (tmp_path / "graph.lbug").touch()
    with pytest.raises(LockedError, match="beside a process that writes it without pause; try again"):
        open_file(str(tmp_path / "graph.lbug"), read_only=True)
    assert sum(refusing.pauses) == pytest.approx(2)


@pytest.mark.parametrize("refusing", [("IO exception: not a valid Lbug database file", 1000)], indirect=True)
def test_what_will_not_pass_is_said_at_once(tmp_path: Path, refusing: Refusing) -> None:
    (tmp_path / "graph.lbug").touch()
    with pytest.raises(StoreError, match="is not a LadybugDB database"):
        open_file(str(tmp_path / "graph.lbug"), read_only=True)
    assert not refusing.pauses


WRITER = """
import sys, pyarrow as pa, graphmine as gm
store, size = gm.connect(sys.argv[1]), int(sys.argv[2])
store.writing(lambda tx: tx.write("CREATE NODE TABLE A(id STRING PRIMARY KEY)"))
print("open", flush=True)
for i in range(1_000_000):
    rows = pa.table({"id": [f"{i}/{j}" for j in range(size)]})
    store.writing(lambda tx: tx.write("COPY A FROM $rows", rows))
    store.writing(lambda tx: tx.write("MATCH (a:A) WHERE a.id STARTS WITH $name DELETE a", None, name=f"{i - 3}/"))
"""


def check_opening_beside(path: Path, size: int, seconds: float) -> None:
    """Open a file again and again beside a process that commits and checkpoints without pause."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(size)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                with connect(str(path), read_only=True, memory=2**28) as beside:
                    assert read(beside, "MATCH (a:A) RETURN count(*) AS n")["n"][0].as_py() >= 0
            assert writer.poll() is None
        finally:
            writer.kill()
    assert not list(path.parent.glob("*.damaged-*"))


@pytest.mark.parametrize("size", [1, 300])
def test_opening_beside_a_writer_that_never_rests(ladybug_path: Path, size: int) -> None:
    check_opening_beside(ladybug_path, size, seconds=2)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 30, 300, 3000])
def test_opening_beside_a_writer_for_a_minute(ladybug_path: Path, size: int) -> None:
    check_opening_beside(ladybug_path, size, seconds=60)


@pytest.mark.parametrize("before", ["", "/* all */ ", "// all\n", "PROFILE ", "RETURN 1 AS one; "])
def test_a_reading_query_leaves_no_file_behind(tmp_path: Path, before: str) -> None:
    with LadybugStore() as store, pytest.raises(StoreError, match=r"would write files|more than one"):
        read(store, f"{before}COPY (RETURN 1) TO '{tmp_path}/out.csv'")
    assert not list(tmp_path.iterdir())


def test_a_semicolon_may_end_a_query_or_stand_in_a_text() -> None:
    with LadybugStore() as store:
        assert read(store, "RETURN ';' AS x; // that is all").to_pylist() == [{"x": ";"}]


def test_a_disk_with_no_room_is_said_before_anything_is_written(
    ladybug_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(str(ladybug_path)) as store:
        monkeypatch.setattr("graphmine.store.ladybug.store._ROOM", 2**62)
        with pytest.raises(StoreError, match="is full; free some space"):
            write(store, "CREATE NODE TABLE A(id INT64 PRIMARY KEY)")
