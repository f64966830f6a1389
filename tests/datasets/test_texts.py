"""Which words tell most: the gain against its definition, written out."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.datasets.texts import information_gain


def entropy(weights: Floats) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


@pytest.mark.parametrize("seed", range(5))
def test_the_gain_is_what_presence_takes_off_the_entropy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.6, size=(40, 15)) * 1.0
    counts[:, 0], counts[:, 1] = 0, 1  # a word of no text, and one of all
    members = rng.random((40, 6)) < 0.3
    members[np.arange(40), rng.integers(6, size=40)] = True
    shares = members / members.sum(axis=1, keepdims=True)
    found = information_gain(csr_array(counts), csr_array(shares))
    for word, gain in enumerate(found.tolist()):
        there = counts[:, word] > 0
        left = sum(each.mean() * entropy(shares[each].sum(axis=0)) for each in (there, ~there) if each.any())
        assert gain == pytest.approx(entropy(shares.sum(axis=0)) - left, abs=1e-12)
    assert found[:2].tolist() == pytest.approx([0, 0], abs=1e-12)
