"""A run records what its clustering knows; what older runs do not have is no error."""

import json

import numpy as np
import pytest

from graphmine.datasets.davis import davis
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.run_draft import versions
from graphmine.exchange.runs import COUNTS, Run, list_runs
from graphmine.methods.catalog import CATALOG, method
from graphmine.metrics import quality
from graphmine.model import Clustering, Quality, Star
from graphmine.store import Store, connect
from tests.databases import write

WOMEN = "Woman-ATTENDED->Event"
PER_KIND = [name for name, each in CATALOG.items() if each.traits.k_per_kind]

OLD_TABLE = """CREATE NODE TABLE GraphmineRun(
  id STRING PRIMARY KEY, state STRING, property STRING, kinds STRING[], method STRING, parameters STRING, seed INT64,
  relations STRING[], filters STRING[], objective DOUBLE, converged BOOL, n_clusters INT64, counts STRING,
  seconds STRING, versions STRING, created STRING, finished STRING, batches INT64, added STRING[], process STRING)"""
OLD_RUN = """CREATE (:GraphmineRun {id: '20250101-000000-abcdef', state: 'complete', property: 'circle',
  kinds: ['Woman'], method: 's-co', parameters: '{"n_clusters": 2}', relations: [], filters: [], converged: true,
  n_clusters: 2, counts: '{}', seconds: '{}', versions: '{}', created: '2025-01-01T00:00:00+00:00', batches: 0,
  added: [], process: 'elsewhere/1'})"""


@pytest.fixture
def star(store: Store) -> Star:
    load(store, davis())
    return pull(store, [WOMEN])


def test_a_run_records_what_its_clustering_knows(store: Store, star: Star) -> None:
    found = method("scm", n_clusters=2).fit(star, seed=3)
    push(store, star, found, "circle")
    (run,) = list_runs(store)
    assert (run.method, run.parameters, run.seed) == ("scm", {"n_clusters": 2, "delta": 3.0}, 3)
    assert (run.n_clusters, run.objective, run.converged) == (2, found.objective, found.converged)
    assert run.seconds == {"fit": round(found.seconds, 3)}
    assert run.versions == versions()
    assert run.quality == quality(star, found)


def test_what_a_draft_says_is_left_as_it_is(store: Store, star: Star) -> None:
    found = method("scm", n_clusters=2).fit(star, seed=3)
    own = Quality(0.5, None, {"Woman": 1.0}, {"Woman": 0})
    draft = Run("circle", "mine", {"a": 1}, 7, (WOMEN,), (), 0.5, False, 4, {"all": 1.0}, {"b": "2"}, quality=own)
    push(store, star, found, draft)
    (run,) = list_runs(store)
    assert (run.method, run.parameters, run.seed, run.relations) == ("mine", {"a": 1}, 7, (WOMEN,))
    assert (run.objective, run.converged, run.n_clusters) == (0.5, False, 4)
    assert (run.seconds, run.versions, run.quality) == ({"all": 1.0}, {"b": "2"}, own)


def test_labels_that_no_method_found_name_none(store: Store, star: Star) -> None:
    labels = {nodes.kind: np.arange(len(nodes)) % 3 for nodes in star.kinds}
    run = push(store, star, Clustering(labels), "circle")
    assert (run.method, run.parameters, run.seed, run.versions, run.seconds) == ("", {}, None, {}, {})
    assert run.n_clusters == 3
    assert run.quality == quality(star, Clustering(labels))


def test_what_was_chosen_and_measured_is_on_record(store: Store, star: Star) -> None:
    found = method("cbgc", n_clusters=2).fit(star, seed=0)
    run = push(store, star, found, "circle")
    assert found.figures
    assert run.parameters["figures"] == found.figures


def test_counts_are_no_clusters(store: Store, star: Star) -> None:
    labels = {nodes.kind: np.arange(len(nodes)) for nodes in star.kinds}
    run = push(store, star, Clustering(labels), Run("broken", method=COUNTS))
    assert (run.n_clusters, run.quality) == (0, None)


@pytest.mark.parametrize("name", PER_KIND)
def test_a_number_for_each_kind_is_on_record(name: str) -> None:
    with connect(":memory:") as store:
        load(store, davis())
        star = pull(store, [WOMEN])
        run = push(store, star, method(name, n_clusters={"Woman": 2, "Event": 3}).fit(star, seed=0), "circle")
        assert run.parameters["n_clusters"] == {"Woman": 2, "Event": 3}
        assert json.loads(json.dumps(run.parameters)) == list_runs(store)[0].parameters


def test_runs_that_were_recorded_without_their_quality_stay(database: str) -> None:
    with connect(database) as store:
        load(store, davis())
        if database.endswith(".lbug"):  # there, older tables lack the columns
            write(store, OLD_TABLE)
        write(store, OLD_RUN)
        check_an_older_run_stays(store, pull(store, [WOMEN]))


def check_an_older_run_stays(store: Store, star: Star) -> None:
    (old,) = list_runs(store)
    assert (old.method, old.constraints, old.quality) == ("s-co", {}, None)
    push(store, star, method("s-co", n_clusters=2).fit(star, seed=0), "side")
    first, second = list_runs(store)
    assert first == old
    assert second.quality is not None
    undo(store, second)
    assert [run.state for run in list_runs(store)] == ["complete", "undone"]
