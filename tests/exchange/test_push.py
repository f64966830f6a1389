"""Labels arrive whole, can be taken back exactly, and survive a stop at any point."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import count
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pytest

from graphmine.datasets.davis import davis
from graphmine.datasets.network import Edges, Network
from graphmine.errors import GraphmineError, ParameterError, RunError
from graphmine.exchange import journal
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, resume, undo
from graphmine.exchange.runs import Run, find_run, list_runs, unfinished_runs
from graphmine.model import Clustering, Star
from graphmine.store import Reader, Store, Transaction, connect
from graphmine.store.tokens import without_comments
from graphmine.verbs.score import score
from tests.databases import all_values, read, write

T = TypeVar("T")
NAMES = ["ann", "bob", "cyd", "d`e", "eve"]
ROOMS = [1, 2, 3]


@pytest.fixture
def star(store: Store) -> Star:
    nodes = {"Person": pa.table({"name": NAMES, "age": [30, 40, 50, 60, 70]}), "Room": pa.table({"id": ROOMS})}
    edges = pa.table({"source": [*NAMES, "ann"], "target": [1, 2, 3, 1, 2, 3]})
    load(store, Network(nodes, (Edges("Person", "IN", "Room", edges),)))
    return pull(store, ["Person-IN->Room"])


def clustering(*people: int, rooms: tuple[int, int, int] = (0, 1, 0)) -> Clustering:
    return Clustering({"Person": np.array(people), "Room": np.array(rooms)})


ONE = clustering(0, 1, 0, 1, -1)
TWO = clustering(1, 1, 0, 0, 0, rooms=(1, 1, 1))


def people(store: Store, property_: str = "team") -> list[object]:
    rows = read(store, f"MATCH (p:Person) RETURN p.name AS name, p.`{property_}` AS label ORDER BY name")
    labels: list[object] = rows["label"].to_pylist()
    return labels


class CrashError(Exception):
    """The process ends here."""


class Crashing:
    """A store whose process ends just before its nth writing transaction, or just after it."""

    def __init__(self, store: Store, transactions: int, *, after: bool) -> None:
        self.database, self.name, self.writers = store.database, store.name, 1
        self._store, self._left, self._after = store, transactions, after

    def snapshot(self) -> AbstractContextManager[None]:
        return self._store.snapshot()

    def reading(self, work: Callable[[Reader], T], /) -> T:
        return self._store.reading(work)

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise CrashError
        result = self._store.writing(work)
        if self._left == 0:
            raise CrashError
        return result


def crashing(store: Store, transactions: int, *, after: bool) -> Store:
    broken: object = Crashing(store, transactions, after=after)
    return broken  # type: ignore[return-value]


def torn(tx: Transaction) -> Transaction:
    """Return a transaction of LadybugDB of which a crash keeps the changes of tables and loses the rows."""
    write = tx.write

    def torn_write(text: str, rows: pa.Table | None = None, /, **values: object) -> int:
        if without_comments(text).split()[:2] not in (["ALTER", "TABLE"], ["CREATE", "NODE"]):
            return 0
        return write(text, rows, **values)

    tx.write = torn_write  # type: ignore[method-assign]
    return tx


class Tearing(Crashing):
    """A store whose process ends inside its nth writing transaction."""

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        self._left -= 1
        if self._left == 0:
            self._store.writing(lambda tx: work(torn(tx)))
            raise CrashError
        return self._store.writing(work)


def tearing(store: Store, transactions: int) -> Store:
    broken: object = Tearing(store, transactions, after=False)
    return broken  # type: ignore[return-value]


def test_labels_arrive_with_their_provenance(store: Store, star: Star) -> None:
    draft = Run("team", method="s-co", parameters={"n_clusters": 2}, seed=7, relations=("Person-IN->Room",))
    run = push(store, star, ONE, draft)
    assert people(store) == [0, 1, 0, 1, None]
    assert run.counts["Person"] == {"nodes": 5, "written": 5, "unplaced": 1, "gone": 0, "changed": 0}
    assert list_runs(store) == [run]
    assert (run.state, run.method, run.seed, run.parameters) == ("complete", "s-co", 7, {"n_clusters": 2})
    assert read(store, "MATCH (r:GraphmineRun) RETURN r.method AS m, r.seed AS s").to_pylist() == [
        {"m": "s-co", "s": 7}
    ]


def test_pushing_twice_is_pushing_once(store: Store, star: Star) -> None:
    push(store, star, ONE, Run("team"))
    before = all_values(store)
    push(store, star, ONE, Run("team"))
    assert all_values(store) == before


def test_undo_goes_back_step_by_step(store: Store, star: Star) -> None:
    start = all_values(store)
    push(store, star, ONE, Run("team"))
    middle = all_values(store)
    push(store, star, TWO, Run("team"))
    assert people(store) == [1, 1, 0, 0, 0]
    undo(store, "last")
    assert all_values(store) == middle
    undo(store, "last")
    assert all_values(store) == start
    assert [run.state for run in list_runs(store)] == ["undone", "undone"]
    assert read(store, "MATCH (b:GraphmineBatch) RETURN count(*) AS n")["n"].to_pylist() == [0]


def test_an_older_run_can_not_be_undone_under_a_newer_one(store: Store, star: Star) -> None:
    first, second = (push(store, star, labels, Run("team")) for labels in (ONE, TWO))
    with pytest.raises(RunError, match=f"{second.id} wrote 'team' after it; undo that one first"):
        undo(store, first.id)
    other = push(store, star, ONE, Run("other"))
    undo(store, second.id)
    undo(store, first.id)
    assert find_run(store, "last") == other


def test_values_that_graphmine_did_not_write_are_kept(store: Store, star: Star) -> None:
    before = all_values(store)
    with pytest.raises(RunError, match=r"Person\.age holds 5 values that graphmine did not write, the first on 'ann'"):
        push(store, star, ONE, Run("age"))
    assert all_values(store) == before
    assert list_runs(store) == []
    push(store, star, ONE, Run("age"), overwrite=True)
    assert people(store, "age") == [0, 1, 0, 1, None]
    undo(store, "last")
    assert all_values(store) == before


def test_a_label_that_somebody_changed_is_theirs(store: Store, star: Star) -> None:
    push(store, star, ONE, Run("team"))
    write(store, "MATCH (p:Person {name: 'bob'}) SET p.team = 77")
    with pytest.raises(RunError, match="holds 1 values that graphmine did not write, the first on 'bob'"):
        push(store, star, TWO, Run("team"))
    run = undo(store, "last")
    assert run.counts["Person"]["changed"] == 1
    assert people(store) == [None, 77, None, None, None]


def test_nodes_that_have_gone_or_come_are_counted_not_guessed(store: Store, star: Star) -> None:
    write(store, "MATCH (p:Person {name: 'bob'}) DETACH DELETE p")
    write(store, "CREATE (:Person {name: 'new'})")
    run = push(store, star, ONE, Run("team"))
    assert (run.counts["Person"]["written"], run.counts["Person"]["gone"]) == (4, 1)
    assert people(store) == [0, 0, 1, None, None]
    write(store, "MATCH (p:Person {name: 'cyd'}) DETACH DELETE p")
    assert undo(store, "last").counts["Person"]["gone"] == 2
    assert "Person.team" not in all_values(store)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("end", [resume, undo])
def test_a_stop_between_any_two_transactions_is_named_and_mended(
    store: Store, star: Star, end: Callable[[Store, str], Run], after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "BATCH", 2)
    push(store, star, ONE, Run("team"))
    before = all_values(store)
    for transactions in range(1, 100):
        try:
            push(crashing(store, transactions, after=after), star, TWO, Run("team"))
        except CrashError:
            pass
        else:
            break
        left = unfinished_runs(store)
        if not left:  # stopped before the run was recorded, or after it was complete
            if len([run for run in list_runs(store) if run.state == "complete"]) == 2:
                assert people(store) == [1, 1, 0, 0, 0]
                undo(store, "last")
            assert all_values(store) == before
            continue
        with pytest.raises(RunError, match=f"{left[0].id} on 'team' was interrupted"):
            push(store, star, ONE, Run("team"))
        ended = end(store, left[0].id)
        assert unfinished_runs(store) == []
        if ended.state == "complete":
            assert people(store) == [1, 1, 0, 0, 0]
            undo(store, ended.id)
        assert all_values(store) == before
    assert transactions > 5


@pytest.mark.parametrize("after", [False, True])
def test_an_undo_that_was_stopped_can_go_either_way(
    store: Store, star: Star, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "BATCH", 2)
    before = all_values(store)
    for transactions in range(1, 100):
        run = push(store, star, ONE, Run("team"))
        try:
            undo(crashing(store, transactions, after=after), run.id)
        except CrashError:
            if find_run(store, run.id).state == "writing" and transactions % 2:
                resume(store, run.id)
                assert people(store) == [0, 1, 0, 1, None]
        if find_run(store, run.id).state == "undone":
            assert all_values(store) == before
            if transactions > 3:
                break
            continue
        undo(store, run.id)
        assert all_values(store) == before


@pytest.mark.parametrize("torn", ["push", "undo"])
def test_a_crash_that_keeps_tables_and_loses_rows_leaves_no_property(torn: str) -> None:
    with connect(":memory:") as store:
        load(store, davis())
        star = pull(store, ["Woman-ATTENDED->Event"])
        found = Clustering({"Woman": np.arange(18) % 2, "Event": np.arange(14) % 2})
        before = all_values(store)
        for transactions in count(1):
            broken = tearing(store, transactions)
            try:
                push(broken if torn == "push" else store, star, found, "team")
                undo(broken if torn == "undo" else store, "last")
            except CrashError:
                for run in [run for run in list_runs(store) if run.state != "undone"]:
                    undo(store, run)
                assert all_values(store) == before
            else:
                break
        assert transactions > 4


def test_a_finished_run_is_not_resumed_and_an_undone_one_not_undone(store: Store, star: Star) -> None:
    run = push(store, star, ONE, Run("team"))
    with pytest.raises(RunError, match="is complete; there is nothing to resume"):
        resume(store, run.id)
    undo(store, run.id)
    with pytest.raises(RunError, match="is undone already"):
        undo(store, run.id)


@pytest.mark.parametrize("property_", ["", "a\nb", "name"])
def test_properties_that_can_not_be_written(store: Store, star: Star, property_: str) -> None:
    with pytest.raises(ParameterError):
        push(store, star, ONE, Run(property_))


def test_labels_that_do_not_fit_are_refused(store: Store, star: Star) -> None:
    with pytest.raises(ParameterError, match="one label for each node of Person"):
        push(store, star, Clustering({"Person": np.zeros(4, int), "Room": np.zeros(3, int)}), Run("team"))


def test_runs_are_found_by_the_beginning_of_their_name(store: Store, star: Star) -> None:
    with pytest.raises(RunError, match="there is no run 'last'"):
        find_run(store, "last")
    one, two = (push(store, star, labels, Run("team")) for labels in (ONE, TWO))
    assert find_run(store, two.id) == find_run(store, "last") == two
    with pytest.raises(RunError, match="several runs begin with"):
        find_run(store, one.id[:4])
    with pytest.raises(GraphmineError, match="there is no run 'zzz'"):
        find_run(store, "zzz")


def test_text_in_the_embedded_database_is_not_turned_into_labels(store: Store, star: Star) -> None:
    if not store.database.declares_properties:
        pytest.skip("a Neo4j property may hold values of any type")
    load(store, Network({"Room": pa.table({"id": ROOMS, "Colour": ["red", "blue", "red"]})}))
    for property_ in ("Colour", "colour"):  # the embedded database does not tell the two apart
        with pytest.raises(RunError, match=r"can not take labels.*write to another property"):
            push(store, star, ONE, Run(property_), overwrite=True)


@pytest.mark.neo4j
def test_values_of_any_type_come_back_exactly(neo4j_uri: str) -> None:
    from graphmine.store import connect

    values = "['text', 3.5, true, [1, 2], date('2020-02-03'), point({x: 1, y: 2}), -9223372036854775808, null]"
    look = "MATCH (a:A) RETURN a.id AS id, valueType(a.v) + ' ' + coalesce(toStringOrNull(a.v), '') AS v ORDER BY id"
    with connect(neo4j_uri) as store:
        write(store, f"UNWIND range(0, 7) AS i CREATE (a:A {{id: i}})-[:T]->(:B {{id: i}}) SET a.v = {values}[i]")
        keys = {"A": "id", "B": "id"}
        star = pull(store, ["A-T->B"], keys=keys)
        before = read(store, look).to_pylist()
        labels = Clustering({"A": np.arange(8) - 1, "B": np.zeros(8, int)})
        run = push(store, star, labels, Run("v"), overwrite=True, keys=keys)
        assert run.counts["A"]["written"] == 8
        assert read(store, "MATCH (a:A) RETURN a.v AS v ORDER BY a.id")["v"].to_pylist() == [None, 0, 1, 2, 3, 4, 5, 6]
        assert undo(store, run.id).counts["A"]["written"] == 8
        assert read(store, look).to_pylist() == before


def test_a_run_that_a_living_process_writes_is_left_to_it(store: Store, star: Star) -> None:
    run = push(store, star, ONE, Run("team"))
    host = run.process.rpartition("/")[0]
    write(store, "MATCH (r:GraphmineRun) SET r.state = 'writing', r.process = $p", p=f"{host}/{os.getppid()}")
    with pytest.raises(RunError, match=f"is being written by process {os.getppid()}; wait for it to end"):
        push(store, star, TWO, Run("team"))
    for end in (resume, undo):
        with pytest.raises(RunError, match="say `force=True`"):
            end(store, run.id)
    write(store, "MATCH (r:GraphmineRun) SET r.process = 'elsewhere/1'")
    assert "unless it is still being written from elsewhere" in unfinished_runs(store)[0].unfinished()
    assert resume(store, run.id).state == "complete"
    assert undo(store, run.id, force=True).state == "undone"


class Intruded(Crashing):
    """A store in which somebody else finishes a run between our looking and our beginning."""

    def __init__(self, store: Store, intrude: Callable[[], object]) -> None:
        super().__init__(store, 0, after=False)
        self._intrude: Callable[[], object] | None = intrude

    def writing(self, work: Callable[[Transaction], T], /) -> T:
        intrude, self._intrude = self._intrude, None
        if intrude:
            intrude()
        return super().writing(work)


def test_a_run_that_ended_since_we_looked_stops_the_push(store: Store, star: Star) -> None:
    shared: object = Intruded(store, lambda: push(store, star, TWO, Run("team")))
    with pytest.raises(RunError, match="another run has written 'team' meanwhile; nothing was changed"):
        push(shared, star, ONE, Run("team"))  # type: ignore[arg-type]
    assert people(store) == [1, 1, 0, 0, 0]
    assert len(list_runs(store)) == 1


def test_several_at_once_never_mix(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        load(store, davis())
        star = pull(store, "Woman-ATTENDED->Event")

    def attempt(number: int) -> str:
        labels = Clustering({nodes.kind: np.full(len(nodes), number) for nodes in star.kinds})
        try:
            with connect(neo4j_uri) as mine:
                return push(mine, star, labels, "circle").state
        except RunError as error:
            return str(error)

    with ThreadPoolExecutor(6) as pool:
        ends = list(pool.map(attempt, range(6)))
    assert "complete" in ends
    assert all(end == "complete" or "meanwhile" in end or "circle" in end for end in ends)
    with connect(neo4j_uri) as store:
        assert len(set(read(store, "MATCH (n:Woman|Event) RETURN n.circle AS c")["c"].to_pylist())) == 1
        assert all(counts["changed"] == 0 for run in list_runs(store) for counts in run.counts.values())


def test_nodes_of_two_kinds_are_refused(neo4j_uri: str) -> None:
    with connect(neo4j_uri) as store:
        write(store, "CREATE (:X:Y {id: 1})-[:E]->(:Y {id: 2}), (:X {id: 3})-[:E]->(:Y {id: 4})")
        keys = {"X": "id", "Y": "id"}
        star = pull(store, "X-E->Y", keys=keys)
        labels = Clustering({"X": np.zeros(2, int), "Y": np.ones(3, int)})
        with pytest.raises(RunError, match="1 nodes are both X and Y"):
            push(store, star, labels, "c", keys=keys)


def test_a_kind_that_has_gone_altogether_is_refused(store: Store, star: Star) -> None:
    write(store, "MATCH (p:Person) DETACH DELETE p")
    with pytest.raises(RunError, match="none of the 5 Person nodes is in the database any more"):
        push(store, star, ONE, "team")


def test_narrow_numbers_in_the_embedded_database() -> None:
    with connect(":memory:") as store:
        write(store, "CREATE NODE TABLE A(i INT32 PRIMARY KEY, g INT8, t STRING)")
        write(store, "CREATE NODE TABLE B(i INT16 PRIMARY KEY)")
        write(store, "CREATE REL TABLE R(FROM A TO B)")
        write(store, "UNWIND [1, 2] AS x CREATE (:A {i: x, t: 'x'})-[:R]->(:B {i: x})")
        star = pull(store, "A-R->B")
        labels = Clustering({"A": np.array([0, 1]), "B": np.array([1, 0])})
        run = push(store, star, labels, "c")
        assert run.counts["A"]["written"] == run.counts["B"]["written"] == 2
        assert read(store, "MATCH (a:A) RETURN a.c AS c ORDER BY a.i")["c"].to_pylist() == [0, 1]
        assert score(store, run, "t")["A"].compared == 2
        with pytest.raises(RunError, match="can not take labels: 'g' holds INT8"):
            push(store, star, labels, "g", overwrite=True)


def test_an_empty_name_names_no_run(store: Store, star: Star) -> None:
    push(store, star, ONE, "team")
    with pytest.raises(ParameterError, match="the name of the run is empty"):
        undo(store, "")


def test_a_kind_without_nodes_is_pushed_and_undone(store: Store) -> None:
    none = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.int64())})
    nodes = {"Person": pa.table({"name": NAMES}), "Room": pa.table({"id": ROOMS}), "Hall": none.select(["target"])}
    edges = pa.table({"source": NAMES, "target": [1, 2, 3, 1, 2]})
    load(store, Network(nodes, (Edges("Person", "IN", "Room", edges), Edges("Person", "IN", "Hall", none))))
    star = pull(store, ["Person-IN->Room", "Person-IN->Hall"])
    found = Clustering({**ONE.labels, "Hall": np.array([], dtype=np.int64)})
    run = push(store, star, found, Run("team"))
    assert run.counts["Hall"] == dict.fromkeys(("nodes", "written", "unplaced", "gone", "changed"), 0)
    assert people(store) == [0, 1, 0, 1, None]
    undo(store, run.id)
    assert unfinished_runs(store) == []
    assert list_runs(store)[-1].state == "undone"
