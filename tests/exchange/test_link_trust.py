"""The trust of links is kept with a run: whole if the run is, gone if it is undone, whatever happens on the way."""

from itertools import count

import numpy as np
import pyarrow as pa
import pytest

from graphmine.datasets.network import Edges, Network
from graphmine.errors import ConstraintError
from graphmine.exchange import journal
from graphmine.exchange.link_trust import read_trust
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, resume, undo
from graphmine.exchange.runs import TRUST_KIND, Run, find_run, list_runs
from graphmine.exchange.schema import schema
from graphmine.model import Clustering, Constraints, Groups, Links, Star
from graphmine.store import Store
from tests.databases import all_values, read, write
from tests.exchange.test_push import CrashError, crashing

NAMES = ["ann", "bob", "cyd", "d`e", "eve", "fay; \x1f"]
LABELS = {"Person": np.array([0, 0, 1, 1, -1, 0]), "Room": np.array([0, 1, 0])}
LINKS = Constraints(
    {
        "Person": Links.of_pairs([[0, 1], [0, 2], [1, 4]], rule=0, weight=2.0)
        + Links.tying(Groups.of([[0, 1, 2, 5]]), rule=1, hard=True)
        + Links.of_pairs([[5, 3]], must=False)
    },
    {("Person", "Room"): Links.between(Groups.of([[0, 1]]), Groups.of([[0, 1, 2]]), [[0, 0]], rule=1)},
    rules=("friends", 'it\'s; "odd"'),
)
TRUST = {
    ("Person", "Person"): np.array([0.9, 0.2, 0.5, 1.0, 0.75]),
    ("Person", "Room"): np.array([0.25]),
}
FOUND = Clustering(LABELS, trust=TRUST)
TOLD = [
    ("friends", "ann", 1, "bob", 1, 0.9, 1, 0, 0),
    ("friends", "ann", 1, "cyd", 1, 0.2, 1, 1, 0),
    ("friends", "bob", 1, "eve", 1, 0.5, 1, 0, 1),
    ('it\'s; "odd"', "ann, bob, cyd, …", 4, "ann, bob, cyd, …", 4, 1.0, 6, 3, 0),
    ('it\'s; "odd"', "ann, bob", 2, "1, 2, 3", 3, 0.25, 6, 2, 0),
    ("", "fay; \x1f", 1, "d`e", 1, 0.75, 1, 0, 0),
]
COLUMNS = ("rule", "key", "size", "other_key", "other_size", "trust", "pairs", "broken", "unplaced")


@pytest.fixture
def star(store: Store) -> Star:
    nodes = {"Person": pa.table({"name": NAMES}), "Room": pa.table({"id": [1, 2, 3]})}
    edges = pa.table({"source": NAMES, "target": [1, 2, 3, 1, 2, 3]})
    load(store, Network(nodes, (Edges("Person", "IN", "Room", edges),)))
    return pull(store, ["Person-IN->Room"])


def told(store: Store, run: Run) -> list[tuple[object, ...]] | None:
    found = read_trust(store, run)
    return None if found is None else [tuple(row[name] for name in COLUMNS) for row in found.to_pylist()]


def stored(store: Store) -> int:
    if (
        store.database.declares_properties
        and TRUST_KIND not in read(store, "CALL show_tables() RETURN name")["name"].to_pylist()
    ):
        return 0
    return int(read(store, f"MATCH (t:{TRUST_KIND}) RETURN count(*) AS n")["n"][0].as_py())


def test_every_link_comes_back_with_its_trust(store: Store, star: Star) -> None:
    run = push(store, star, FOUND, "team", constraints=LINKS)
    assert told(store, run) == TOLD
    found = read_trust(store, run)
    assert found is not None
    assert found["must"].to_pylist() == [True] * 5 + [False]
    assert found["hard"].to_pylist() == [False] * 3 + [True] + [False] * 2
    assert found["weight"].to_pylist() == [2.0] * 3 + [1.0] * 3
    assert found.select(["kind", "other_kind"]).to_pylist()[3:5] == [
        {"kind": "Person", "other_kind": "Person"},
        {"kind": "Person", "other_kind": "Room"},
    ]


def test_it_is_no_kind_of_the_user(store: Store, star: Star) -> None:
    before = all_values(store)
    push(store, star, FOUND, "team", constraints=LINKS)
    assert [kind.name for kind in schema(store).kinds] == ["Person", "Room"]
    undo(store, "last")
    assert all_values(store) == before


def test_undo_removes_the_trust_of_its_own_run_only(store: Store, star: Star) -> None:
    first, second = (push(store, star, FOUND, name, constraints=LINKS) for name in ("team", "other"))
    undo(store, second)
    assert told(store, second) is None
    assert told(store, first) == TOLD
    undo(store, first)
    assert stored(store) == 0


def test_a_method_that_does_not_judge_leaves_nothing(store: Store, star: Star) -> None:
    for constraints, found in ((LINKS, Clustering(LABELS)), (Constraints(), FOUND)):
        run = push(store, star, found, "team", constraints=constraints)
        assert told(store, run) is None
    assert stored(store) == 0
    undo(store, "last")


def test_databases_of_before_are_read_and_undone(store: Store, star: Star) -> None:
    push(store, star, FOUND, "team", constraints=LINKS)
    if store.database.declares_properties:
        write(store, f"DROP TABLE {TRUST_KIND}")
    else:
        write(store, f"MATCH (t:{TRUST_KIND}) DELETE t")
    assert told(store, find_run(store, "last")) is None
    assert undo(store, "last").state == "undone"
    assert told(store, push(store, star, FOUND, "team", constraints=LINKS)) == TOLD


def test_many_links_are_stored_thousands_a_node(store: Store, star: Star, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "BATCH", 2)
    run = push(store, star, FOUND, "team", constraints=LINKS)
    assert told(store, run) == TOLD
    assert stored(store) == 5


def test_trust_in_other_links_is_refused_before_anything_is_written(store: Store, star: Star) -> None:
    wrong = Clustering(LABELS, trust={("Person", "Person"): np.ones(3)})
    with pytest.raises(ConstraintError, match=r"^the clustering has a trust for 3 links of Person with Person, and "):
        push(store, star, wrong, "team", constraints=LINKS)
    assert list_runs(store) == []


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("end", [resume, undo])
def test_a_stop_anywhere_leaves_all_of_it_or_nothing(
    store: Store, star: Star, after: bool, end: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "BATCH", 2)  # two commits of trust, two of the journal
    untouched, states = all_values(store), []
    for number in count(1):
        try:
            run = push(crashing(store, number, after=after), star, FOUND, "team", constraints=LINKS)
        except CrashError:
            left = [each for each in list_runs(store) if each.state == "writing"]
            for each in left:
                ended = end(store, each)  # type: ignore[operator]
                states.append(ended.state)
                assert told(store, ended) == (TOLD if ended.state == "complete" else None)
            for each in list_runs(store):
                if each.state == "complete":
                    assert told(store, each) == TOLD
                    undo(store, each)
            assert stored(store) == 0
            assert all_values(store) == untouched
        else:
            assert told(store, run) == TOLD
            break
    assert set(states) == ({"complete", "undone"} if end is resume else {"undone"})


def test_a_stop_while_undoing_keeps_it_for_those_who_go_on(store: Store, star: Star) -> None:
    run = push(store, star, FOUND, "team", constraints=LINKS)
    with pytest.raises(CrashError):
        undo(crashing(store, 2, after=True), run)
    assert told(store, run) == TOLD
    assert resume(store, run).state == "complete"
    assert told(store, run) == TOLD
