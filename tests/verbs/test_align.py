"""Cluster numbers that follow an earlier run, on both databases."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from graphmine.datasets.davis import davis
from graphmine.datasets.karate import karate
from graphmine.datasets.network import Edges, Network
from graphmine.errors import ParameterError, RunError
from graphmine.exchange.load import load
from graphmine.exchange.pull import pull
from graphmine.exchange.push import push, undo
from graphmine.exchange.runs import list_runs
from graphmine.job import Job, read_job
from graphmine.metrics import quality
from graphmine.model import UNPLACED, Clustering, Nodes
from graphmine.report.pages.mine import mined_page
from graphmine.store import Store, connect
from graphmine.verbs.compare import compare
from graphmine.verbs.constrain import write_broken
from graphmine.verbs.evolve import evolve, read_evolution
from graphmine.verbs.mine import mine, plan
from graphmine.verbs.result import Alignment
from graphmine.verbs.stages import Labelled, follow_numbers, followers
from tests.databases import read

WOMEN = "Woman-ATTENDED->Event"
JOB = Job(relation=WOMEN, n_clusters=2, method="scm", write="circle")
SWAPPED = {UNPLACED: UNPLACED, 0: 1, 1: 0}


def renumbered(clustering: Clustering, numbers: dict[int, int]) -> Clustering:
    labels = {
        kind: np.array([numbers[each] for each in own.tolist()], dtype=np.int64)
        for kind, own in clustering.labels.items()
    }
    return replace(clustering, labels=labels)


def listed(clustering: Clustering) -> dict[str, list[int]]:
    return {kind: own.tolist() for kind, own in clustering.labels.items()}


@pytest.mark.parametrize("numbers", [{0: 0, 1: 1}, {0: 1, 1: 0}, {0: 7, 1: 2}])
def test_clusters_take_the_numbers_that_stand_in_the_property(store: Store, numbers: dict[int, int]) -> None:
    load(store, davis())
    free = mine(store, replace(JOB, write=None))
    wanted = renumbered(free.clustering, {UNPLACED: UNPLACED, **numbers})
    before = push(store, free.star, wanted, "circle")
    mined = mine(store, JOB)
    assert listed(mined.clustering) == listed(wanted)
    assert mined.alignment == Alignment(before.id, followed=2, clusters=2, kept=32, nodes=32)
    assert mined.run is not None
    assert (mined.run.n_clusters, mined.run.parameters["aligned_to"]) == (2, before.id)
    assert mined.clustering.objective == free.clustering.objective
    assert quality(mined.star, mined.clustering) == quality(free.star, free.clustering)
    rows = read(store, "MATCH (w:Woman) RETURN w.circle AS label, count(*) AS n ORDER BY label")
    sizes = mined.clustering.sizes("Woman")
    assert dict(zip(*(rows[name].to_pylist() for name in ("label", "n")), strict=True)) == {
        number: sizes[number] for number in numbers.values()
    }


def test_the_same_job_again_writes_the_same_labels(store: Store) -> None:
    load(store, davis())
    first, second, third = (mine(store, replace(JOB, n_clusters=3)) for _ in range(3))
    assert listed(first.clustering) == listed(second.clustering) == listed(third.clustering)
    assert first.alignment is None
    assert "aligned_to" not in list_runs(store)[0].parameters
    assert second.alignment is not None
    assert third.alignment is not None
    assert (second.alignment.kept, third.alignment.kept) == (32, 32)
    assert second.run is not None
    assert third.alignment.run == second.run.id


def test_fewer_and_more_clusters_keep_what_numbers_they_can(store: Store) -> None:
    load(store, davis())
    seen = [mine(store, replace(JOB, n_clusters=k)) for k in (3, 2, 4)]
    for before, mined in pairwise(seen):
        assert mined.alignment is not None
        assert mined.run is not None
        assert before.run is not None
        numbers = mined.clustering.clusters
        assert mined.alignment.run == before.run.id
        assert mined.run.n_clusters == len(numbers) == mined.clustering.n_clusters == mined.alignment.clusters
        common = set(numbers) & set(before.clustering.clusters)
        assert len(common) == min(len(numbers), before.clustering.n_clusters)
    assert seen[2].clustering.clusters == [0, 1, 2, 3]  # a new one takes the smallest number that is free


def test_a_gap_is_no_cluster(store: Store) -> None:
    load(store, davis())
    free = mine(store, replace(JOB, write=None))
    push(store, free.star, renumbered(free.clustering, {UNPLACED: UNPLACED, 0: 3, 1: 1}), "circle")
    mined = mine(store, JOB)
    data = mined_page(mined).data
    assert isinstance(data, dict)
    assert (data["n_clusters"], [each["cluster"] for each in data["clusters"]]) == (2, [1, 3])
    assert data["kinds"]["Woman"]["balance"] > 0
    assert data["aligned"] == {"run": list_runs(store)[0].id, "followed": 2, "clusters": 2, "kept": 32, "nodes": 32}


def test_rules_are_met_and_trusted_as_without_numbers_to_follow(store: Store) -> None:
    load(store, karate())
    job = Job(
        relation="Member-MET{times}-Member", n_clusters=2, method="l1", write="side",
        constrain="known Member.known_club; fraction 0.3; weight 1",
    )  # fmt: skip
    free = mine(store, replace(job, write=None))
    push(store, free.star, renumbered(free.clustering, SWAPPED), "side")
    mined = mine(store, job)
    assert listed(mined.clustering) == listed(renumbered(free.clustering, SWAPPED))
    assert mined.met == free.met
    assert [each.tolist() for each in mined.clustering.trust.values()] == [
        each.tolist() for each in free.clustering.trust.values()
    ]
    counts = write_broken(store, "last", "broken")
    with pytest.raises(RunError, match=f"run {counts.id} wrote how many links are broken, and no clusters"):
        compare(store, "side", counts)
    assert plan(store, replace(job, write="broken")).follows is None  # it holds counts, and no numbers to follow
    assert plan(store, job).follows == mined.run


def test_numbers_for_each_kind_and_chosen_numbers_follow_too(store: Store) -> None:
    load(store, davis())
    apart = replace(JOB, n_clusters={"Woman": 3, "Event": 2})
    free = mine(store, replace(apart, write=None))
    turned = {UNPLACED: UNPLACED, 0: 2, 1: 0, 2: 1}
    push(store, free.star, renumbered(free.clustering, turned), "circle")
    assert listed(mine(store, apart).clustering) == listed(renumbered(free.clustering, turned))
    chosen = mine(store, replace(JOB, n_clusters="auto"))
    assert chosen.choice is not None
    assert chosen.alignment is not None
    if chosen.choice.clustering is not None:
        assert listed(chosen.choice.clustering) == listed(chosen.clustering)


def test_a_named_run_another_property_or_none(store: Store) -> None:
    load(store, davis())
    free = mine(store, replace(JOB, write=None))
    swapped = renumbered(free.clustering, SWAPPED)
    other = push(store, free.star, swapped, "`odd` name")
    assert listed(mine(store, JOB).clustering) == listed(free.clustering)  # a property of its own
    for name in (other.id, other.id[:-1], "`odd` name"):
        assert listed(mine(store, replace(JOB, align=name)).clustering) == listed(swapped)
    assert listed(mine(store, JOB).clustering) == listed(swapped)
    as_they_come = mine(store, replace(JOB, align="none"))
    assert listed(as_they_come.clustering) == listed(free.clustering)
    assert as_they_come.alignment is None
    shown = mine(store, replace(JOB, write=None, align=other.id))
    assert (shown.run, listed(shown.clustering)) == (None, listed(swapped))


def test_undone_runs_are_not_followed(store: Store) -> None:
    load(store, davis())
    free = mine(store, JOB)
    assert free.run is not None
    swapped = push(store, free.star, renumbered(free.clustering, SWAPPED), "circle")
    undo(store, swapped)
    assert plan(store, JOB).follows == free.run
    with pytest.raises(RunError, match=f"^run {swapped.id} is undone, and its labels are gone; "):
        mine(store, replace(JOB, align=swapped.id))
    undo(store, free.run)
    assert plan(store, JOB).follows is None
    assert plan(store, replace(JOB, write=None)).follows is None
    assert mine(store, JOB).alignment is None


def test_a_run_without_a_kind_or_a_node_in_common(store: Store) -> None:
    load(store, davis())
    load(store, karate())
    members = pull(store, ["Member-MET-Member"])
    push(store, members, Clustering({"Member": np.arange(34) % 2}), "circle")
    assert plan(store, JOB).follows is None  # the same property, but of another kind
    with pytest.raises(RunError, match=r"clustered Member, and this is to cluster Woman, Event, so there are no num"):
        mine(store, replace(JOB, align="circle"))
    with pytest.raises(RunError, match=r"^there is no run 'nothing' in "):
        mine(store, replace(JOB, align="nothing"))
    with pytest.raises(RunError, match=r"^there is no run 'nothing' in "):
        plan(store, replace(JOB, align="nothing"))
    assert len(list_runs(store)) == 1
    star = pull(store, [WOMEN], where=["Woman.name = 'Laura Mandeville'"])
    labels = {"Woman": np.array([0]), "Event": np.full(14, UNPLACED)}
    push(store, star, Clustering(labels), "circle")
    mined = mine(store, replace(JOB, where="Woman.name != 'Laura Mandeville'"))
    assert mined.alignment is not None
    assert (mined.alignment.followed, mined.alignment.nodes) == (0, 0)
    assert mined.clustering.clusters == [0, 1]
    (told,) = [line for part in mined_page(mined).parts for line in str(part).splitlines() if "numbers  " in line]
    assert told.endswith("0 of 2 clusters, as no node has a cluster in both")


def test_nodes_that_were_named_by_another_key_are_not_followed(store: Store) -> None:
    people, things = ["a b", "naïve", "c`d", "e"], ["t", "u", "v", "w"]
    pairs = [(one, two) for some in (slice(2), slice(2, 4)) for one in people[some] for two in things[some]]
    sources, targets = zip(*pairs, strict=True)
    has = Edges("Person", "HAS", "Thing", pa.table({"source": sources, "target": targets}))
    tables = {"Person": pa.table({"name": people, "code": range(4)}), "Thing": pa.table({"id": things})}
    load(store, Network(tables, (has,)))
    job = Job(relation="Person-HAS->Thing", n_clusters=2, method="scm", write="group")
    first = mine(store, job)
    assert listed(mine(store, job).clustering) == listed(first.clustering)
    other = mine(store, replace(job, key="Person.code", write="other", align="group"))
    assert other.alignment is not None
    assert other.alignment.nodes == 4  # the things alone
    found = compare(store, "group", "other")
    assert {each.kind for each in found.agreements} == {"Thing"}
    assert found.left_out["Person"].startswith("Person is named by 'name', text, in run ")
    with pytest.raises(RunError, match=r"by 'code', a number, in run .* can not be told to be the same; leave `kind="):
        compare(store, "group", "other", kind="Person")


def test_levels_and_snapshots_follow_no_run(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"numbered by the way it was split, .*; leave align or hierarchy out$"):
        replace(JOB, hierarchy=True, align="last")
    assert replace(JOB, hierarchy=True, align="none").hierarchy
    with pytest.raises(ParameterError, match=r"follow those of the snapshot before; leave align out"):
        read_evolution(relation=WOMEN, n_clusters=2, by="Event.year", align="last")
    with connect(":memory:") as store, pytest.raises(ParameterError, match="leave align out"):
        evolve(store, replace(JOB, align="last"), "Event.year")
    file = tmp_path / "job.toml"
    file.write_text(f"relation = '{WOMEN}'\nn_clusters = 2\nalign = 'none'\n")
    assert read_job(file).align == "none"
    file.write_text(f"relation = '{WOMEN}'\nn_clusters = 2\nalign = 3\n")
    with pytest.raises(ParameterError, match="align must be a name, was 3"):
        read_job(file)


def test_both_databases_follow_alike(neo4j_uri: str, ladybug_path: Path) -> None:
    found = []
    for url in (neo4j_uri, str(ladybug_path)):
        with connect(url) as store:
            load(store, davis())
            runs = [mine(store, replace(JOB, n_clusters=k, seed=k)) for k in (4, 2, 3)]
            found.append([listed(each.clustering) for each in runs])
    assert found[0] == found[1]


@st.composite
def labelled(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Labels of two kinds that share their numbers, some nodes without."""
    numbers = st.lists(st.integers(UNPLACED, 5), min_size=0, max_size=20)
    return {kind: np.array(draw(numbers), dtype=np.int64) for kind in ("Author", "Venue")}


