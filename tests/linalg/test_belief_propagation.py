"""Beliefs passed along entries: exact on trees, by the formula anywhere, and finite where weights are absurd."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.linalg.belief_propagation import (
    Beliefs,
    Entries,
    cavity_beliefs,
    entry_messages,
    initial_beliefs,
    update_pairs,
)

PATH = csr_array([[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
"""Four rows and three columns that form a tree."""

PAIRS = np.array([[5.0, 1.0], [2.0, 4.0]])


def normalised(logarithms: Floats) -> Floats:
    weights = np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))
    found: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return found


def told_by(entries: Entries, beliefs: Beliefs, shares: Floats, rounds: int) -> Floats:
    """Return what is believed about rows after some rounds; clusters of columns are equally probable."""
    for _ in range(rounds):
        for side, prior in ((1, np.zeros(2)), (0, np.log(shares))):
            told = entry_messages(entries, beliefs, side, 1e9)  # so strong that columns of a cluster are alike
            logarithms = entries.sums[side] @ told + prior
            sides = list(beliefs.sides)
            sides[side] = cavity_beliefs(entries, side, np.log(normalised(logarithms)), told)
            beliefs = beliefs._replace(sides=(sides[0], sides[1]))
    return normalised(logarithms)


def test_beliefs_are_exact_on_a_tree() -> None:
    shares, odds = np.array([0.7, 0.3]), PAIRS * PAIRS.sum() / np.outer(PAIRS.sum(axis=1), PAIRS.sum(axis=0))
    brute, (rows, cols) = np.zeros((4, 2)), PATH.nonzero()
    for own in product(range(2), repeat=4):
        for other in product(range(2), repeat=3):
            ends = np.array(own)[rows], np.array(other)[cols]
            brute[np.arange(4), own] += np.prod(shares[list(own)]) * np.prod(odds[ends])
    plain = csr_array((np.ones(PATH.nnz), PATH.indices, PATH.indptr), PATH.shape)
    entries = Entries.of(plain)
    start = initial_beliefs(entries, np.array([0, 1, 0, 1]), np.array([1, 0, 0]), 2)._replace(pairs=PAIRS)
    found = told_by(entries, start, shares, 4)
    np.testing.assert_allclose(found, brute / brute.sum(axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("strength", [1.0, 100.0])
def test_entries_say_what_the_formula_says(side: int, strength: float) -> None:
    rng = np.random.default_rng(side)
    entries, k = Entries.of(PATH), 3
    own, other = (rng.dirichlet(np.ones(k), PATH.nnz) for _ in range(2))
    sides = [each.astype(np.float32) for each in ((own, other) if side == 0 else (other, own))]
    pairs = rng.random((k, k)) + 0.1
    told = entry_messages(entries, Beliefs((sides[0], sides[1]), pairs if side == 0 else pairs.T), side, strength)
    weights, ends = entries.weights[:, 0], entries.ends[1 - side]
    for one in range(PATH.nnz):
        others = (ends == ends[one]) & (np.arange(PATH.nnz) != one)
        level = weights[others] @ own[others] + strength * (pairs / pairs.sum(axis=0)) @ other[one]
        expected = weights[one] * np.log(level / (pairs.sum(axis=1) / pairs.sum()))
        np.testing.assert_allclose(told[one] - told[one, 0], expected - expected[0], atol=2e-5)


def test_pairs_are_counted_where_entries_belong() -> None:
    rng = np.random.default_rng(0)
    near, far = (rng.dirichlet(np.ones(2), PATH.nnz).astype(np.float32) for _ in range(2))
    entries, brute = Entries.of(PATH), np.full((2, 2), 0.125)
    odds = PAIRS / np.outer(PAIRS.sum(axis=1), PAIRS.sum(axis=0))
    for one, weight in enumerate(PATH.data):
        joint = np.outer(near[one], far[one]) * odds
        brute += weight * joint / joint.sum()
    np.testing.assert_allclose(update_pairs(entries, Beliefs((near, far), PAIRS)).pairs, brute, rtol=1e-5)


def test_absurd_weights_stay_finite() -> None:
    entries = Entries.of(csr_array(np.array([[1e6, 1.0], [1.0, 1e6], [1.0, 1e-9]])))
    beliefs = initial_beliefs(entries, np.array([0, 1, 2]), np.array([0, 1]), 3)
    for _ in range(3):
        for side in (0, 1):
            told = entry_messages(entries, beliefs, side, 100.0)
            logarithms = (entries.sums[side] @ told).astype(np.float64)
            own = cavity_beliefs(entries, side, logarithms - logarithms.max(axis=1, keepdims=True), told)
            assert np.all(np.isfinite(own))
            assert own.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
            beliefs = beliefs._replace(sides=(own, beliefs.sides[1]) if side == 0 else (beliefs.sides[0], own))
        beliefs = update_pairs(entries, beliefs)
        assert np.all(np.isfinite(beliefs.pairs))


def test_entries_of_great_weight_leave_behind_what_the_others_say() -> None:
    """What is left without them is far above what can be raised to, for more than one cluster."""
    entries = Entries.of(csr_array(np.array([[1000.0, 1.0]])))
    told = np.array([[-105.0, -2302.0], [-1.0, -0.5]], dtype=np.float32)
    found = cavity_beliefs(entries, 0, np.array([[0.0, -2000.0]]), told)
    assert found[0].tolist() == [0.0, 1.0]
    assert found[1].tolist() == [1.0, 0.0]
