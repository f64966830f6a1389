"""Leave-one-out scores against a brute force that leaves each entry out, literally."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array, random_array

from graphmine.arrays import Floats, Labels
from graphmine.linalg import leave_one_out as leave_one_out_module
from graphmine.linalg.leave_one_out import (
    SHRINKAGES,
    Profiles,
    RowView,
    best_clusters,
    leave_one_out,
    profiles,
    shrinkage,
)

Case = tuple[Floats, Labels, Labels, int]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a small block with some weight, and any clusters of its rows and columns, some of them empty."""
    n_rows, n_cols, k = (draw(st.integers(1, most)) for most in (6, 5, 4))
    weights = st.sampled_from([0.0, 0.0, 1.0, 2.0, 0.3, 7.5])
    dense = np.array(draw(st.lists(weights, min_size=n_rows * n_cols, max_size=n_rows * n_cols)))
    dense[0] += 1.0
    labels, col_labels = (
        np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))) for n in (n_rows, n_cols)
    )
    return dense.reshape(n_rows, n_cols), labels, col_labels, k


def seen_in(dense: Floats, labels: Labels, col_labels: Labels, k: int) -> Profiles:
    return profiles(RowView(csr_array(dense)), labels, col_labels, k)


def brute_terms(case: Case, strength: float, i: int, j: int) -> Floats:
    """Return the logarithm for entry i, j in every cluster, from a block in which that entry is zero."""
    dense, labels, col_labels, k = case
    without = dense.copy()
    without[i, j] = 0.0
    mass = np.array([without[labels == a, j].sum() for a in range(k)])
    sizes = np.array([dense[labels == a].sum() for a in range(k)]) / dense.sum()
    mates = dense[:, col_labels == col_labels[j]]
    share = np.array([mates[labels == a].sum() + 0.5 * sizes[a] for a in range(k)]) / (mates.sum() + 0.5)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.log((mass + strength * share) / ((without[:, j].sum() + strength) * sizes))
    return np.where(sizes > 0, terms, -np.inf)


def brute_scores(case: Case, strength: float) -> Floats:
    dense, labels, _, k = case
    empty = np.array([dense[labels == a].sum() == 0 for a in range(k)])
    scores = np.where(empty, -np.inf, np.zeros((len(dense), k)))
    for i, j in zip(*np.nonzero(dense), strict=True):
        scores[i] += dense[i, j] * brute_terms(case, strength, i, j)
    return scores


@given(cases(), st.sampled_from(SHRINKAGES))
def test_scores_leave_every_entry_out(case: Case, strength: float) -> None:
    dense, labels, _, _ = case
    scores = leave_one_out(RowView(csr_array(dense)), labels, seen_in(*case), strength)
    expected = brute_scores(case, strength)
    own = np.arange(len(labels)), labels
    there = np.isfinite(expected[own])  # a row without entries may be in a cluster without any
    filled = np.isfinite(expected[there])
    assert np.all(np.isfinite(scores))
    # Only differences between clusters are told.
    scores, expected = (each[there] - each[own][there, None] for each in (scores, expected))
    np.testing.assert_allclose(scores[filled], expected[filled], rtol=1e-9, atol=1e-9)


@given(cases())
def test_the_strength_is_the_one_that_makes_left_out_entries_likeliest(case: Case) -> None:
    dense, labels, _, _ = case
    found = shrinkage(RowView(csr_array(dense)), labels, seen_in(*case))
    rows = np.flatnonzero(dense.any(axis=1))
    sums = [brute_scores(case, strength)[rows, labels[rows]].sum() / dense.sum() for strength in SHRINKAGES]
    assert found.likelihood == pytest.approx(max(sums), rel=1e-9, abs=1e-9)
    assert sums[SHRINKAGES.index(found.strength)] == pytest.approx(max(sums), rel=1e-9, abs=1e-9)


