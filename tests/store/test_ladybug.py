"""What is particular to the embedded database: one file, one writer, and a log that a crash may cut short."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphmine.errors import LockedError, ParameterError, StoreError
from graphmine.store import connect
from graphmine.store.ladybug.opening import Recovered
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


def test_reading_beside_a_writer_that_never_rests(ladybug_path: Path) -> None:
    script = (
        "import sys, graphmine as gm; store = gm.connect(sys.argv[1])\n"
        "store.writing(lambda tx: tx.write('CREATE NODE TABLE A(id INT64 PRIMARY KEY)'))\n"
        "print('open', flush=True)\n"
        "for i in range(100000): store.writing(lambda tx: tx.write('CREATE (:A {id: $i})', None, i=i))"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(ladybug_path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        for _ in range(15):
            with connect(str(ladybug_path), read_only=True) as beside:
                assert read(beside, "MATCH (a:A) RETURN count(*) AS n")["n"][0].as_py() >= 0
        assert writer.poll() is None
        writer.kill()
    assert not list(ladybug_path.parent.glob("*.damaged-*"))


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
