"""A push that is killed with -9 at a random moment, inside a commit or not, loses nothing."""

import os
import random
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from graphmine.datasets.academic import academic
from graphmine.exchange.link_trust import read_trust
from graphmine.exchange.load import load
from graphmine.exchange.push import resume, undo
from graphmine.exchange.runs import Run, list_runs, unfinished_runs
from graphmine.store import Store, connect
from graphmine.store.ladybug.opening import Recovered
from tests.databases import all_values, read

PHASES = {"push: write the trust of links": 0.3, "push: write the journal": 0.5, "push: write the labels": 0.15}
"""What a push is killed in, and within how many seconds of its beginning: some are over by then, some hardly begun."""

LINKS = 3000


def labels_of(number: int, count: int) -> list[int]:
    """What the ``number``-th push writes: every label differs from the one before."""
    return [(position + number) % 5 for position in range(count)]


def trust_of(number: int) -> list[float]:
    """How far the ``number``-th push trusts each of its links."""
    return [(position + number) % 64 / 64 for position in range(LINKS)]


def push_again_and_again(url: str, first: int) -> None:
    """Run in a process of its own, until it is killed."""
    import numpy as np

    from graphmine.exchange import journal
    from graphmine.exchange.pull import pull
    from graphmine.exchange.push import push
    from graphmine.model import Clustering, Constraints, Links

    journal.BATCH = 300  # many small commits, so that many kills fall into one
    with connect(url) as store:
        star = pull(store, ["Author-WROTE->Paper-IN->Conference"])
        links = Constraints({"Author": Links.of_pairs([[i, i + 1] for i in range(LINKS)])})
        for number in range(first, first + 1000):
            labels = {nodes.kind: np.array(labels_of(number, len(nodes))) for nodes in star.kinds}
            found = Clustering(labels, trust={("Author", "Author"): np.array(trust_of(number))})
            draft = Run("area", parameters={"number": number})
            push(store, star, found, draft, constraints=links, progress=tell_beginnings)


def tell_beginnings(what: str, done: int, total: int | None = None) -> None:
    if done == 0:
        print(what, flush=True)


def kill_a_push(url: str, first: int, chance: random.Random) -> None:
    """Let some pushes through, then kill one at a random moment after one of its phases has begun."""
    let_through, phase = chance.randrange(3), chance.choice(list(PHASES))
    script = f"from tests.exchange.test_kill import push_again_and_again; push_again_and_again({url!r}, {first})"
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root, env=dict(os.environ)
    ) as child:
        assert child.stdout is not None
        while let_through >= 0:
            line = child.stdout.readline().decode().strip()
            assert line in PHASES
            let_through -= line == phase
        time.sleep(chance.uniform(0, PHASES[phase]))
        child.kill()


def labels_in(store: Store, kind: str) -> list[int | None]:
    labels: list[int | None] = read(store, f"MATCH (n:{kind}) RETURN n.area AS area ORDER BY n.name")[
        "area"
    ].to_pylist()
    return labels


def check_whole(store: Store, last: Run) -> None:
    """Every node carries the labels of one and the same run."""
    for kind in ("Author", "Conference"):
        found = labels_in(store, kind)
        assert found == labels_of(last.parameters["number"], len(found))


def check_trust(store: Store, run: Run) -> None:
    """The trust of a complete run is there to the last link, and of one that is undone nothing."""
    found = read_trust(store, run)
    if run.state == "complete":
        assert found is not None
        assert found["trust"].to_pylist() == trust_of(run.parameters["number"])
    else:
        assert found is None


def kill_and_mend(database: str, kills: int) -> dict[str, int]:
    seen = {"unfinished": 0, "resumed": 0, "undone": 0, "recovered": 0}
    chance = random.Random(7)
    with connect(database) as store:
        load(store, academic(authors=4000, papers=4000, conferences=20, terms=20, seed=1))
        untouched = all_values(store)
    for _ in range(kills):
        with connect(database) as store:
            first = 1 + max((run.parameters["number"] for run in list_runs(store)), default=0)
        kill_a_push(database, first, chance)
        with warnings.catch_warnings(record=True, action="always", category=Recovered) as told:
            store = connect(database)
        seen["recovered"] += len(told)
        with store:
            left = unfinished_runs(store)
            assert len(left) <= 1
            for run in left:
                seen["unfinished"] += 1
                ended = chance.choice([resume, undo])(store, run.id)
                seen["resumed" if ended.state == "complete" else "undone"] += 1
            for run in list_runs(store):
                check_trust(store, run)
            live = [run for run in list_runs(store) if run.state == "complete"]
            if live:
                check_whole(store, live[-1])
            now = all_values(store)
            assert {name: now[name] for name in untouched} == untouched
    with connect(database) as store:
        for _ in [run for run in list_runs(store) if run.state == "complete"]:
            undo(store, "last")
        assert all_values(store) == untouched
    return seen


def test_two_kills_are_mended(database: str) -> None:
    seen = kill_and_mend(database, kills=2)
    assert seen["unfinished"] == seen["resumed"] + seen["undone"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_thirty_kills_are_mended(database: str) -> None:
    seen = kill_and_mend(database, kills=30)
    print(seen)
    assert seen["resumed"] >= 3
    assert seen["undone"] >= 3
