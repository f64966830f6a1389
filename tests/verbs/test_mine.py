"""The whole movement, on both databases."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphmine import gallery, metrics
from graphmine.datasets.academic import academic
from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.datasets.network import Network
from graphmine.errors import DataError, ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.push import undo
from graphmine.exchange.runs import list_runs
from graphmine.job import Job
from graphmine.methods.selection.choose_k import Choice, choice_record
from graphmine.methods.spectral.sco import SCO
from graphmine.store import Store, connect
from graphmine.verbs.doubtful import doubtful
from graphmine.verbs.mine import fit, mine, plan
from graphmine.verbs.score import score
from graphmine.verbs.write import write
from tests.databases import all_values, read, write as write_query

PATH = "Author-WROTE->Paper-IN->Conference"
STAR = ("Paper-ABOUT{share}->Category", "Paper-MENTIONS{count}->Term")


def test_mining_writes_what_it_returns(store: Store) -> None:
    load(store, academic(authors=300, seed=1))
    mined = mine(store, Job(relation=PATH, n_clusters=4, write="area", where="Paper.year >= 2005", seed=5))
    assert mined.run is not None
    rows = read(store, "MATCH (a:Author) RETURN a.name AS name, a.area AS area ORDER BY name")
    written = np.array([-1 if label is None else label for label in rows["area"].to_pylist()])
    nodes = mined.star.nodes("Author")
    assert dict(zip(rows["name"].to_pylist(), written, strict=True)) == dict(
        zip(nodes.keys.to_pylist(), mined.clustering.labels["Author"], strict=True)
    )
    assert (mined.run.filters, mined.run.seed, set(mined.seconds)) == (
        ("Paper.year >= 2005",),
        5,
        {"pull", "fit", "push"},
    )
    assert mined.run.objective == mined.clustering.objective
    assert mined.run.quality == mined.quality == metrics.quality(mined.star, mined.clustering)
    assert mined.run.quality == list_runs(store)[0].quality


def test_without_write_nothing_is_written(store: Store) -> None:
    load(store, davis())
    before = all_values(store)
    assert mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2)).run is None
    assert all_values(store) == before
    assert list_runs(store) == []


def test_a_property_that_can_not_be_written_is_refused_before_the_fit(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, davis())
    job = Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="name")
    fitted: list[Job] = []
    monkeypatch.setattr("graphmine.verbs.mine._fit_clustering", lambda job, *_: fitted.append(job))
    with pytest.raises(ParameterError, match=r"^'name' is the key of Woman; write to another property$"):
        mine(store, job)
    assert store.writers > 1 or not fitted  # a server looks while the fit is made


def test_a_fit_beside_a_claim_ends_when_that_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load(store, davis())
    monkeypatch.setattr("graphmine.verbs.mine._fit_clustering", _fit_for_ever)
    with pytest.raises(ParameterError, match="is the key of Woman"):
        mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="name"))


def _fit_for_ever(*arguments: object) -> None:
    *_, progress = arguments
    while True:
        progress("fit", 0, None)  # type: ignore[operator]


def test_what_others_do_between_fit_and_write_is_respected(store: Store) -> None:
    load(store, davis())
    job = Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle", align="none")
    mine(store, job)
    before = all_values(store)
    found = fit(store, replace(job, n_clusters=3))
    undone = mine(store, replace(job, n_clusters=4)).run  # another run begins and ends
    assert undone is not None
    written = write(store, found).run
    assert written is not None
    assert sum(counts["changed"] for counts in written.counts.values()) == 0
    for run in (written, undone):
        undo(store, run)
    assert all_values(store) == before
    found = fit(store, replace(job, n_clusters=3))
    n_changed = write_query(
        store, "MATCH (w:Woman) WHERE w.name STARTS WITH 'E' SET w.circle = 77 RETURN count(*) AS n"
    )
    written = write(store, found).run
    assert written is not None
    assert n_changed > 0
    assert (written.counts["Woman"]["changed"], written.counts["Event"]["changed"]) == (n_changed, 0)


def test_the_planted_areas_are_found_and_scored(store: Store) -> None:
    load(store, academic(authors=400, noise=0.05, seed=2))
    mine(store, Job(relation=PATH, n_clusters=4, write="area"))
    scores = score(store, "last", "known_area")
    assert set(scores) == {"Author", "Conference"}
    assert scores["Conference"].nmi > 0.9
    assert scores["Author"].ari > 0.7
    with pytest.raises(ParameterError, match="has a property 'nothing'"):
        score(store, "last", "nothing")
    run = undo(store, "last")
    with pytest.raises(RunError, match="only a complete run can be scored"):
        score(store, run.id, "known_area")


def test_a_plan_counts_and_changes_nothing(store: Store) -> None:
    load(store, davis())
    before = all_values(store)
    found = plan(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
    assert (found.nodes, found.relationships) == ({"Woman": 18, "Event": 14}, {"Woman-ATTENDED->Event": 89})
    assert found.writes == {"Woman": 0, "Event": 0}
    assert all_values(store) == before
    with pytest.raises(ParameterError, match="no kind 'Wman'"):
        plan(store, Job(relation="Wman-ATTENDED->Event", n_clusters=2))


def test_too_many_clusters_and_empty_relations_are_one_sentence(store: Store) -> None:
    load(store, davis())
    with pytest.raises(ParameterError, match="14"):
        mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=15, write="circle"))
    with pytest.raises((DataError, ParameterError)):
        mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle", where="Woman.name = nobody"))
    assert list_runs(store) == []


def test_both_databases_give_the_same_labels(neo4j_uri: str, ladybug_path: Path) -> None:
    labels = []
    for url in (neo4j_uri, str(ladybug_path)):
        with connect(url) as store:
            load(store, academic(authors=500, noise=0.2, seed=4))
            mined = mine(store, Job(relation=PATH, n_clusters=4, seed=1, write="area"))
            labels.append({kind: found.tolist() for kind, found in mined.clustering.labels.items()})
    assert labels[0] == labels[1]


@pytest.mark.parametrize("method", ["loom", "cbgc"])
def test_a_star_is_pulled_and_all_its_kinds_are_labelled_in_one_run(store: Store, method: str) -> None:
    network = academic(authors=200, seed=3)
    load(store, network)
    mined = mine(store, Job(relation=STAR, n_clusters=4, method=method, write="field"))
    assert repr(mined.star) == "Star(Paper: Category, Term)"
    by_category = mined.star.arms[0].block
    assert by_category.sum(axis=1) == pytest.approx(np.ones(400))
    assert 1 / by_category.data.min() == pytest.approx(3)
    (run,) = list_runs(store)
    assert set(run.kinds) == {"Paper", "Category", "Term"}
    for nodes in mined.star.kinds:
        key = network.key(nodes.kind)
        rows = read(store, f"MATCH (n:{nodes.kind}) RETURN n.{key} AS key, n.field AS label")
        written = dict(zip(rows["key"].to_pylist(), rows["label"].to_pylist(), strict=True))
        labels = mined.clustering.labels[nodes.kind].tolist()
        assert [-1 if written[each] is None else written[each] for each in nodes.keys.to_pylist()] == labels
    scores = score(store, "last", "known_area")
    assert min(scores[kind].nmi for kind in ("Paper", "Category", "Term")) > 0.6


@pytest.mark.parametrize("method", ["loom", "cbgc"])
def test_both_databases_give_the_same_labels_of_a_star(method: str, neo4j_uri: str, ladybug_path: Path) -> None:
    labels = []
    for url in (neo4j_uri, str(ladybug_path)):
        with connect(url) as store:
            load(store, academic(authors=200, noise=0.2, seed=4))
            mined = mine(store, Job(relation=STAR, n_clusters=4, method=method, seed=1, write="field"))
            labels.append({kind: found.tolist() for kind, found in mined.clustering.labels.items()})
    assert labels[0] == labels[1]


def test_the_number_of_clusters_is_chosen_from_the_data_and_recorded(store: Store) -> None:
    load(store, academic(authors=300, noise=0.05, seed=2))
    mined = mine(store, Job(relation=PATH, n_clusters="auto", write="area"))
    assert mined.choice is not None
    assert (mined.choice.k, mined.asked, mined.clustering.n_clusters) == (4, 4, 4)
    by_hand = mine(store, Job(relation=PATH, n_clusters=4))
    assert by_hand.choice is None
    assert all(np.array_equal(by_hand.clustering.labels[kind], each) for kind, each in mined.clustering.labels.items())
    (run,) = list_runs(store)
    assert (run.n_clusters, run.parameters["n_clusters"]) == (4, "auto")
    assert run.parameters["chosen"] == choice_record(mined.choice)
    assert "choose" in run.seconds


def test_a_fit_that_was_compared_is_not_made_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load(store, davis())
    fitted = SCO(3).fit(gallery.davis(), seed=0)
    chosen = Choice(3, "so it is", ({"k": 1, "modularity": 0.5},), fitted)
    monkeypatch.setattr("graphmine.verbs.mine.choose_k", lambda *_, **__: chosen)
    mined = mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters="auto"))
    assert mined.clustering is fitted


@pytest.mark.filterwarnings("ignore:the cannot-links of")
def test_rules_have_a_say_in_the_number_of_clusters(store: Store) -> None:
    load(store, academic(authors=200, noise=0.05, seed=2))
    rule = "known Author.known_area; fraction 0.2; hard"
    mined = mine(store, Job(relation=PATH, n_clusters="auto", method="scm", constrain=rule))
    assert mined.choice is not None
    assert mined.choice.k >= 4
    assert sum(each.broken for each in mined.met) < sum(each.pairs for each in mined.met)


def test_each_kind_may_have_its_own_number_of_clusters(store: Store) -> None:
    load(store, academic(authors=200, seed=1))
    numbers = {"Conference": 3, "Author": 4}
    mined = mine(store, Job(relation=PATH, n_clusters=numbers, method="scm", write="area"))
    assert {kind: len(set(each[each >= 0])) for kind, each in mined.clustering.labels.items()} == numbers
    (run,) = list_runs(store)
    assert run.parameters["n_clusters"] == numbers


def test_nothing_to_choose_from_is_one_sentence(store: Store) -> None:
    load(store, davis())
    with pytest.raises(DataError, match="no Woman is linked to anything, so no number of clusters can be chosen"):
        mine(store, Job(relation="Woman-ATTENDED->Event", n_clusters="auto", where="Woman.name = nobody"))


def test_a_graph_of_one_kind_is_pulled_fitted_written_scored_and_undone(store: Store) -> None:
    load(store, karate())
    before = all_values(store)
    job = Job("Member-MET{times}-Member", 2, constrain="known Member.known_club; fraction 0.2; seed 1", method="l1")
    mined = mine(store, replace(job, write="club"))
    expected, truth = gallery.karate()
    assert np.array_equal(mined.star.arms[0].block.toarray(), expected.arms[0].block.toarray())
    assert list(mined.clustering.labels) == ["Member"]
    rows = read(store, "MATCH (m:Member) RETURN m.club AS club ORDER BY m.number")
    assert rows["club"].to_pylist() == mined.clustering.labels["Member"].tolist()
    assert score(store, "last", "known_club")["Member"].nmi == metrics.nmi(rows["club"].to_pylist(), truth["Member"])
    undo(store, "last")
    assert all_values(store) == before


def test_directions_of_a_graph_do_not_matter_and_co_authors_are_one(store: Store) -> None:
    load(store, karate())
    either, along = (
        mine(store, Job(relation, 2, method="l1")) for relation in ("Member-MET-Member", "Member-MET->Member")
    )
    assert np.array_equal(either.clustering.labels["Member"], along.clustering.labels["Member"])
    load(store, academic(authors=40, seed=1))
    star = mine(store, Job("Author-WROTE->Paper<-WROTE-Author", 2, method="l1")).star
    assert star.arms[0].block.diagonal().max() == 0
    assert abs(star.arms[0].block - star.arms[0].block.T).nnz == 0


def test_a_graph_is_refused_before_the_pull_by_methods_that_take_two_kinds() -> None:
    with pytest.raises(ParameterError, match=r"^loom takes a relation between two kinds, and Member-MET-Member is of "):
        Job("Member-MET-Member", 2)
    with pytest.raises(ParameterError, match=r"^l1 takes one number of clusters for all kinds, .*; give one number$"):
        Job("Member-MET-Member", {"Member": 2}, method="l1")


def test_doubtful_links_are_named_and_nothing_is_written(store: Store) -> None:
    load(store, karate())
    before = all_values(store)
    rules = ["must Member-MET{times}-Member >= 3", 'must these {"Member": [0, 33]}; weight 0.1']
    job = Job("Member-MET{times}-Member", 2, constrain=rules, method="l1")
    doubted = doubtful(store, job, below=0.5, truth="known_club").doubts
    assert (0, 33, True) in [(each.key, each.other_key, each.wrong) for each in doubted.found]
    assert [each.trust for each in doubted.found] == sorted(each.trust for each in doubted.found)
    assert doubted.recall is not None
    assert all_values(store) == before
    assert list_runs(store) == []


def test_wrong_labels_are_doubted_however_many_are_right(store: Store) -> None:
    """A label is one link to its group, unless groups are to weigh as all their pairs: then none can be doubted."""
    network, lies = karate(), {5, 20, 30}
    load(store, network)
    clubs = network.nodes["Member"].to_pydict()
    other = {"Mr. Hi": "Officer", "Officer": "Mr. Hi"}
    pairs = zip(clubs["number"], clubs["known_club"], strict=True)
    told = [other[club] if number in lies else club for number, club in pairs]
    load(store, Network({"Member": pa.table({"number": clubs["number"], "told_club": told})}))
    job = Job("Member-MET{times}-Member", 2, constrain="known Member.told_club", method="l1")
    doubted = doubtful(store, job, truth="known_club")
    assert lies <= {each.key for each in doubted.doubts.found[:4]}
    assert doubted.doubts.recall == 1
    assert doubted.mined.job.param == {"groups": "members"}
    assert doubted.doubts.found[0].trust < 0.2
    every = doubtful(store, replace(job, param={"groups": "pairs"}), truth="known_club").doubts
    assert (every.found, every.recall) == ((), 0.0)


def test_doubts_need_rules_and_a_method_that_judges_links(store: Store) -> None:
    load(store, karate())
    with pytest.raises(ParameterError, match=r"^constrain is missing: without rules there is no link to doubt$"):
        doubtful(store, Job("Member-MET-Member", 2, method="l1"))
    rule = "must Member-MET{times}-Member >= 3"
    with pytest.raises(ParameterError, match=r"^fcsc does not judge links; name a method that does"):
        doubtful(store, Job("Member-MET-Member", 2, constrain=rule, method="fcsc"))