def with_nodes(labels: dict[str, np.ndarray]) -> Labelled:
    return {kind: (Nodes(kind, [f"{kind} {i}" for i in range(len(own))]), own) for kind, own in labels.items()}


@given(labelled(), st.permutations(range(9)))
def test_permuted_labels_come_back_exactly(labels: dict[str, np.ndarray], order: list[int]) -> None:
    permuted = {kind: np.array([*order, UNPLACED], dtype=np.int64)[own] for kind, own in labels.items()}
    found = follow_numbers(with_nodes(permuted), with_nodes(labels))
    assert {kind: own.tolist() for kind, own in found.items()} == {kind: own.tolist() for kind, own in labels.items()}


@given(labelled(), labelled())
def test_a_number_is_one_cluster_and_a_new_one_the_smallest_that_is_free(
    now: dict[str, np.ndarray], then: dict[str, np.ndarray]
) -> None:
    found, numbers = follow_numbers(with_nodes(now), with_nodes(then)), followers(with_nodes(now), with_nodes(then))
    pairs = {
        (one, two) for kind, own in now.items() for one, two in zip(own.tolist(), found[kind].tolist(), strict=True)
    }
    given_to = {one: two for one, two in pairs if one != UNPLACED}
    assert len(given_to) == len(pairs - {(UNPLACED, UNPLACED)}) == len(set(given_to.values()))
    assert {one: given_to[one] for one in numbers} == numbers
    new = sorted(two for one, two in given_to.items() if one not in numbers)
    assert new == [each for each in range(20) if each not in numbers.values()][: len(new)]
