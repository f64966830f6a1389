"""Infor-CO against mutual information written out densely, its descent, and its corners."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.sparse import block_diag, csr_array

from graphmine import gallery, metrics
from graphmine.arrays import Floats, Labels
from graphmine.errors import ParameterError
from graphmine.methods.inforco import InforCO, _Found, _Joint
from graphmine.methods.spectral.embedding import plain_cut
from graphmine.methods.spectral.sco import SCO
from graphmine.model import Star
from tests.methods.dense import random_star, star_of


def mutual(joint: Floats) -> float:
    """Return Σ p log p / (p p), entry by entry."""
    total = 0.0
    rows, cols = joint.sum(axis=1), joint.sum(axis=0)
    for i, j in product(range(joint.shape[0]), range(joint.shape[1])):
        if joint[i, j] > 0:
            total += joint[i, j] * np.log(joint[i, j] / (rows[i] * cols[j]))
    return total


def smoothed(star: Star, smoothing: float) -> Floats:
    p = star.arms[0].block.toarray()
    p = p / p.sum()
    mixed: Floats = (1 - smoothing) * p + smoothing * np.outer(p.sum(axis=1), p.sum(axis=0))
    return mixed


def merged(joint: Floats, rows: Labels, cols: Labels, k: int, n: int) -> Floats:
    return np.array([[joint[rows == a][:, cols == b].sum() for b in range(n)] for a in range(k)])


def joint_of(star: Star, smoothing: float, k: int, n: int) -> _Joint:
    return _Joint.of(plain_cut(star.arms[0]), smoothing, (k, n))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("shape", [(12, 9), (30, 40)])
def test_the_loss_is_that_of_mutual_information(smoothing: float, shape: tuple[int, int]) -> None:
    star, rng = random_star(*shape, seed=1), np.random.default_rng(0)
    rows, cols = rng.integers(4, size=shape[0]), rng.integers(3, size=shape[1])
    p = smoothed(star, smoothing)
    expected = mutual(p) - mutual(merged(p, rows, cols, 4, 3))
    assert joint_of(star, smoothing, 4, 3).loss(rows, cols) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_divergence_from_the_distribution_of_the_clusters(smoothing: float) -> None:
    star, rng = random_star(12, 9, seed=2, density=1.0), np.random.default_rng(0)
    rows, cols = rng.integers(3, size=12), rng.integers(2, size=9)
    p = smoothed(star, smoothing)
    inside = merged(p, rows, cols, 3, 2)
    q = inside[rows][:, cols]
    q *= (p.sum(axis=1) / inside.sum(axis=1)[rows])[:, None] * p.sum(axis=0) / inside.sum(axis=0)[cols]
    expected = np.sum(p * np.log(p / q))
    assert joint_of(star, smoothing, 3, 2).loss(rows, cols) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_every_row_goes_to_the_cluster_with_the_least_divergence(smoothing: float, seed: int) -> None:
    star, rng = random_star(30, 12, seed=seed), np.random.default_rng(seed)
    rows, cols = rng.integers(3, size=30), rng.integers(4, size=12)
    p = smoothed(star, smoothing)
    gathered = np.array([[p[i][cols == b].sum() for b in range(4)] for i in range(30)])
    inside = merged(p, rows, cols, 3, 4)
    given, profile = gathered / gathered.sum(axis=1, keepdims=True), inside / inside.sum(axis=1, keepdims=True)
    divergence = np.zeros((30, 3))
    for i, a, b in product(range(30), range(3), range(4)):
        if given[i, b] > 0:
            divergence[i, a] += given[i, b] * np.log(given[i, b] / profile[a, b]) if profile[a, b] > 0 else np.inf
    expected = divergence.argmin(axis=1)
    assert len(set(expected.tolist())) == 3
    assert joint_of(star, smoothing, 3, 4).rows.move(rows, cols).tolist() == expected.tolist()


@settings(deadline=None, max_examples=100)
@given(
    n_rows=st.integers(2, 20),
    n_cols=st.integers(2, 20),
    seed=st.integers(0, 10**6),
    density=st.sampled_from([0.1, 0.4, 0.9]),
    smoothing=st.sampled_from([0.0, 0.01, 0.1, 0.5]),
    counts=st.tuples(st.integers(1, 5), st.integers(1, 5)),
)
def test_no_half_sweep_raises_the_loss(
    n_rows: int, n_cols: int, seed: int, density: float, smoothing: float, counts: tuple[int, int]
) -> None:
    star = random_star(n_rows, n_cols, seed=seed, density=density)
    joint = joint_of(star, smoothing, *counts)
    rows, cols = joint.random(np.random.default_rng(seed))
    losses = [joint.loss(rows, cols)]
    for _ in range(4):
        rows = joint.rows.move(rows, cols)
        losses.append(joint.loss(rows, cols))
        cols = joint.cols.move(cols, rows)
        losses.append(joint.loss(rows, cols))
    assert np.all(np.diff(losses) <= 1e-8)  # rows move by a billionth of a nat, so that equal ones move alike
    assert losses[-1] >= -1e-12


@pytest.mark.parametrize("seed", range(3))
def test_the_trace_falls_from_the_start_to_the_end(seed: int) -> None:
    star, _ = gallery.planted(200, 150, n_clusters=4, degree=8, noise=0.6, seed=seed)
    found = InforCO(4).fit(star, seed=seed)
    assert len(found.trace) > 2
    assert np.all(np.diff(found.trace) < 0)
    assert found.converged
    p = smoothed(star, 0.1)
    expected = mutual(p) - mutual(merged(p, found.labels["Author"], found.labels["Venue"], 4, 4))
    assert found.objective == pytest.approx(expected, abs=1e-10)


def test_the_best_of_all_partitions_is_found() -> None:
    star = gallery.planted(7, 5, n_clusters=2, degree=6, noise=0.4, seed=3)[0]
    joint = joint_of(star, 0.1, 2, 2)
    least = min(
        joint.loss(np.array(rows), np.array(cols))
        for rows in product(range(2), repeat=7)
        for cols in product(range(2), repeat=5)
    )
    assert InforCO(2, n_starts=20).fit(star, seed=0).objective == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_more_starts_lose_no_more(seed: int) -> None:
    star, _ = gallery.planted(100, 60, n_clusters=5, degree=6, noise=0.8, seed=seed)
    one, many = (InforCO(5, n_starts=count).fit(star, seed=0).objective for count in (1, 12))
    assert one is not None
    assert many is not None
    assert many <= one + 1e-9


def test_it_refines_what_s_co_begins() -> None:
    gains = []
    for seed in range(4):
        star, truth = gallery.planted(600, 300, n_clusters=4, degree=8, noise=0.5, seed=seed)
        scores = [
            metrics.nmi(each.fit(star, seed=0).labels["Author"], truth["Author"]) for each in (SCO(4), InforCO(4))
        ]
        gains.append(scores[1] - scores[0])
    assert min(gains) > 0


def test_an_empty_cluster_is_given_the_row_that_fits_least() -> None:
    star = star_of(np.array([[9.0, 1.0, 0.0], [9.0, 1.0, 0.0], [0.0, 1.0, 9.0], [5.0, 0.0, 5.0]]))
    joint = joint_of(star, 0.1, 3, 3)
    cols = np.arange(3)
    rows = joint.rows.move(np.array([0, 0, 1, 1]), cols)
    assert sorted(np.bincount(rows, minlength=3).tolist()) == [1, 1, 2]
    assert rows[0] == rows[1]


def test_fewer_profiles_than_clusters_give_fewer_clusters() -> None:
    found = InforCO(3).fit(gallery.full(), seed=0)
    assert found.n_clusters == 1
    assert found.objective == pytest.approx(0.0, abs=1e-12)
    twice = InforCO(4).fit(star_of(csr_array(block_diag([np.ones((5, 4))] * 2))), seed=0)
    assert twice.n_clusters == 2


def test_sweeps_that_are_cut_short_are_reported() -> None:
    star, _ = gallery.planted(200, 150, n_clusters=4, degree=8, noise=0.6, seed=0)
    joint = joint_of(star, 0.1, 4, 4)
    rows, cols = joint.random(np.random.default_rng(0))
    found = joint.sweep(_Found(rows, cols, (joint.loss(rows, cols),), False), 1)
    assert not found.settled
    assert len(found.trace) == 2


def test_the_scale_of_the_weights_does_not_matter() -> None:
    star, _ = gallery.planted(seed=3, noise=0.4)
    block = star.arms[0].block
    results = [InforCO(3).fit(star_of(csr_array(block * factor)), seed=0) for factor in (1.0, 1e-200, 3e307)]
    assert len({tuple(found.labels["Row"].tolist()) for found in results}) == 1
    assert results[1].objective == pytest.approx(results[0].objective)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"smoothing": -0.1}, r"^smoothing must be a number from 0 to 1, was -0.1$"),
        ({"smoothing": 1.5}, r"^smoothing must be a number from 0 to 1, was 1.5$"),
        ({"n_starts": 0}, r"^n_starts must be a whole number of at least 1, was 0$"),
    ],
)
def test_what_is_no_parameter_is_refused(params: dict[str, float], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        InforCO(2, **params)  # type: ignore[arg-type]