@given(cases(), st.data())
def test_a_sample_judges_by_its_own_entries_alone(case: Case, data: st.DataObject) -> None:
    dense, labels, _, _ = case
    entries = np.argwhere(dense)
    chosen = data.draw(st.sets(st.integers(0, len(entries) - 1), min_size=1))
    sample = np.array(sorted(chosen))
    found = shrinkage(RowView(csr_array(dense), sample), labels, seen_in(*case))
    weights = dense[tuple(entries[sample].T)]
    terms = [brute_terms(case, found.strength, i, j)[labels[i]] for i, j in entries[sample]]
    assert found.likelihood == pytest.approx(weights @ terms / weights.sum(), rel=1e-9, abs=1e-9)


def drawn(seed: int, n_rows: int, n_cols: int, k: int, density: float) -> tuple[csr_array, Labels, Labels]:
    rng = np.random.default_rng(seed)
    block = csr_array(random_array((n_rows, n_cols), density=density, rng=rng))
    return block, rng.integers(k, size=n_rows), rng.integers(k, size=n_cols)


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_chunks_change_nothing(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    block, labels, col_labels = drawn(0, 30, 20, 3, 0.3)
    view = RowView(block)
    seen = profiles(view, labels, col_labels, 3)
    scores, best = leave_one_out(view, labels, seen, 10.0), shrinkage(view, labels, seen)
    monkeypatch.setattr(leave_one_out_module, "_CHUNK", chunk)
    np.testing.assert_allclose(profiles(view, labels, col_labels, 3).mass, seen.mass, rtol=1e-12)
    np.testing.assert_allclose(leave_one_out(view, labels, seen, 10.0), scores, rtol=1e-12, atol=1e-12)
    assert shrinkage(view, labels, seen) == pytest.approx(best)


def test_no_array_of_entries_times_clusters_is_made() -> None:
    k, n = 60, 2000
    block, labels, col_labels = drawn(1, n, n, k, 0.1)
    tracemalloc.start()
    try:
        view = RowView(block)
        seen = profiles(view, labels, col_labels, k)
        leave_one_out(view, labels, seen, shrinkage(view, labels, seen).strength)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * (4 * block.nnz + 8 * n * k) < 8 * block.nnz * k / 5


def test_strong_shrinkage_suits_blocks_and_weak_shrinkage_suits_profiles_of_their_own() -> None:
    rng, half = np.random.default_rng(0), np.repeat([0, 1], 50)
    by_block = rng.poisson(np.where(half[:, None] == half, 1.5, 0.5)).astype(float)
    lean = rng.choice([0.05, 0.95], size=100)
    by_column = rng.poisson(np.where(half[:, None] == 0, lean, 1 - lean)).astype(float)
    anyhow = rng.integers(2, size=100)
    assert shrinkage(RowView(csr_array(by_block)), half, seen_in(by_block, half, half, 2)).strength >= 300
    assert shrinkage(RowView(csr_array(by_column)), half, seen_in(by_column, half, anyhow, 2)).strength <= 10


def test_a_row_moves_only_for_a_clearly_better_score() -> None:
    scores = np.array([[2.0, 2.0 + 1e-12], [2.0, 2.1], [-np.inf, 0.0], [0.0, -np.inf]])
    assert best_clusters(scores, np.array([0, 0, 0, 0])).tolist() == [0, 1, 1, 0]


def test_inputs_are_left_alone() -> None:
    block, labels, col_labels = drawn(2, 20, 10, 3, 0.4)
    before = block.copy(), labels.copy(), col_labels.copy()
    view = RowView(block)
    seen = profiles(view, labels, col_labels, 3)
    kept = seen.mass.copy(), seen.shares.copy()
    best_clusters(leave_one_out(view, labels, seen, 3.0), labels)
    assert np.array_equal(block.toarray(), before[0].toarray())
    assert np.array_equal(labels, before[1])
    assert np.array_equal(col_labels, before[2])
    assert np.array_equal(seen.mass, kept[0])
    assert np.array_equal(seen.shares, kept[1])
