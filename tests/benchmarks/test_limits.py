"""The benchmark of limits runs, and draws from the right posterior; how much can be known is not asserted here."""

import doctest
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks import limits
from benchmarks.families import Blocks, drawn_texts


def test_a_short_run_measures_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert limits.main(["--sets", "planted, noise .6", "--seeds", "1", "--sweeps", "8"]) == 0
    *_, line = capsys.readouterr().out.splitlines()
    name, *cells = line.strip("| ").split(" | ")
    assert name == "planted, noise .6"
    assert [0 <= float(cell.split(" ± ")[0]) <= 1 for cell in cells] == [True] * 4


def test_the_examples_hold() -> None:
    tried = doctest.testmod(limits)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_rows_are_drawn_from_their_posterior() -> None:
    block, shares, propensity = csr_array([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), np.array([0.6, 0.4]), np.full(2, 0.5)
    rates = np.array([[1.6, 0.4], [0.3, 1.7]])
    brute, degree = np.zeros((3, 2)), np.array([2.0, 2.0, 1.0])
    for own in product(range(2), repeat=3):
        for cols in product(range(2), repeat=2):
            rate = rates[np.ix_(own, cols)]
            likelihood = np.exp(np.sum(block.toarray() * np.log(rate) - np.outer(degree, propensity) * rate))
            brute[np.arange(3), own] += np.prod(shares[list(own)]) * likelihood
    posterior = limits.Links(Blocks(block, np.zeros(3, dtype=np.int64), shares, rates, propensity))
    rng, rows, seen = np.random.default_rng(0), np.zeros(3, dtype=np.int64), np.zeros((3, 2))
    for _ in range(8_000):
        rows = limits.picked(posterior.scores(rows, 1.0, rng), rng)
        seen[np.arange(3), rows] += 1 / 8_000
    np.testing.assert_allclose(seen, brute / brute.sum(axis=1, keepdims=True), atol=0.02)


def test_topics_that_are_plain_are_found_from_anywhere() -> None:
    drawn = drawn_texts(120, 200, 2, 0.9, 0)
    rng = np.random.default_rng(0)
    found = limits.sampled(limits.Documents(drawn, sweeps=40), rng.integers(2, size=120), rng, cold=False)
    assert len(np.unique(np.stack([found, drawn.rows]), axis=1).T) == 2


def test_wrong_options_are_refused() -> None:
    with pytest.raises(SystemExit) as stopped:
        limits.main(["--sets", "small components"])
    assert stopped.value.code == 2
