"""Loom on noisy networks, beside S-CO, and at the corners."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Ints
from graphmine.linalg.leave_one_out import RowView, profiles, shrinkage
from graphmine.linalg.triplets import leading_triplets
from graphmine.methods.loom import loom, start, units
from graphmine.methods.loom.loom import Loom
from graphmine.methods.spectral.sco import SCO
from graphmine.model import UNPLACED, Clustering, Constraints, Groups, Links, Nodes, Relation, Star

NOISY: dict[str, tuple[int, int, int, int, float]] = {
    "few papers": (300, 300, 5, 6, 0.4),
    "half noise": (300, 200, 4, 8, 0.5),
    "much noise": (400, 300, 4, 10, 0.6),
    "most noise": (400, 300, 4, 15, 0.7),
}
"""Authors, venues, fields, papers an author, and noise."""


def star_of(block: csr_array) -> Star:
    n_rows, n_cols = block.shape
    return Star((Relation(Nodes("Row", range(n_rows)), Nodes("Col", range(n_cols)), block),))


def union(found: Clustering) -> Ints:
    return np.concatenate(list(found.labels.values()))


def likelihood(block: csr_array, rows: Ints, cols: Ints, k: int) -> float:
    """Return the mean over both sides, as the trace tells it."""
    block = csr_array(block / block.data.mean())
    near, far = RowView(block), RowView(csr_array(block.T))
    by_rows = shrinkage(near, rows, profiles(near, rows, cols, k)).likelihood
    by_cols = shrinkage(far, cols, profiles(far, cols, rows, k)).likelihood
    return (by_rows + by_cols) / 2


@pytest.mark.parametrize("family", NOISY)
def test_noisy_fields_are_found_better_than_by_sco(family: str) -> None:
    nmis: dict[type, list[float]] = {Loom: [], SCO: []}
    for seed in range(5):
        star, truth = gallery.planted(*NOISY[family], seed=seed)
        known = np.concatenate(list(truth.values()))
        for method, found in nmis.items():
            labels = union(method(NOISY[family][2]).fit(star, seed=seed))
            found.append(metrics.nmi(labels[labels != UNPLACED], known[labels != UNPLACED]))
    assert np.mean(nmis[Loom]) > np.mean(nmis[SCO]) + 0.02


@pytest.mark.parametrize("family", NOISY)
@pytest.mark.parametrize("seed", range(3))
def test_the_trace_rises_to_the_likelihood_of_the_result(family: str, seed: int) -> None:
    star, _ = gallery.planted(*NOISY[family], seed=seed)
    found = Loom(NOISY[family][2]).fit(star, seed=seed)
    (arm,) = star.arms
    rows, cols = (found.labels[nodes.kind] for nodes in (arm.rows, arm.cols))
    linked = csr_array(arm.block[rows != UNPLACED][:, cols != UNPLACED])
    final = likelihood(linked, rows[rows != UNPLACED], cols[cols != UNPLACED], found.n_clusters)
    assert len(found.trace) > 1
    assert np.all(np.diff(found.trace[:-1]) > 0)  # the last can be that of the soft passes
    assert found.objective == pytest.approx(final, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_more_clusters_than_there_are_come_back_without_gaps(seed: int) -> None:
    star, _ = gallery.planted(60, 40, n_clusters=2, degree=6, noise=0.3, seed=seed)
    found = Loom(20).fit(star, seed=seed)
    labels = union(found)
    assert 2 <= found.n_clusters <= 20
    assert np.all(np.bincount(labels[labels != UNPLACED]) > 0)
    assert np.isfinite(found.trace).all()


def test_fewer_profiles_than_clusters_give_fewer_clusters() -> None:
    rng = np.random.default_rng(0)
    rank_one = csr_array(np.outer(rng.uniform(1, 2, size=9), rng.uniform(1, 2, size=7)))
    assert Loom(3).fit(star_of(rank_one), seed=0).n_clusters == 1
    assert Loom(7).fit(star_of(rank_one), seed=0).n_clusters == 1
    assert Loom(4).fit(star_of(csr_array(block_diag([np.ones((5, 4))] * 2))), seed=0).n_clusters == 2


def test_the_scale_of_the_weights_does_not_matter() -> None:
    star, _ = gallery.planted(200, 150, n_clusters=3, degree=8, noise=0.5, seed=3)
    block = star.arms[0].block
    results = [Loom(3).fit(star_of(csr_array(block * factor)), seed=0) for factor in (1.0, 1e-200, 0.037, 3e307)]
    assert len({tuple(union(found).tolist()) for found in results}) == 1
    assert [found.objective for found in results] == pytest.approx([results[0].objective] * 4)


def test_one_cluster_holds_all_that_is_linked() -> None:
    star, truth = gallery.lonely()
    found = Loom(1).fit(star, seed=0)
    for kind, labels in found.labels.items():
        assert np.array_equal(labels, np.where(truth[kind] < 0, UNPLACED, 0))
    assert found.objective == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_equal_rows_share_a_cluster(seed: int) -> None:
    star, _ = gallery.planted(80, 60, n_clusters=4, degree=5, noise=0.6, seed=seed)
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(80), 3))
    labels = Loom(4).fit(star_of(csr_array(star.arms[0].block[order])), seed=seed).labels["Row"]
    assert all(len(set(labels[order == row].tolist())) == 1 for row in range(80))


def test_a_giant_hub_does_not_hide_the_fields() -> None:
    star, truth = gallery.planted(90, 60, n_clusters=3, degree=10, noise=0.1, seed=0)
    block = star.arms[0].block.toarray()
    found = Loom(3).fit(star_of(csr_array(np.vstack([block, np.full((1, 60), 100.0)]))), seed=0)
    assert metrics.nmi(found.labels["Row"][:-1], truth["Author"]) == pytest.approx(1.0)
    assert metrics.nmi(found.labels["Col"], truth["Venue"]) == pytest.approx(1.0)


def test_small_parts_beside_a_large_one_do_not_take_its_clusters() -> None:
    star, truth = gallery.planted(200, 150, n_clusters=3, degree=10, noise=0.2, seed=0)
    block = csr_array(block_diag([star.arms[0].block, np.eye(5)]))
    rows = {method: method(3).fit(star_of(block), seed=0).labels["Row"][:200] for method in (Loom, SCO)}
    assert metrics.nmi(rows[Loom], truth["Author"]) > 0.9
    assert metrics.nmi(rows[SCO], truth["Author"]) < 0.1


def test_clusters_of_both_kinds_are_numbered_alike() -> None:
    star, truth = gallery.planted(300, 200, n_clusters=6, degree=12, noise=0.2, seed=0)
    found = Loom(6).fit(star, seed=0)
    assert metrics.ari(union(found), np.concatenate(list(truth.values()))) > 0.9


def test_many_entries_are_judged_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_SAMPLE", 500)
    star, truth = gallery.planted(300, 200, n_clusters=3, degree=12, noise=0.3, seed=0)
    first, again = (Loom(3).fit(star, seed=1) for _ in range(2))
    assert np.array_equal(union(first), union(again))
    assert first.trace == again.trace
    assert metrics.nmi(union(first), np.concatenate(list(truth.values()))) > 0.9


def test_passes_that_go_on_gaining_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loom, "_MORE", 0)
    star, _ = gallery.planted(*NOISY["most noise"], seed=0)
    assert not Loom(4).fit(star, seed=0).converged


def test_vectors_that_do_not_converge_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "leading_triplets", partial(leading_triplets, max_restarts=1))
    star, _ = gallery.planted(500, 400, n_clusters=10, degree=6, noise=0.9, seed=0)
    with pytest.warns(RuntimeWarning, match=r"^only \d+ of 20 singular vectors converged; Loom goes on with those$"):
        found = Loom(10).fit(star, seed=0)
    assert not found.converged
    assert np.isfinite(found.trace).all()


def test_a_cluster_that_one_relation_lacks_is_open_by_another() -> None:
    """Every relation lacks one of three clean classes, which the other two know."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    relations = []
    for number in range(3):
        block = np.zeros((120, 30))
        for row in np.flatnonzero(truth != number):
            block[row, rng.integers(10, size=6) + 10 * truth[row]] = 1.0
        relations.append(Relation(Nodes("Paper", range(120)), Nodes(f"Kind{number}", range(30)), csr_array(block)))
    found = Loom(3).fit(Star(tuple(relations)), seed=0)
    assert metrics.ari(found.labels["Paper"], truth) == 1.0


@pytest.mark.parametrize("k", [2, 3, 5])
def test_more_clusters_than_units_are_no_error(k: int) -> None:
    star, _ = gallery.planted(30, 20, n_clusters=3, degree=6, noise=0.1, seed=0)
    for tied in (range(30), range(28)):
        links = Links.tying(Groups.of([tied]), hard=True)
        found = Loom(k).fit(star, Constraints({"Author": links}), seed=0)
        assert len(set(found.labels["Author"][list(tied)].tolist())) == 1
        assert 1 <= found.n_clusters <= k


def test_small_parts_beside_a_giant_leave_it_its_clusters() -> None:
    star, truth = gallery.planted(200, 150, n_clusters=3, degree=10, noise=0.2, seed=0)
    block = csr_array(block_diag([star.arms[0].block, *[np.ones((2, 2))] * 60]))
    labels = Loom(3).fit(star_of(block), seed=0).labels["Row"]
    assert metrics.nmi(labels[:200], truth["Author"]) > 0.9
    assert np.array_equal(labels[200::2], labels[201::2])
