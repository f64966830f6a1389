"""A taxonomy whose writing is killed with -9 on one of its levels is taken back as a whole, or goes on."""

import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graphmine.datasets.academic import academic
from graphmine.exchange.load import load
from graphmine.exchange.push import resume
from graphmine.exchange.runs import list_runs, unfinished_runs
from graphmine.job import Job
from graphmine.store import Store, connect
from graphmine.store.ladybug.opening import Recovered
from graphmine.verbs.mine import mine
from graphmine.verbs.sequences import unwind
from tests.databases import all_values
from tests.exchange.test_kill import tell_beginnings

JOB = Job(relation="Author-WROTE->Paper-IN->Conference", n_clusters=6, hierarchy=True, method="s-co", write="topic")
PHASES = ("push: write the journal", "push: write the labels")


def mine_slowly(url: str) -> None:
    """Run in a process of its own, until it is killed."""
    from graphmine.exchange import journal

    journal.BATCH = 300  # many small commits
    with connect(url) as store:
        mine(store, JOB, progress=tell_beginnings)


def kill(url: str, level: int, phase: str, delay: float) -> None:
    """Mine in another process, and kill it a moment after a phase of a level has begun."""
    script = f"from tests.verbs.test_taxonomies_killed import mine_slowly; mine_slowly({url!r})"
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root, env=dict(os.environ)
    ) as child:
        assert child.stdout is not None
        while level:
            line = child.stdout.readline().decode().strip()
            assert line, "it ended before it was killed"
            level -= line == phase
        time.sleep(delay)
        child.kill()


@contextmanager
def mended(url: str) -> Iterator[Store]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Recovered)  # a commit may have been cut in two
        store = connect(url)
    with store:
        yield store


@pytest.mark.parametrize(("level", "phase"), list(enumerate(PHASES, start=1)))
def test_a_killed_taxonomy_is_taken_back_or_goes_on(database: str, level: int, phase: str) -> None:
    delay = random.Random(level).uniform(0, 0.1)
    with connect(database) as store:
        load(store, academic(authors=1500, papers=2500, conferences=20, terms=20, seed=1))
        untouched = all_values(store)
    kill(database, level, phase, delay)
    with mended(database) as store:
        undone = unwind(store)
        assert len(undone) >= level
        assert all_values(store) == untouched
    kill(database, level, phase, delay)
    with mended(database) as store:
        for run in unfinished_runs(store):
            resume(store, run)
        mined = mine(store, JOB)
        live = [run.property for run in list_runs(store) if run.state == "complete"]
        assert live == [f"topic_{number}" for number in range(1, len(mined.levels) + 1)]
        assert mined.kept >= level - 1
        unwind(store)
        assert all_values(store) == untouched
