"""Chance keeps everything of a block but who meets whom."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array

from graphmine.linalg.null_model import shuffle


@st.composite
def blocks(draw: st.DrawFn) -> csr_array:
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    weights = draw(st.lists(st.integers(0, 3), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return csr_array(np.array(weights, dtype=np.float64).reshape(shape))


@given(blocks(), st.integers(0, 10))
def test_the_weight_stays_and_nothing_is_changed(block: csr_array, seed: int) -> None:
    before = block.toarray()
    chance = shuffle(block, np.random.default_rng(seed))
    assert chance.shape == block.shape
    assert chance.sum() == pytest.approx(block.sum())
    assert np.array_equal(block.toarray(), before)
    again = shuffle(block, np.random.default_rng(seed))
    assert np.array_equal(again.toarray(), chance.toarray())


@pytest.mark.parametrize("seed", range(5))
def test_every_row_and_column_keeps_its_number_of_entries(seed: int) -> None:
    rng = np.random.default_rng(seed)
    block = csr_array((rng.random((40, 30)) < 0.2) * rng.integers(1, 5, (40, 30)).astype(np.float64))
    chance = shuffle(block, rng)
    assert np.array_equal(np.diff(chance.indptr), np.diff(block.indptr))
    assert np.array_equal(np.bincount(chance.indices, minlength=30), np.bincount(block.indices, minlength=30))
    assert np.array_equal(np.sort(chance.data), np.sort(block.data))
    assert not np.array_equal(chance.toarray(), block.toarray())


def test_a_full_block_has_no_other_place_to_go() -> None:
    chance = shuffle(csr_array(np.ones((4, 3))), np.random.default_rng(0))
    assert chance.sum() == 12
